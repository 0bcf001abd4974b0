#!/usr/bin/env node
/**
 * Load on a server of this machine, bounded: keep-alive connections that each send a fixed request, wait for
 * the whole answer and send it again. Prints requests per second, status codes, errors and percentiles.
 * Loopback addresses only. Own sockets and fixed bytes, because general clients cost more than the servers
 * they are to measure. Run by hand (`node scripts/load.mjs --help`) and, with `--json`, by `bench/http.mjs`.
 */
import { connect } from "node:net";
import { parseArgs } from "node:util";

const HELP = `usage: node scripts/load.mjs [options] http://127.0.0.1:PORT/PATH
  --connections N   1 to 1000, default 64
  --duration S      seconds, 1 to 60, default 10
  --method NAME     default GET
  --header "a: b"   may be repeated; "host: …" replaces the URL's
  --body TEXT       sent with its content-length
  --json            one line of JSON instead of the table
Each connection sends its next request when the answer to the last has come (closed loop), so that latency
is what a client sees, and a slow server gets fewer requests. Only loopback addresses are accepted.`;

/** @type {Readonly<Record<"connections" | "duration", [number, number]>>} */
const BOUNDS = { connections: [1, 1000], duration: [1, 60] };
/** a connection that gets no whole answer for so long counts as an error and is replaced */
const ANSWER_MS = 5000;
const RECONNECT_MS = 50;
const MAX_HEAD_BYTES = 65_536;

/** Counts of microseconds in buckets 1/64 wide, as HdrHistogram keeps them: error below 1.6 %. */
export class Histogram {
	#counts = new Float64Array(64 * 32);
	total = 0;
	max = 0;

	/** @param {number} microseconds */
	record(microseconds) {
		const value = Math.max(1, Math.floor(microseconds));
		const exponent = Math.max(0, 31 - Math.clz32(value) - 6);
		const bucket = exponent * 64 + (value >>> exponent);
		this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
		this.total += 1;
		if (microseconds > this.max) this.max = microseconds;
	}

	/** @param {number} share in [0, 1] @returns {number} microseconds, the bucket's upper end */
	percentile(share) {
		let left = Math.max(1, Math.ceil(this.total * share));
		for (const [index, count] of this.#counts.entries()) {
			left -= count;
			if (left > 0) continue;
			// Buckets above 127 repeat: index = exponent * 64 + value with value in 64…127.
			const exponent = index < 128 ? 0 : Math.floor(index / 64) - 1;
			return Math.min(this.max, (index - exponent * 64 + 1) * 2 ** exponent);
		}
		return this.max;
	}
}

const SEPARATOR = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("\r\n0\r\n\r\n");

/**
 * The end of the response that the buffer begins with.
 * @param {Buffer} bytes
 * @returns {{status: number, end: number, close: boolean} | undefined} undefined: more bytes are needed
 */
const readResponse = (bytes) => {
	const head = bytes.indexOf(SEPARATOR);
	if (head === -1) {
		if (bytes.length > MAX_HEAD_BYTES) throw new Error("header too large");
		return undefined;
	}
	const text = bytes.toString("latin1", 0, head).toLowerCase();
	if (!text.startsWith("http/1.")) throw new Error("not HTTP/1");
	const status = Number(text.slice(9, 12));
	const close = text.includes("\r\nconnection: close");
	const at = text.indexOf("\r\ncontent-length:");
	if (at !== -1) {
		const end = head + 4 + Number.parseInt(text.slice(at + 17), 10);
		return bytes.length < end ? undefined : { status, end, close };
	}
	if (text.includes("\r\ntransfer-encoding: chunked")) {
		const last = bytes.indexOf(LAST_CHUNK, head + 2);
		return last === -1 ? undefined : { status, end: last + LAST_CHUNK.length, close };
	}
	if (status === 204 || status === 304) return { status, end: head + 4, close };
	throw new Error("a response without a length");
};

/**
 * What all connections have counted together.
 * @typedef {{
 *   histogram: Histogram, statuses: Record<number, number>, errors: number, lastError: string | undefined,
 *   over: boolean
 * }} Totals
 */

/** One connection, replaced when it breaks. */
class Connection {
	/** what is there of a response that is not whole @type {Buffer | undefined} */
	buffer;
	/** @type {import("node:net").Socket | undefined} */
	socket;
	closing = false;
	sentAt = 0;

	/** @param {{host: string, port: number, request: Buffer}} target @param {Totals} totals */
	constructor(target, totals) {
		this.target = target;
		this.totals = totals;
		this.open();
	}

	open() {
		this.buffer = undefined;
		this.closing = false;
		const bytes = Buffer.allocUnsafe(65_536);
		const socket = connect({
			host: this.target.host,
			port: this.target.port,
			noDelay: true,
			// One buffer per connection instead of one per read.
			onread: {
				buffer: bytes,
				callback: (length) => this.read(bytes.subarray(0, length)),
			},
		});
		this.socket = socket;
		socket.on("connect", () => this.send());
		socket.on("error", () => this.broken());
		socket.on("close", () => this.broken());
		socket.setTimeout(ANSWER_MS, () => socket.destroy());
	}

	send() {
		this.sentAt = performance.now();
		this.socket?.write(this.target.request);
	}

	/** @param {Buffer} piece */
	read(piece) {
		try {
			const bytes = this.buffer === undefined ? piece : Buffer.concat([this.buffer, piece]);
			const response = readResponse(bytes);
			if (response === undefined) {
				// `piece` lies in the connection's one buffer.
				this.buffer = Buffer.from(bytes);
				return true;
			}
			this.buffer = undefined;
			if (response.end !== bytes.length) throw new Error("more bytes than the response's");
			this.totals.histogram.record((performance.now() - this.sentAt) * 1000);
			this.totals.statuses[response.status] = (this.totals.statuses[response.status] ?? 0) + 1;
			if (this.totals.over) return true;
			if (response.close) {
				this.closing = true;
				this.socket?.destroy();
			} else {
				this.send();
			}
		} catch (error) {
			this.totals.lastError = error instanceof Error ? error.message : String(error);
			this.socket?.destroy();
		}
		return true;
	}

	broken() {
		if (this.socket === undefined) return;
		const { closing } = this;
		this.socket = undefined;
		if (this.totals.over) return;
		if (!closing) this.totals.errors += 1;
		setTimeout(() => this.totals.over || this.open(), closing ? 0 : RECONNECT_MS).unref();
	}
}

/**
 * @param {{url: string, connections: number, duration: number, method?: string, headers?: string[], body?: string}} options
 *   `duration` in seconds
 */
export const load = async ({ url, connections, duration, method = "GET", headers = [], body }) => {
	const { hostname, port, pathname, search, host, protocol } = new URL(url);
	const address = hostname === "localhost" ? "127.0.0.1" : hostname.replace(/^\[|\]$/g, "");
	if (protocol !== "http:") throw new Error("only http:// URLs");
	if (!/^127\.\d+\.\d+\.\d+$/.test(address) && address !== "::1") {
		throw new Error(`${hostname} is not a loopback address`);
	}
	const lines = headers.some((line) => /^host:/i.test(line))
		? headers
		: [`host: ${host}`, ...headers];
	if (body !== undefined) lines.push(`content-length: ${Buffer.byteLength(body)}`);
	const head = [`${method} ${pathname}${search} HTTP/1.1`, ...lines].join("\r\n");
	const request = Buffer.from(`${head}\r\n\r\n${body ?? ""}`);
	/** @type {Totals} */
	const totals = {
		histogram: new Histogram(),
		statuses: {},
		errors: 0,
		lastError: undefined,
		over: false,
	};
	const started = performance.now();
	const target = { host: address, port: Number(port || 80), request };
	const open = Array.from({ length: connections }, () => new Connection(target, totals));
	await new Promise((resolve) => setTimeout(resolve, duration * 1000));
	totals.over = true;
	const seconds = (performance.now() - started) / 1000;
	for (const { socket } of open) socket?.destroy();
	const { histogram, statuses, errors, lastError } = totals;
	const percentiles = Object.fromEntries(
		[0.5, 0.9, 0.99, 0.999].map((share) => [`p${share * 100}`, histogram.percentile(share)]),
	);
	return {
		url,
		connections,
		seconds,
		requests: histogram.total,
		requestsPerSecond: histogram.total / seconds,
		statuses,
		errors,
		lastError,
		latencyMicroseconds: { ...percentiles, max: histogram.max },
	};
};

/** @param {keyof typeof BOUNDS} name @param {string} text */
const numberIn = (name, text) => {
	const value = Number(text);
	const [least, most] = BOUNDS[name];
	if (!Number.isInteger(value) || value < least || value > most) {
		throw new Error(`--${name} must be a whole number from ${least} to ${most}`);
	}
	return value;
};

/** @param {Awaited<ReturnType<typeof load>>} result */
const print = (result) => {
	const milliseconds = (/** @type {number} */ value) => `${(value / 1000).toFixed(3)} ms`;
	/** @type {[string, string | number][]} */
	const rows = [
		["requests", result.requests],
		["requests/s", Math.round(result.requestsPerSecond)],
		["errors", `${result.errors}${result.lastError === undefined ? "" : ` (${result.lastError})`}`],
		...Object.entries(result.statuses).map(
			/** @returns {[string, number]} */
			([status, count]) => [`status ${status}`, count],
		),
		...Object.entries(result.latencyMicroseconds).map(
			/** @returns {[string, string]} */
			([name, value]) => [name, milliseconds(value)],
		),
	];
	for (const [name, value] of rows) console.log(`${name.padEnd(12)}${value}`);
};

const main = async () => {
	const text = /** @type {const} */ ({ type: "string" });
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			connections: { ...text, default: "64" },
			duration: { ...text, default: "10" },
			method: { ...text, default: "GET" },
			header: { ...text, multiple: true, default: /** @type {string[]} */ ([]) },
			body: text,
			json: { type: "boolean", default: false },
			help: { type: "boolean", default: false },
		},
	});
	if (values.help) {
		console.log(HELP);
		return;
	}
	const [url] = positionals;
	if (url === undefined || positionals.length !== 1)
		throw new Error("one URL is needed; see --help");
	const result = await load({
		url,
		connections: numberIn("connections", values.connections),
		duration: numberIn("duration", values.duration),
		method: values.method,
		headers: values.header,
		...(values.body === undefined ? {} : { body: values.body }),
	});
	if (values.json) console.log(JSON.stringify(result));
	else print(result);
	if (result.requests === 0) process.exitCode = 1;
};

if (import.meta.filename === process.argv[1]) {
	await main().catch((error) => {
		console.error(error.message);
		process.exitCode = 2;
	});
}

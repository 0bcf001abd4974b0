/**
 * The exchange's side of an upstream, for tests: sends a request, records what its sink hears, and checks
 * the order of calls that the interface promises.
 */
import { connect, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { afterEach } from "vitest";
import { FRAMING, HOP_BY_HOP, namedInConnection } from "../../src/http/fields.ts";
import type { BackendDocument } from "../../src/store/resources.ts";
import type { ResponseHead } from "../../src/upstream/response-head.ts";
import type {
	RequestBody,
	UpgradedBackend,
	Upstream,
	UpstreamCall,
	UpstreamFactory,
	UpstreamFailure,
	UpstreamOptions,
	UpstreamRequest,
} from "../../src/upstream/upstream.ts";
import { type Script, ScriptedUpstream } from "./scripted-upstream.ts";

type Lines = readonly (readonly [name: string, value: string])[];

export interface Answer {
	readonly statusCode: number | undefined;
	/** all lines: names in lower case, values as UTF-8 */
	readonly headers: Lines;
	/** the lines to pass on, in their own spelling, latin1 */
	readonly passed: Lines;
	readonly length: number | undefined;
	readonly body: Buffer;
	/** undefined if it ended well */
	readonly failure: UpstreamFailure | undefined;
	readonly message: string;
}

export interface ProbeOptions {
	/** called for each chunk; false pushes back. A response in one piece has one chunk, which can't be pushed back */
	readonly onData?: (chunk: Uint8Array) => boolean;
	readonly onResponse?: () => void;
	/** false: chunks are counted, not kept */
	readonly keep?: boolean;
}

const pairsOf = (texts: readonly string[]): Lines =>
	texts.flatMap((name, index) =>
		index % 2 === 0 ? [[name, texts[index + 1] ?? "missing"] as const] : [],
	);

const passedOf = ({ passed }: ResponseHead): Lines => {
	if (passed === "") return [];
	return passed.split("\r\n").map((line) => {
		const colon = line.indexOf(": ");
		return [line.slice(0, colon), line.slice(colon + 2)];
	});
};

/** What `passed` must hold, by all lines; as they are in `headers`. */
const passing = (headers: Lines): Lines => {
	const connection = headers.filter(([name]) => name === "connection").map(([, value]) => value);
	const named = namedInConnection(connection);
	return headers.filter(
		([name]) =>
			!HOP_BY_HOP.has(name) && !FRAMING.has(name) && name !== "date" && named?.has(name) !== true,
	);
};

/** One request under way. */
export class Probe {
	readonly answer: Promise<Answer>;
	readonly call: UpstreamCall;
	/** body bytes received so far */
	bytes = 0;
	ended = false;
	/** the response came in one piece */
	whole = false;
	/** the backend's connection, where it agreed to an upgrade */
	upgraded: UpgradedBackend | undefined;
	/** broken promises of the interface; must stay empty */
	readonly violations: string[] = [];
	readonly #method: string;
	readonly #options: ProbeOptions;
	readonly #chunks: Buffer[] = [];
	#settle: (answer: Answer) => void = () => {};
	#statusCode: number | undefined;
	#length: number | undefined;
	#headers: Lines = [];
	#passed: Lines = [];
	#sending = true;
	#pushedBack = false;
	#resumed = false;
	#aborted = false;

	constructor(upstream: Upstream, request: UpstreamRequest, options: ProbeOptions = {}) {
		this.#method = request.method;
		this.#options = options;
		this.answer = new Promise((resolve) => {
			this.#settle = resolve;
		});
		this.call = upstream.send(request, {
			onResponse: (statusCode, head, length) => {
				this.#check("onResponse", false);
				this.#respond(statusCode, head, length);
			},
			onData: (chunk) => {
				this.#check("onData", false);
				if (this.#statusCode === undefined) this.violations.push("onData before onResponse");
				if (chunk.length === 0) this.violations.push("an empty chunk");
				this.#pushedBack = !this.#take(chunk);
				return !this.#pushedBack;
			},
			onEnd: () => {
				this.#check("onEnd", false);
				if (this.#statusCode === undefined) this.violations.push("onEnd before onResponse");
				this.#finish(undefined, "");
			},
			onWhole: (statusCode, whole, length) => {
				this.#check("onWhole", false);
				this.whole = true;
				this.#respond(statusCode, whole, length);
				const body = whole.body();
				if (whole.passedBytes !== whole.passed.length || whole.bodyBytes !== body.length) {
					this.violations.push("another size than is told");
				}
				if (body.length > 0 && !this.#aborted) this.#take(body);
				this.#finish(undefined, "");
			},
			onUpgrade: (head, backend) => {
				this.#check("onUpgrade", false);
				if (request.upgrade === undefined)
					this.violations.push("an upgrade that was not asked for");
				this.upgraded = backend;
				this.#respond(101, head, 0);
				this.#finish(undefined, "");
			},
			onError: (failure, message) => {
				this.#check("onError", true);
				if (message === "") this.violations.push("a failure without a message");
				this.#finish(failure, message);
			},
		});
		this.#sending = false;
	}

	resume(): void {
		this.#pushedBack = false;
		this.#resumed = true;
		this.call.resume();
	}

	abort(): void {
		this.#aborted = true;
		this.call.abort();
	}

	/** Everything is copied: the memory is the upstream's again once its call has returned. */
	#respond(statusCode: number, head: ResponseHead, length: number): void {
		if (this.#statusCode !== undefined) this.violations.push("a second response");
		this.#statusCode = statusCode;
		this.#length = length;
		this.#headers = pairsOf(head.lines());
		this.#passed = passedOf(head);
		const ascii = Buffer.from(head.passed, "latin1").every((byte) => byte < 0x80);
		if (head.ascii !== ascii) this.violations.push(`ascii is ${head.ascii}`);
		const read = this.#passed.map(([name, value]) => [
			name.toLowerCase(),
			Buffer.from(value, "latin1").toString(),
		]);
		if (JSON.stringify(read) !== JSON.stringify(passing(this.#headers))) {
			this.violations.push(
				`${JSON.stringify(read)} of ${JSON.stringify(this.#headers)} are passed`,
			);
		}
		this.#options.onResponse?.();
	}

	/** @returns whether the sink wants more */
	#take(chunk: Uint8Array): boolean {
		this.bytes += chunk.length;
		if (this.#options.keep !== false) this.#chunks.push(Buffer.from(chunk));
		this.#resumed = false;
		return (this.#options.onData?.(chunk) ?? true) || this.#resumed;
	}

	#finish(failure: UpstreamFailure | undefined, message: string): void {
		this.ended = true;
		const withBody =
			this.#method !== "HEAD" && this.#statusCode !== 204 && this.#statusCode !== 304;
		const short = withBody && this.#length !== -1 && this.bytes !== this.#length;
		if (failure === undefined && short && !this.#aborted) {
			this.violations.push(`${this.bytes} of ${this.#length} bytes are whole`);
		}
		this.#settle({
			statusCode: this.#statusCode,
			headers: this.#headers,
			passed: this.#passed,
			length: this.#length,
			body: Buffer.concat(this.#chunks),
			failure,
			message,
		});
	}

	#check(name: string, whilePushedBack: boolean): void {
		if (this.#sending) this.violations.push(`${name} within send`);
		if (this.ended) this.violations.push(`${name} after the end`);
		if (this.#aborted) this.violations.push(`${name} after abort`);
		if (this.#pushedBack && !whilePushedBack) this.violations.push(`${name} while pushed back`);
	}
}

/** What the callbacks of the options heard. */
export interface Heard {
	readonly failures: { failure: UpstreamFailure; address: string; message: string }[];
	retries: number;
}

export interface Bench extends Heard {
	readonly upstream: Upstream;
	/** sends and checks the order of calls when the test ends */
	probe(request: Partial<UpstreamRequest>, options?: ProbeOptions): Probe;
	ask(request?: Partial<UpstreamRequest>): Promise<Answer>;
}

const closers: (() => Promise<void>)[] = [];
const probes: Probe[] = [];
const scripted: ScriptedUpstream[] = [];

afterEach(async () => {
	const violations = probes.flatMap((probe) => probe.violations);
	const mistakes = scripted.flatMap((upstream) => upstream.mistakes);
	for (const probe of probes) {
		if (!probe.ended) probe.abort();
		probe.upgraded?.abort();
	}
	probes.length = 0;
	scripted.length = 0;
	for (const close of closers.splice(0)) await close();
	if (violations.length > 0) throw new Error(`order of calls: ${violations.join("; ")}`);
	if (mistakes.length > 0) throw mistakes[0];
});

/** As `UpstreamRequest.lines` has them. */
export const headerLines = (...lines: Lines): string =>
	lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");

export const request = (change: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
	method: "GET",
	target: "/",
	lines: headerLines(["host", "example.test"]),
	more: "",
	body: undefined,
	...change,
});

/** A scripted backend that is closed after the test. */
export const backend = async (
	script: Script,
	...tls: Parameters<typeof ScriptedUpstream.start> extends [Script, ...infer Rest] ? Rest : never
): Promise<ScriptedUpstream> => {
	const upstream = await ScriptedUpstream.start(script, ...tls);
	closers.push(() => upstream.close());
	scripted.push(upstream);
	return upstream;
};

/** An upstream over `urls`, closed after the test. */
export const bench = (
	factory: UpstreamFactory,
	urls: readonly string[],
	options: Partial<UpstreamOptions> = {},
	document: Partial<BackendDocument> = {},
): Bench => {
	const heard: Heard = { failures: [], retries: 0 };
	const upstream = factory(
		{ ...document, urls: [...urls] },
		{
			connectTimeoutMs: 5000,
			responseTimeoutMs: 10_000,
			idleTimeoutMs: 10_000,
			connections: 16,
			queue: 1000,
			onAttemptFailed: (failure, address, message) =>
				heard.failures.push({ failure, address, message }),
			onRetry: () => {
				heard.retries += 1;
			},
			...options,
		},
	);
	closers.push(() => upstream.close());
	const probe = (change: Partial<UpstreamRequest>, probeOptions?: ProbeOptions): Probe => {
		const made = new Probe(upstream, request(change), probeOptions);
		probes.push(made);
		return made;
	};
	return Object.assign(heard, {
		upstream,
		probe,
		ask: (change: Partial<UpstreamRequest> = {}) => probe(change).answer,
	});
};

/** An address whose queue of new connections is full and stays so: connecting there hangs. */
export const unacceptingUrl = async (): Promise<string> => {
	const worker = new Worker(
		`const { parentPort } = require("node:worker_threads");
		const server = require("node:net").createServer();
		server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
			parentPort.postMessage(server.address().port);
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
		});`,
		{ eval: true },
	);
	const port = await new Promise<number>((resolve) => worker.once("message", resolve));
	const sockets: Socket[] = [];
	closers.push(async () => {
		for (const socket of sockets) socket.destroy();
		await worker.terminate();
	});
	// As many as the kernel queues, and some that make it drop further ones.
	for (let count = 0; count < 8; count += 1) {
		sockets.push(connect(port, "127.0.0.1").on("error", () => {}));
	}
	await until(() => sockets.some(({ connecting }) => !connecting), "the first is queued");
	return `http://127.0.0.1:${port}`;
};

/** Polls until the condition holds; throws after five seconds. */
export const until = async (condition: () => boolean, what: string): Promise<void> => {
	const deadline = performance.now() + 5000;
	while (!condition()) {
		if (performance.now() > deadline) throw new Error(`never: ${what}`);
		await new Promise((resolve) => setImmediate(resolve));
	}
};

/** A body that is pushed by hand. */
export class ManualBody implements RequestBody {
	readonly length: number;
	touched = false;
	starts = 0;
	paused = false;
	#sink: Parameters<RequestBody["start"]>[0] | undefined;

	constructor(length: number) {
		this.length = length;
	}

	get started(): boolean {
		return this.#sink !== undefined;
	}

	start(sink: Parameters<RequestBody["start"]>[0]): void {
		this.starts += 1;
		this.#sink = sink;
	}

	pause(): void {
		this.paused = true;
	}

	resume(): void {
		this.paused = false;
	}

	push(chunk: Uint8Array | string): void {
		this.touched = true;
		this.#sink?.onChunk(typeof chunk === "string" ? Buffer.from(chunk, "latin1") : chunk);
	}

	end(): void {
		this.#sink?.onEnd();
	}
}

/** A body that hands its chunks over as fast as they are taken. */
export class ChunkedBody extends ManualBody {
	readonly #chunks: Iterator<Uint8Array>;
	#pumping = false;

	constructor(chunks: Iterable<Uint8Array>, length: number) {
		super(length);
		this.#chunks = chunks[Symbol.iterator]();
	}

	override start(sink: Parameters<RequestBody["start"]>[0]): void {
		super.start(sink);
		this.#pump();
	}

	override resume(): void {
		super.resume();
		this.#pump();
	}

	#pump(): void {
		if (this.#pumping) return;
		this.#pumping = true;
		while (!this.paused) {
			const next = this.#chunks.next();
			if (next.done === true) {
				this.end();
				return;
			}
			this.push(next.value);
		}
		this.#pumping = false;
	}
}

export const wholeBody = (text: string, chunked = false): ChunkedBody => {
	const bytes = Buffer.from(text, "latin1");
	return new ChunkedBody([bytes], chunked ? -1 : bytes.length);
};

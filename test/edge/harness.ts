/** A whole edge on a free port, with a scripted upstream and fakes for store, policies and log. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Config, configSchema, type Listener } from "../../src/config.ts";
import { createEdge, type Edge } from "../../src/edge/edge.ts";
import { UNKNOWN_PLACE } from "../../src/edge/geo.ts";
import type { TicketSecrets } from "../../src/edge/tls/ticket-key.ts";
import { Front } from "../../src/http/front.ts";
import type {
	CompiledPolicy,
	Outcome,
	PolicyExchange,
	SuspendedRun,
} from "../../src/policy/exchange.ts";
import type { BackendTls } from "../../src/store/backend-tls.ts";
import type { Log } from "../../src/telemetry/log.ts";
import { Metrics } from "../../src/telemetry/metrics.ts";
import type { Evaluator, Settlement } from "../../src/threads/expression-evaluator.ts";
import type { ProgramMaker } from "../../src/threads/program-maker.ts";
import { upstreamFactory } from "../../src/upstream/create-upstream.ts";
import type { UpstreamFactory } from "../../src/upstream/upstream.ts";
import { listenerWith } from "../listener.ts";
import { logSettings, requestIdSettings, tracingSettings } from "../observing.ts";
import { deciding } from "../policy/support.ts";
import { decodedBy } from "../telemetry/encoded.ts";
import { NO_EVALUATOR } from "./manual-evaluator.ts";
import { MemoryStore } from "./memory-store.ts";

export const CONTINUE: Outcome = { kind: "continue" };

export interface Phases {
	inbound?: (exchange: PolicyExchange) => Outcome;
	outbound?: (exchange: PolicyExchange) => Outcome;
	resume?: (exchange: PolicyExchange, run: SuspendedRun, result: Settlement) => Outcome;
}

const policyOf = (phases: Phases): CompiledPolicy => ({
	enabled: true,
	inboundEmpty: phases.inbound === undefined,
	outboundEmpty: phases.outbound === undefined,
	inbound: phases.inbound ?? (() => CONTINUE),
	outbound: phases.outbound ?? (() => CONTINUE),
	resume: phases.resume ?? (() => CONTINUE),
	close() {},
});

export const configOf = (overrides: Partial<Config> = {}): Config => ({
	listen: [listenerWith()],
	tls: { minVersion: "TLSv1.2", ciphers: configSchema.parse({}).tls.ciphers },
	management: { host: "127.0.0.1", port: 0, tls: [], hosts: [], ui: true },
	dataDir: "",
	fleet: null,
	countersFile: "",
	keysPerRateLimit: 1024,
	workers: 1,
	trustedProxies: [],
	underscoresInHeaders: "drop",
	front: "on",
	standingRefusals: true,
	allowTrace: false,
	expressionErrors: "reject",
	expressions: { deadlineMs: 100, threads: 2 },
	decisions: { keep: 10_000 },
	versions: { keep: 50 },
	rateLimits: { ipv6Prefix: 64 },
	geoDatabase: null,
	timeouts: {
		requestHeaderMs: 10_000,
		idleMs: 60_000,
		tunnelIdleMs: 60_000,
		upstreamConnectMs: 2000,
		upstreamResponseMs: 5000,
		drainMs: 5000,
	},
	limits: {
		requestHeaderBytes: 65_536,
		policyBytes: 1_048_576,
		connections: 0,
		connectionsPerAddress: 0,
		rules: 500,
		bodyMemoryBytes: 67_108_864,
	},
	slowClients: {
		graceMs: 30_000,
		minUploadBytesPerSecond: 500,
		minDownloadBytesPerSecond: 500,
		perAddress: 256,
	},
	log: logSettings(),
	metrics: { routes: 100 },
	requestId: requestIdSettings(),
	tracing: tracingSettings(),
	...overrides,
});

export interface LogLine {
	readonly level: string;
	readonly message: string;
	readonly fields: Record<string, unknown>;
}

export interface TestEdge {
	readonly edge: Edge;
	readonly port: number;
	readonly ports: readonly number[];
	readonly store: MemoryStore;
	readonly metrics: Metrics;
	readonly lines: LogLine[];
	/** Replaces the policy of route `e/r`. */
	setPolicy(phases: Phases | undefined): void;
	close(): Promise<void>;
}

export interface TestEdgeOptions {
	config?: Partial<Config>;
	listen?: readonly Listener[];
	/** origins of route `e/r`, which takes every path of every host */
	urls?: string[];
	backend?: {
		host_header?: string;
		connect_timeout_ms?: number;
		response_timeout_ms?: number;
		max_connections?: number;
		max_tunnels?: number;
		tunnel_idle_timeout_ms?: number;
		tls?: BackendTls;
	};
	upstreamFactory?: UpstreamFactory;
	/** none: policies don't suspend */
	evaluator?: Evaluator;
	/** compiles what every policy then asks for; none: policies are compiled within the request */
	programs?: ProgramMaker;
	/** secrets of session tickets; none: each listener has its own */
	tickets?: TicketSecrets | undefined;
	/** the server library reads clients alone */
	withoutFront?: boolean;
}

export async function startEdge(options: TestEdgeOptions): Promise<TestEdge> {
	const store = new MemoryStore();
	const metrics = new Metrics();
	const lines: LogLine[] = [];
	const logAt =
		(level: string): Log["info"] =>
		(fields, message) => {
			lines.push({ level, message, fields: { ...fields } });
		};
	let phases: Phases | undefined;
	store.putEdge("e", ["*"]);
	if (options.urls !== undefined) {
		store.putRoute("e", "r", {
			match_type: "path_prefix",
			match: "/",
			backend: { urls: options.urls, ...options.backend },
		});
	}
	const edge = createEdge({
		config: configOf({
			...options.config,
			...(options.listen === undefined ? {} : { listen: options.listen }),
		}),
		reader: store,
		limiters: {
			open: () => deciding(() => 0),
			release() {},
		},
		*prepare() {
			if (options.programs !== undefined) yield [];
			return { mayWait: false, open: () => policyOf(phases ?? {}) };
		},
		upstreamFactory: options.upstreamFactory ?? upstreamFactory(() => {}),
		log: {
			info: logAt("info"),
			encoded: decodedBy(logAt("info")),
			warn: logAt("warn"),
			error: logAt("error"),
			flush: () => Promise.resolve(),
			close: () => Promise.resolve(),
			reopen() {},
		},
		metrics,
		geo: { lookup: () => UNKNOWN_PLACE },
		evaluator: options.evaluator ?? NO_EVALUATOR,
		programs: options.programs ?? { make: () => Promise.resolve([]) },
		front: options.withoutFront === true ? undefined : Front.open(),
		tickets: options.tickets,
	});
	edge.load();
	await edge.listen();
	return {
		edge,
		port: edge.ports[0] ?? 0,
		ports: edge.ports,
		store,
		metrics,
		lines,
		setPolicy(next) {
			phases = next;
			if (next === undefined) store.deletePolicy("e", "r");
			else store.putPolicy("e", "r", "p");
			edge.apply([{ kind: "policy", edgeId: "e", routeId: "r" }]);
		},
		close: () => edge.drain(0),
	};
}

/** An upstream of raw sockets: the script gets each connection's requests as text. */
export class RawUpstream {
	readonly #server: Server;
	readonly sockets = new Set<Socket>();
	/** whole requests as they arrived, latin1 */
	readonly requests: string[] = [];
	onRequest: (socket: Socket, head: string, body: string) => void = (socket) => {
		socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
	};
	/** takes over the socket if set: no parsing */
	onConnection: ((socket: Socket) => void) | undefined;

	constructor() {
		this.#server = createServer((socket) => {
			this.sockets.add(socket);
			socket.on("error", () => {});
			socket.on("close", () => this.sockets.delete(socket));
			if (this.onConnection !== undefined) this.onConnection(socket);
			else this.#parse(socket);
		});
	}

	async listen(): Promise<string> {
		await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		for (const socket of this.sockets) socket.destroy();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	#parse(socket: Socket): void {
		let text = "";
		socket.on("data", (data: Buffer) => {
			text += data.toString("latin1");
			for (;;) {
				const end = text.indexOf("\r\n\r\n");
				if (end === -1) return;
				const head = text.slice(0, end + 4);
				const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
				let bodyEnd = head.length + length;
				if (/^transfer-encoding: chunked/im.test(head)) {
					const last = text.indexOf("0\r\n\r\n", head.length);
					if (last === -1) return;
					bodyEnd = last + 5;
				}
				if (text.length < bodyEnd) return;
				const body = text.slice(head.length, bodyEnd);
				this.requests.push(text.slice(0, bodyEnd));
				text = text.slice(bodyEnd);
				this.onRequest(socket, head, body);
			}
		});
	}
}

/** A client of raw bytes. */
export class RawClient {
	readonly socket: Socket;
	/** everything received, latin1 */
	received = "";
	closed = false;
	reset = false;
	#wake: (() => void)[] = [];

	constructor(port: number, socket: Socket = connect(port, "127.0.0.1")) {
		this.socket = socket;
		socket.on("data", (data: Buffer) => {
			this.received += data.toString("latin1");
			this.#changed();
		});
		socket.on("error", (error: NodeJS.ErrnoException) => {
			if (error.code === "ECONNRESET") this.reset = true;
		});
		socket.on("close", () => {
			this.closed = true;
			this.#changed();
		});
	}

	send(latin1: string): this {
		this.socket.write(Buffer.from(latin1, "latin1"));
		return this;
	}

	/** Resolves when the condition holds. @throws Error with what was received after `timeoutMs` */
	async until(condition: (client: this) => boolean, timeoutMs = 10_000): Promise<this> {
		const deadline = Date.now() + timeoutMs;
		while (!condition(this)) {
			if (Date.now() > deadline) {
				throw new Error(
					`not in time; closed: ${this.closed}; received: ${this.received.slice(0, 2000)}`,
				);
			}
			await new Promise<void>((resolve) => {
				const timer = setTimeout(resolve, 50);
				this.#wake.push(() => {
					clearTimeout(timer);
					resolve();
				});
			});
		}
		return this;
	}

	untilClosed(timeoutMs?: number): Promise<this> {
		return this.until(({ closed }) => closed, timeoutMs);
	}

	/** One whole response, taken off what was received. HEAD, 204 and 304 end with their header. */
	async response(method = "GET"): Promise<RawResponse> {
		let found: { response: RawResponse; rest: string } | undefined;
		await this.until(({ received, closed }) => {
			found = parseResponse(received, method, closed);
			return found !== undefined;
		});
		if (found === undefined) throw new Error("no response");
		this.received = found.rest;
		return found.response;
	}

	destroy(): void {
		this.socket.destroy();
	}

	#changed(): void {
		for (const wake of this.#wake.splice(0)) wake();
	}
}

/** A client of raw bytes within TLS. */
export const secureClient = (port: number, servername = "h.example"): RawClient =>
	new RawClient(
		port,
		connectTls({ port, host: "127.0.0.1", servername, rejectUnauthorized: false }),
	);

export interface RawResponse {
	readonly status: number;
	readonly statusLine: string;
	/** lines as they came */
	readonly lines: readonly string[];
	header(name: string): string | undefined;
	readonly body: string;
}

function parseResponse(
	text: string,
	method: string,
	closed: boolean,
): { response: RawResponse; rest: string } | undefined {
	const end = text.indexOf("\r\n\r\n");
	if (end === -1) return undefined;
	const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
	const status = Number(statusLine.split(" ")[1]);
	if (status === 100) return parseResponse(text.slice(end + 4), method, closed);
	const header = (name: string): string | undefined =>
		lines
			.find((line) => line.toLowerCase().startsWith(`${name}:`))
			?.slice(name.length + 1)
			.trim();
	const made = (body: string, rest: string) => ({
		response: { status, statusLine, lines, header, body },
		rest,
	});
	const after = text.slice(end + 4);
	if (method === "HEAD" || status === 204 || status === 304) return made("", after);
	const length = header("content-length");
	if (length !== undefined) {
		return after.length < Number(length)
			? undefined
			: made(after.slice(0, Number(length)), after.slice(Number(length)));
	}
	let body = "";
	let position = 0;
	for (;;) {
		const lineEnd = after.indexOf("\r\n", position);
		if (lineEnd === -1) return undefined;
		const size = Number.parseInt(after.slice(position, lineEnd), 16);
		if (after.length < lineEnd + 2 + size + 2) return undefined;
		if (size === 0) return made(body, after.slice(lineEnd + 4));
		body += after.slice(lineEnd + 2, lineEnd + 2 + size);
		position = lineEnd + 2 + size + 2;
	}
}

/** One request over a connection of its own. */
export async function ask(port: number, bytes: string): Promise<RawResponse> {
	const client = new RawClient(port);
	try {
		return await client.send(bytes).response(bytes.slice(0, bytes.indexOf(" ")));
	} finally {
		client.destroy();
	}
}

export const get = (target: string, ...lines: string[]): string =>
	[`GET ${target} HTTP/1.1`, "Host: h.example", ...lines, "", ""].join("\r\n");

export const post = (target: string, body: string, ...lines: string[]): string =>
	[
		`POST ${target} HTTP/1.1`,
		"Host: h.example",
		`Content-Length: ${body.length}`,
		...lines,
		"",
		body,
	].join("\r\n");

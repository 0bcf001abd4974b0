/**
 * The way to a backend over undici, for TLS. Each connection is one undici
 * `Client` without pipelining; the queue, deadlines and bounds are weir's own (`pool.ts`, `call.ts`), the choice of
 * address and retries the native client's (`address-ring.ts`, `retry.ts`). undici's own pool is not used because it
 * can't tell a kept-alive connection from a fresh one, has no bound on its queue, and its timers are half a second
 * coarse.
 *
 * Two things stand between the socket and undici's parser, in one place (`#guard`): interim responses are taken
 * out, and a paused response is not read. Pausing the parser itself is avoided, for undici 7.30 asserts that a
 * paused parser's connection does not end, and a backend may end it at any time.
 */
import { Socket } from "node:net";
import { areTaken, descriptorShares } from "../../descriptors.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { BackendDocument } from "../../store/resources.ts";
import { backendOptions } from "../backend-options.ts";
import type { UpstreamFactory, UpstreamRequest } from "../upstream.ts";
import type { PoolConnection } from "./address-connections.ts";
import { tlsSettings } from "./backend-tls.ts";
import type { PooledCall } from "./call.ts";
import { Deadline } from "./deadlines.ts";
import { describeError, FAILURE_TEXTS } from "./errors.ts";
import { InterimFilter } from "./interim.ts";
import { UpstreamPool } from "./pool.ts";
import { buildConnector, Client, type Dispatcher } from "./undici-library.ts";

/**
 * One for each backend: a connector resumes TLS sessions, and a session that one backend's settings allowed must not
 * be resumed under another's. Deadlines are ours; 0 switches the library's off.
 */
const connectorFor = ({ tls }: BackendDocument): Connector =>
	buildConnector({ ...(tls === undefined ? {} : tlsSettings(tls)), timeout: 0, allowH2: false });

/** See `DescriptorShares`. */
const UPSTREAM_END = descriptorShares().upstreamEnd;

type Connector = ReturnType<typeof buildConnector>;

/** undici's types leave `servername` out. */
type DispatchOptions = Dispatcher.DispatchOptions & { readonly servername: string };

type ConnectOptions = Parameters<Connector>[0];
type ConnectCallback = Parameters<Connector>[1];

const LINE = /([^:\r]+): ([^\r]*)\r\n/g;

/** @returns name, value, name, value…, as undici wants them */
const headersOf = ({ lines, more }: UpstreamRequest, length: number | undefined): string[] => {
	const headers: string[] = [];
	for (const [, name = "", value = ""] of (lines + more).matchAll(LINE)) headers.push(name, value);
	if (length !== undefined) headers.push("content-length", String(length));
	return headers;
};

class UndiciConnection extends Deadline implements PoolConnection {
	readonly address: number;
	connected = false;
	connectTimedOut = false;
	connectMs = 0;
	idleSinceMs = 0;
	readonly #pool: UpstreamPool;
	readonly #connector: Connector;
	readonly #origin: string;
	readonly #servername: string;
	readonly #interim = new InterimFilter(LIMITS.responseHeaderBytes);
	#client: Client | undefined;
	#socket: Socket | undefined;
	#requests = 0;
	#paused = false;

	constructor(pool: UpstreamPool, address: number, url: URL, connector: Connector) {
		super();
		this.#pool = pool;
		this.#connector = connector;
		this.address = address;
		this.#servername = url.hostname;
		this.#origin = url.origin;
	}

	get sawResponseByte(): boolean {
		return this.#interim.sawByte;
	}

	/**
	 * libuv reports an end also for a reset that arrives together with the last bytes; but a connection that
	 * was reset has no peer any more. The peer is asked for here alone, so that Node has not remembered it.
	 */
	get endedByPeer(): boolean {
		const socket = this.#socket;
		return socket?.readableEnded === true && socket.remoteAddress !== undefined;
	}

	get unsentBytes(): number {
		return this.#socket?.writableLength ?? 0;
	}

	/** Hot. */
	dispatch(call: PooledCall): void {
		const { method, target, body } = call.request;
		const stream = call.openBody();
		const sized = stream !== undefined && body !== undefined && body.length >= 0;
		const options: DispatchOptions = {
			method,
			path: target,
			headers: headersOf(call.request, sized ? body.length : undefined),
			body: stream ?? null,
			upgrade: call.request.upgrade ?? null,
			// The same for all requests: undici reconnects when it changes. `#open` decides what is sent.
			servername: this.#servername,
		};
		this.#client ??= this.#makeClient();
		this.#client.dispatch(options, call);
	}

	beginRequest(): boolean {
		this.#interim.begin();
		this.#requests += 1;
		return this.#requests > 1;
	}

	/** The next bytes are not for the sink that had pushed back. */
	endRequest(): void {
		this.#paused = false;
	}

	detach(): void {
		const socket = this.#socket;
		// The filter and the pause are the next socket's.
		if (socket !== undefined) socket.read = Socket.prototype.read;
		this.#socket = undefined;
		this.#paused = false;
	}

	pauseReading(): void {
		this.#paused = true;
	}

	resumeReading(): void {
		this.#paused = false;
		// Makes undici read on.
		this.#socket?.emit("readable");
	}

	disconnect(): void {
		this.#socket?.destroy();
	}

	/**
	 * Called before a request under way is aborted: undici alone would connect again at once, for nothing,
	 * to find the aborted request in its queue.
	 */
	renew(): void {
		void this.#client?.destroy();
		this.#client = undefined;
		this.connected = false;
	}

	async close(): Promise<void> {
		await this.#client?.close();
	}

	/** Connecting took too long. */
	override expire(): void {
		this.connectTimedOut = true;
		this.#socket?.destroy(new Error(FAILURE_TEXTS.connectSlow));
	}

	/** The certificate must carry the name of the URL, or of `tls.server_name`, whatever `host` says. */
	#open(options: ConnectOptions, callback: ConnectCallback): void {
		const { servername: _, ...rest } = options;
		this.connectTimedOut = false;
		if (areTaken(UPSTREAM_END)) {
			// No fault of the backend's, so it is not set aside.
			setImmediate(() => callback(new Error("the process has too many connections"), null));
			return;
		}
		this.#pool.connectDeadlines.arm(this);
		const begunMs = performance.now();
		const opening: unknown = this.#connector(rest, (...result) => {
			this.disarm();
			this.connectMs = result[0] === null ? performance.now() - begunMs : 0;
			if (result[0] === null) {
				this.#guard(result[1]);
				callback(...result);
			} else {
				this.#pool.addressFailed(this.address);
				// Without its code: at ERR_TLS_CERT_ALTNAME_INVALID undici 7.30 fails the request but counts it as
				// running for ever, so that the client neither serves nor closes any more.
				callback(new Error(describeError(result[0])), null);
			}
		});
		// The library returns the socket, its types don't say so.
		if (opening instanceof Socket) this.#socket = opening;
	}

	/** Puts the filter and the pause before what undici reads. */
	#guard(socket: Socket): void {
		const read = socket.read;
		this.#socket = socket;
		this.#requests = 0;
		socket.read = (size?: number): Buffer | null => {
			while (!this.#paused) {
				const chunk: Buffer | null = read.call(socket, size);
				if (chunk === null) return null;
				const rest = this.#interim.filter(chunk);
				if (rest !== undefined) return rest;
			}
			return null;
		};
	}

	#makeClient(): Client {
		const client = new Client(this.#origin, {
			connect: (options: ConnectOptions, callback: ConnectCallback) =>
				this.#open(options, callback),
			pipelining: 1,
			maxHeaderSize: LIMITS.responseHeaderBytes,
			headersTimeout: 0,
			bodyTimeout: 0,
			keepAliveTimeout: LIMITS.upstreamIdleMs,
			keepAliveMaxTimeout: LIMITS.upstreamIdleHintedMs,
			keepAliveTimeoutThreshold: LIMITS.upstreamIdleMarginMs,
		});
		client.on("connect", () => {
			this.connected = true;
			this.#pool.connected(this);
		});
		client.on("disconnect", () => {
			if (this.#client !== client) return;
			this.connected = false;
			this.#pool.disconnected(this);
		});
		return client;
	}
}

/** @throws Error for a URL that is none (backends are validated before they are stored), and for a bad file */
export const createUndiciUpstream: UpstreamFactory = (backend, options) => {
	const urls = backend.urls.map((url) => new URL(url));
	const connector = connectorFor(backend);
	return new UpstreamPool({
		...backendOptions(backend, options),
		addresses: backend.urls,
		makeConnection: (pool, address) => {
			const url = urls[address];
			if (url === undefined) throw new Error(`no address ${address}`);
			return new UndiciConnection(pool, address, url, connector);
		},
	});
};

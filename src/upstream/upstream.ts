/**
 * The way to a backend (contract 6): one small interface, two implementations, one test suite
 * (`test/upstream/suite/suite.ts`). `native/` carries plain HTTP, `undici/` TLS. The exchange calls `send` once
 * per request and drives both directions through the two halves below; no bodies are buffered whole.
 *
 * Order of calls on a sink: either `onWhole` alone; or `onResponse` at most once, then any number of
 * `onData`, then exactly one of `onEnd` and `onError` ends it. After `abort` nothing is called any more, and
 * nothing is called before `send` has returned. While a sink has pushed back, only `onError` may be called.
 */
import type { BackendDocument } from "../store/resources.ts";
import type { ResponseHead } from "./response-head.ts";

export interface UpstreamRequest {
	readonly method: string;
	/** origin-form request target (starts with `/`), exactly the bytes to send, as a latin1 string */
	readonly target: string;
	/**
	 * Header lines, each `name: value\r\n`, as a latin1 string of the bytes to send; checked by the caller. Holds
	 * `host`, no framing fields and nothing that belongs to one connection.
	 */
	readonly lines: string;
	/** none; or a stream of known (bytes) or unknown (-1, sent chunked) length */
	readonly body: RequestBody | undefined;
}

/**
 * Pulled by the upstream: it calls `start` at most once, then gets chunks and pushes back with
 * `pause`/`resume`. A chunk's memory is the caller's: an upstream that needs it after `onChunk` has returned
 * copies it. Length 0 is the same as no body: `start` is not called then. The upstream may finish with a
 * response while the body is not at its end; it then takes no more of it, and what the client still sends is
 * the caller's to drain or to refuse.
 */
export interface RequestBody {
	/** bytes, or -1 */
	readonly length: number;
	/** true once any byte has been handed over: the request can't be sent again */
	readonly touched: boolean;
	/** May call `onChunk` and `onEnd` before it returns. */
	start(sink: { onChunk(chunk: Uint8Array): void; onEnd(): void }): void;
	pause(): void;
	resume(): void;
}

export type UpstreamFailure =
	/** no connection to any address: 502 */
	| "connect"
	/** broke or spoke no HTTP before or within the response: 502, or a reset once the header was sent */
	| "broken"
	/** connect or response header took too long: 504 */
	| "timeout"
	/** too many requests wait for a connection: 503 */
	| "queue_full";

/**
 * What a response's `head` and chunks point to is the upstream's memory: valid until the call returns, and
 * copied by who needs it longer.
 */
export interface ResponseSink {
	/**
	 * @param length content-length in bytes, or -1 if chunked or delimited by close; for HEAD and 304 what
	 *   the field says, although no body follows
	 */
	onResponse(statusCode: number, head: ResponseHead, length: number): void;
	/** @returns false to pause until `UpstreamCall.resume` */
	onData(chunk: Uint8Array): boolean;
	onEnd(): void;
	/**
	 * Hot. The response came in one piece: as `onResponse`, `onData(body)` unless it is empty, and `onEnd`. An
	 * implementation may always use those instead.
	 */
	onWhole(statusCode: number, head: ResponseHead, length: number, body: Uint8Array): void;
	onError(failure: UpstreamFailure, message: string): void;
}

export interface UpstreamCall {
	/** bytes of the response that were read, and that the sink has not taken yet */
	readonly heldBytes: number;
	/** a connection to the backend is its own */
	readonly holdsPlace: boolean;
	/** after `onData` returned false */
	resume(): void;
	/** the client has gone, or the response was replaced: drops the connection unless it is done */
	abort(): void;
}

export interface Upstream {
	/** The sink hears nothing before this has returned. */
	send(request: UpstreamRequest, sink: ResponseSink): UpstreamCall;
	/** idle connections are closed at once, busy ones when they are done */
	close(): Promise<void>;
	/** bytes of memory that request bodies have on their way through it */
	readonly bodyBytes: number;
	/** requests that wait while every place for a connection is taken */
	readonly pressed: number;
	/** what is taken or waited for, of all places for connections: 0 to 1, above it while many wait */
	readonly occupancy: number;
}

export interface UpstreamOptions {
	readonly connectTimeoutMs: number;
	readonly responseTimeoutMs: number;
	readonly idleTimeoutMs: number;
	/** to each address, at most */
	readonly connections: number;
	/** requests that wait for a connection, at most */
	readonly queue: number;
	readonly onAttemptFailed: (failure: UpstreamFailure, address: string, message: string) => void;
	readonly onRetry: () => void;
}

/** Builds the upstream of one backend; what its document says wins over the options. */
export type UpstreamFactory = (backend: BackendDocument, options: UpstreamOptions) => Upstream;

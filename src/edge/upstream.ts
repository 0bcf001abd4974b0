/**
 * The way to a backend (contract 6): one small interface, several implementations, one test suite
 * (`test/edge/upstream-suite.ts`). `UndiciUpstream` is the first. The exchange calls `send` once per
 * request and drives both directions through the two halves below; no bodies are buffered whole.
 *
 * Order of calls on a sink: `onResponse` at most once, then any number of `onData`, then exactly one of
 * `onEnd` and `onError` ends it. After `abort` nothing is called any more, and nothing is called before
 * `send` has returned. While a sink has pushed back, only `onError` may be called.
 */
import type { BackendDocument } from "../store/resources.ts";

export interface UpstreamRequest {
	readonly method: string;
	/** origin-form request target (starts with `/`), exactly the bytes to send, as a latin1 string */
	readonly target: string;
	/** name, value, name, value…; values as latin1 strings of the bytes to send; holds `host`, no framing fields */
	readonly headers: readonly string[];
	/** none; or a stream of known (bytes) or unknown (-1, sent chunked) length */
	readonly body: RequestBody | undefined;
}

/**
 * Pulled by the upstream: it calls `start` at most once, then gets chunks and pushes back with
 * `pause`/`resume`. A chunk handed over belongs to the upstream: who gets it from a server library that
 * takes its memory back copies it first. Length 0 is the same as no body: `start` is not called then.
 * The upstream may finish with a response while the body is not at its end; it then takes no more of it,
 * and what the client still sends is the caller's to drain or to refuse.
 */
export interface RequestBody {
	/** bytes, or -1 */
	readonly length: number;
	/** true once any byte has been handed over: the request can't be sent again */
	readonly touched: boolean;
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

export interface ResponseSink {
	/**
	 * @param headers raw lines, name, value, name, value…, bytes as they came
	 * @param length content-length in bytes, or -1 if chunked or delimited by close; for HEAD and 304 what
	 *   the field says, although no body follows
	 */
	onResponse(statusCode: number, headers: readonly Uint8Array[], length: number): void;
	/** The chunk belongs to the sink. @returns false to pause until `UpstreamCall.resume` */
	onData(chunk: Uint8Array): boolean;
	onEnd(): void;
	onError(failure: UpstreamFailure, message: string): void;
}

export interface UpstreamCall {
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
}

export interface UpstreamOptions {
	readonly connectTimeoutMs: number;
	readonly responseTimeoutMs: number;
	readonly idleTimeoutMs: number;
	readonly connections: number;
	readonly queue: number;
	readonly onAttemptFailed: (failure: UpstreamFailure, address: string, message: string) => void;
	readonly onRetry: () => void;
}

/** Builds the upstream of one backend; its own timeouts win over the options'. */
export type UpstreamFactory = (backend: BackendDocument, options: UpstreamOptions) => Upstream;

/**
 * The way to a backend (contract 6): one small interface, two implementations, one test suite
 * (`test/upstream/suite/suite.ts`). `native/` carries plain HTTP, `undici/` TLS (README.md in this folder). The
 * exchange calls `send` once for each request, and passes the request's body through `RequestBody` and the
 * response through `ResponseSink`; no body is buffered whole.
 *
 * Order of calls on a sink: either `onWhole` or `onUpgrade` alone; or `onResponse` at most once, then any number of
 * `onData`, then exactly one of `onEnd` and `onError` ends it. After `abort` nothing is called any more, and
 * nothing is called before `send` has returned. While a sink has pushed back, only `onError` may be called.
 */
import type { Duplex } from "node:stream";
import type { BackendDocument } from "../store/resources.ts";
import type { AddressState } from "../telemetry/traffic/backend-counts.ts";
import type { ResponseHead, WholeResponse } from "./response-head.ts";
import type { UpstreamTrail } from "./trail.ts";

export interface UpstreamRequest {
	readonly method: string;
	/** origin-form request target (starts with `/`), exactly the bytes to send, as a latin1 string */
	readonly target: string;
	/**
	 * Header lines, each `name: value\r\n`, as a latin1 string of the bytes to send; checked by the caller. Holds
	 * `host`, no framing fields and nothing that belongs to one connection.
	 */
	readonly lines: string;
	/** more of them, which come behind those; in two pieces because many requests have the same */
	readonly more: string;
	/** none; or a stream of known (bytes) or unknown (-1, sent chunked) length */
	readonly body: RequestBody | undefined;
	/**
	 * What the client wants to change to, as the field `upgrade` is to say it; the upstream writes that line and
	 * `connection: upgrade` itself. Only for requests without body. A 101 is then told by `ResponseSink.onUpgrade`;
	 * without, it fails the request.
	 */
	readonly upgrade?: string | undefined;
	/**
	 * The backend is asked whether it wants the body, by `expect: 100-continue`, which the upstream writes: for one that
	 * `tellsContinue`. The body may begin before it says so. A connection whose backend has answered without a 100 carries
	 * no further request, for it may believe that no body follows.
	 */
	readonly expects?: Expecting | undefined;
	/** to be filled in, where somebody tells of it */
	readonly trail?: UpstreamTrail | undefined;
}

/** Who waits for the backend's word that it wants the body. */
export interface Expecting {
	/** The request's header is on its way, once for each attempt. */
	onAttempt(): void;
	/** The backend has said 100, before it had anything of the body. */
	onContinue(): void;
}

/**
 * A backend's connection that has changed its protocol. It belongs to whoever was told, has left its pool and its
 * backend's bounds once the tunnel is open, and outlives both. One of `call` and `stream` is there.
 */
export interface UpgradedBackend {
	/** for `ClientResponse.openTunnel`: the native client's; undefined once `abort` was called */
	readonly call: number | undefined;
	/** for `ClientResponse.openPortTunnel`: undici's, paused, with the bytes behind the 101 before all others */
	readonly stream: Duplex | undefined;
	/** There will be no tunnel. Does nothing once it is open. */
	abort(): void;
}

/**
 * A request's body, pulled by the upstream: it calls `start` at most once, then gets chunks and pushes back with
 * `pause`/`resume`. A chunk's memory is the caller's: an upstream that needs it after `onChunk` has returned
 * copies it. Length 0 is the same as no body: `start` is not called then. The response may be complete while the
 * body is not at its end; the upstream then takes no more of the body, and the caller drains or refuses the rest
 * that the client still sends.
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
	/** the connection broke, or the backend spoke no HTTP: 502, or a reset if the client has the header */
	| "broken"
	/** connecting, the response's header or a pause within the exchange took too long: 504 */
	| "timeout"
	/** too many requests wait for a connection: 503 */
	| "queue_full";

/**
 * Takes a response. Its `head` and chunks are the upstream's memory, valid until the sink's method returns; a sink
 * that needs them longer copies them.
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
	 * Hot. The response came in one piece: as `onResponse`, `onData` of its body unless it is empty, and `onEnd`. An
	 * implementation may always use those instead.
	 */
	onWhole(statusCode: number, whole: WholeResponse, length: number): void;
	onError(failure: UpstreamFailure, message: string): void;
	/**
	 * The backend agrees to `UpstreamRequest.upgrade`. In place of all other calls, and the last one. The answer may be
	 * given later; the backend's connection is not read until then.
	 * @param head of the 101. `passed` is without `connection` and `upgrade`, which `lines` has
	 */
	onUpgrade?(head: ResponseHead, backend: UpgradedBackend): void;
}

export interface UpstreamCall {
	/** bytes of the response that were read and that the sink has not taken yet */
	readonly heldBytes: number;
	/** the call has a connection to the backend */
	readonly holdsPlace: boolean;
	/** after `onData` returned false */
	resume(): void;
	/** The client has gone, or a policy replaced the response. Drops the connection unless the call is over. */
	abort(): void;
}

export interface Upstream {
	/** It takes requests that expect 100. */
	readonly tellsContinue?: boolean;
	/** The sink hears nothing before this method has returned. Notes the time (`telemetry/request-clock.ts`), as do the sink's heads. */
	send(request: UpstreamRequest, sink: ResponseSink): UpstreamCall;
	/** Closes idle connections at once, busy ones when their request is over. */
	close(): Promise<void>;
	/** bytes of memory that request bodies occupy on their way to the backend */
	readonly bodyBytes: number;
	/** requests that wait while every place for a connection is taken */
	readonly pressed: number;
	/** requests that have or await a connection, as a part of the connections there may be: above 1 if many wait */
	readonly occupancy: number;
	/** How each address stands. A request is told of once; not to be called after `close`. */
	takeStates(): UpstreamStates;
}

/** What becomes of a backend's requests, for metrics. */
export interface UpstreamStates {
	/** requests that wait for a connection */
	readonly waiting: number;
	readonly addresses: readonly AddressState[];
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

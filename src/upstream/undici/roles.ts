/**
 * What one call through an upstream asks of the connection that carries it and of the pool that owns it.
 * `call.ts` is written against these, `undici-upstream.ts` and `pool.ts` implement them.
 */
import type { UpstreamFailure } from "../upstream.ts";
import type { PooledCall } from "./call.ts";
import type { DeadlineList } from "./deadlines.ts";

/** What a call asks of the connection that carries it. */
export interface CallConnection {
	/** index of the address in the backend's list */
	readonly address: number;
	/** connecting took too long */
	readonly connectTimedOut: boolean;
	/** a byte of an answer to the current request has come */
	readonly sawResponseByte: boolean;
	/** the backend ended its side in good order */
	readonly endedByPeer: boolean;
	/** bytes that its socket was given and the kernel has not taken */
	readonly unsentBytes: number;
	/** @returns true if the connection has carried a request before */
	beginRequest(): boolean;
	/** the request is over, however it ended */
	endRequest(): void;
	/** the request under way is about to be aborted */
	renew(): void;
	/** back-pressure: nothing is read while paused */
	pauseReading(): void;
	resumeReading(): void;
}

/** What a call asks of its pool. */
export interface CallOwner {
	readonly addressCount: number;
	readonly connectDeadlines: DeadlineList;
	readonly responseDeadlines: DeadlineList;
	readonly idleDeadlines: DeadlineList;
	readonly idleTimeoutMs: number;
	/** the call no longer uses its connection */
	release(connection: CallConnection): void;
	/** forget a call that waits for a connection */
	withdraw(call: PooledCall): void;
	/** find another connection; called outside of any undici callback */
	retry(call: PooledCall): void;
	attemptFailed(failure: UpstreamFailure, address: number, message: string): void;
}

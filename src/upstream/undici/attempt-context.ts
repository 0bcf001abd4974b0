/**
 * What an attempt asks of the connection that carries it, and of the pool that the connection belongs to.
 * `attempt.ts` is written against these two; `undici-upstream.ts` and `pool.ts` implement them.
 */
import type { DeadlineList } from "./deadlines.ts";

/** The connection that carries an attempt. */
export interface AttemptConnection {
	/** index of the address in the backend's list */
	readonly address: number;
	/** what making it took, once it is made */
	readonly connectMs: number;
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
	/** the backend has changed its protocol: its socket is the request's, as it is; the next request gets another */
	detach(): void;
	/** the request under way is about to be aborted */
	renew(): void;
	/** back-pressure: nothing is read while paused */
	pauseReading(): void;
	resumeReading(): void;
}

/** The pool that the connection belongs to. */
export interface AttemptPool {
	readonly responseDeadlines: DeadlineList;
	readonly idleDeadlines: DeadlineList;
	readonly idleTimeoutMs: number;
	/** a fresh connection to the address brought its first answer */
	answered(address: number): void;
	/** the attempt no longer uses the connection */
	release(connection: AttemptConnection): void;
}

/**
 * One request on its way through an upstream: waits for a connection, is sent, perhaps again on another
 * one, and hands the answer to its sink. It is the handler that undici calls (the raw form, whose header
 * lines are the bytes that came), so that a request costs no further object. `upstream-pool.ts` decides
 * which connection it gets.
 *
 * Deadlines (contract 2): waiting for a connection, then each connecting, lasts at most the connect timeout.
 * The response timeout counts from the request sent to the response header. In between and afterwards the
 * idle timeout counts whenever it is the backend's turn: it takes no more of the request, or sends nothing
 * although the sink wants more.
 */
import type { Readable } from "node:stream";
import type {
	RequestBody,
	ResponseSink,
	UpstreamCall,
	UpstreamFailure,
	UpstreamRequest,
} from "./upstream.ts";
import { BodyFeed } from "./upstream-body.ts";
import { Deadline, type DeadlineList, monotonicMs } from "./upstream-deadlines.ts";
import { framing, readFraming } from "./upstream-framing.ts";
import { decideRetry, isIdempotent } from "./upstream-retry.ts";

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
	/** @returns true if the connection has carried a request before */
	beginRequest(): boolean;
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

type Phase =
	/** for a connection to be free */
	| "waiting"
	/** given to a connection, nothing sent yet */
	| "assigned"
	/** the request is being written */
	| "sending"
	/** sent; no response header yet */
	| "sent"
	/** the response header has come */
	| "responding"
	/** the whole response has come, the sink has not yet taken it */
	| "received"
	| "done";

const ABORTED = new Error("the call was aborted");
const errorCode = (error: Error & { readonly code?: unknown }): string =>
	typeof error.code === "string" ? error.code : "";

/** Errors of the request, not of the backend: it cannot be written as HTTP/1.1, or its body has another length. */
const UNSENDABLE: ReadonlySet<string> = new Set([
	"UND_ERR_INVALID_ARG",
	"UND_ERR_NOT_SUPPORTED",
	"UND_ERR_REQ_CONTENT_LENGTH_MISMATCH",
]);

export class PooledCall extends Deadline implements UpstreamCall {
	readonly request: UpstreamRequest;
	readonly idempotent: boolean;
	connection: CallConnection | undefined = undefined;
	/** addresses that must not be tried again */
	tried: Set<number> | undefined = undefined;
	/** a kept-alive connection will not do */
	wantsFresh = false;
	attempts = 0;
	readonly #owner: CallOwner;
	readonly #sink: ResponseSink;
	readonly #feed: BodyFeed | undefined;
	#phase: Phase = "waiting";
	#abortAttempt: ((error?: Error) => void) | undefined;
	/** why this side gave the attempt up */
	#givenUp: { failure: UpstreamFailure; message: string } | undefined;
	#reused = false;
	#requestSent = false;
	#untilClose = false;
	#movedAtMs = 0;
	#paused = false;
	#resumeSeen = false;
	#flushPlanned = false;
	#held: Uint8Array[] = [];

	constructor(request: UpstreamRequest, sink: ResponseSink, owner: CallOwner) {
		super();
		this.request = request;
		this.idempotent = isIdempotent(request.method);
		this.#sink = sink;
		this.#owner = owner;
		const body: RequestBody | undefined = request.body;
		this.#feed = body === undefined || body.length === 0 ? undefined : new BodyFeed(body);
	}

	get done(): boolean {
		return this.#phase === "done";
	}

	/** The body's stream for one attempt. */
	openBody(): Readable | undefined {
		return this.#feed?.open();
	}

	/** Begins an attempt over `connection`. */
	assign(connection: CallConnection): void {
		this.disarm();
		this.#phase = "assigned";
		this.connection = connection;
		this.attempts += 1;
	}

	// What the exchange calls.

	abort(): void {
		const phase = this.#phase;
		if (phase === "done") return;
		this.#finish();
		if (phase === "waiting") this.#owner.withdraw(this);
		// Not yet sent: `onConnect` or `onError` will find the call done and give the connection back.
		else this.#drop(ABORTED);
	}

	resume(): void {
		this.#resumeSeen = true;
		if (!this.#paused || this.#flushPlanned || this.#phase === "done") return;
		this.#flushPlanned = true;
		// undici's parser must not be entered from within a callback of another connection's parser.
		queueMicrotask(() => this.#flush());
	}

	// What undici calls, in this order.

	/** The request is about to be written. Throwing keeps the connection for others. */
	onConnect(abort: (error?: Error) => void): void {
		const connection = this.connection;
		if (this.#phase !== "assigned" || connection === undefined) throw ABORTED;
		this.#abortAttempt = abort;
		this.#phase = "sending";
		this.#requestSent = false;
		this.#reused = connection.beginRequest();
		if (this.#feed !== undefined) this.#watchIdle();
	}

	onBodySent(): void {
		this.#movedAtMs = monotonicMs();
	}

	onRequestSent(): void {
		this.#requestSent = true;
		this.#movedAtMs = monotonicMs();
		if (this.#phase !== "sending") return;
		this.#phase = "sent";
		this.#owner.responseDeadlines.arm(this);
	}

	/** Hot. The connection has taken interim responses out, but 101. */
	onHeaders(statusCode: number, headers: readonly Uint8Array[]): boolean {
		if (this.#phase !== "sending" && this.#phase !== "sent") return true;
		readFraming(this.request.method === "HEAD", statusCode, headers);
		if (framing.kind === "refused") {
			this.#giveUp("broken", "the response's framing is ambiguous");
			return true;
		}
		this.#phase = "responding";
		this.#untilClose = framing.kind === "close";
		const headRequest = this.request.method === "HEAD";
		const overAlready = framing.kind === "none" && framing.declaresBody && !headRequest;
		this.#watchIdle();
		this.#sink.onResponse(statusCode, headers, framing.length);
		// 204 and 304 end with their header. The parser would read on for what their fields announce.
		if (overAlready && !this.done) this.#endEarly();
		return true;
	}

	/** Hot. May come after a pause, for what was read before it. */
	onData(chunk: Uint8Array): boolean {
		if (this.#phase !== "responding") return true;
		this.#movedAtMs = monotonicMs();
		if (this.#paused) this.#held.push(chunk);
		else this.#deliver(chunk);
		return true;
	}

	onComplete(): void {
		const connection = this.connection;
		if (this.#phase === "responding" && this.#untilClose && connection?.endedByPeer !== true) {
			this.#giveConnectionBack();
			this.#fail("broken", "the connection broke within a response that ends with it");
			return;
		}
		this.#giveConnectionBack();
		if (this.#phase === "done") return;
		this.disarm();
		if (this.#paused) this.#phase = "received";
		else this.#end();
	}

	onError(error: Error): void {
		const connection = this.connection;
		const sent = this.#phase !== "assigned";
		const unsendable = UNSENDABLE.has(errorCode(error));
		this.disarm();
		// undici aborts by itself when a body is not as long as announced.
		if (unsendable && sent) connection?.renew();
		this.#giveConnectionBack();
		if (this.#phase === "done" || connection === undefined) return;
		const failure = this.#classify(error, sent, connection);
		const message = this.#givenUp?.message ?? describeError(error);
		this.#owner.attemptFailed(failure, connection.address, message);
		if (unsendable || !this.#again(failure, sent, connection)) this.#failLater(failure, message);
	}

	// Deadlines.

	override expire(): void {
		if (this.#phase === "waiting") {
			this.#owner.withdraw(this);
			this.#fail("timeout", "no connection to the backend became free in time");
		} else if (this.#phase === "sent") {
			this.#giveUp("timeout", "the backend did not answer in time");
		} else if (this.#phase === "sending" || this.#phase === "responding") {
			this.#checkIdle();
		}
	}

	/** Ends the call before it got a connection; never from within `send`. */
	failLater(failure: UpstreamFailure, message: string): void {
		this.#failLater(failure, message);
	}

	#watchIdle(): void {
		this.#movedAtMs = monotonicMs();
		this.#owner.idleDeadlines.arm(this);
	}

	/** Moving bytes do not touch the list; so look here how long ago the last ones moved. */
	#checkIdle(): void {
		const backendsTurn =
			!this.#paused && (this.#requestSent || this.#feed === undefined || this.#feed.pushedBack);
		if (!backendsTurn) {
			this.#watchIdle();
		} else if (monotonicMs() - this.#movedAtMs >= this.#owner.idleTimeoutMs) {
			this.#giveUp("timeout", "the backend stopped in the middle of the exchange");
		} else {
			this.#owner.idleDeadlines.arm(this);
		}
	}

	#classify(error: Error, sent: boolean, connection: CallConnection): UpstreamFailure {
		if (this.#givenUp !== undefined) return this.#givenUp.failure;
		if (sent || UNSENDABLE.has(errorCode(error))) return "broken";
		return connection.connectTimedOut ? "timeout" : "connect";
	}

	/** Gives the attempt up from this side; undici answers with `onError` before this returns. */
	#giveUp(failure: UpstreamFailure, message: string): void {
		this.#givenUp = { failure, message };
		this.#drop(new Error(message));
	}

	/** Does nothing before the request is being sent: then the connection is kept for others. */
	#drop(error: Error): void {
		const abortAttempt = this.#abortAttempt;
		if (abortAttempt === undefined) return;
		this.connection?.renew();
		abortAttempt(error);
	}

	/** @returns true if the call goes on with another attempt */
	#again(failure: UpstreamFailure, sent: boolean, connection: CallConnection): boolean {
		const decision = decideRetry({
			idempotent: this.idempotent,
			sent,
			reused: this.#reused,
			responseByte: this.#phase === "responding" || (sent && connection.sawResponseByte),
			bodyTouched: this.request.body?.touched === true,
			timedOut: sent && failure === "timeout",
			attempts: this.attempts,
			addresses: this.#owner.addressCount,
		});
		if (decision === "no") return false;
		if (decision === "fresh_connection") {
			this.wantsFresh = true;
		} else {
			this.tried ??= new Set();
			this.tried.add(connection.address);
			if (this.tried.size >= this.#owner.addressCount) return false;
		}
		this.#givenUp = undefined;
		this.#phase = "waiting";
		queueMicrotask(() => {
			if (this.#phase === "waiting") this.#owner.retry(this);
		});
		return true;
	}

	#giveConnectionBack(): void {
		const connection = this.connection;
		this.connection = undefined;
		this.#abortAttempt = undefined;
		if (connection === undefined) return;
		connection.endRequest();
		this.#owner.release(connection);
	}

	/** Hot. */
	#deliver(chunk: Uint8Array): void {
		this.#resumeSeen = false;
		if (this.#sink.onData(chunk) || this.#resumeSeen || this.done) return;
		this.#paused = true;
		this.connection?.pauseReading();
	}

	#flush(): void {
		this.#flushPlanned = false;
		if (this.done) return;
		this.#paused = false;
		const held = this.#held;
		let next = 0;
		for (; next < held.length && !this.#paused && !this.done; next += 1) {
			const chunk = held[next];
			if (chunk !== undefined) this.#deliver(chunk);
		}
		this.#held = held.slice(next);
		if (this.#paused || this.done) return;
		if (this.#phase === "received") {
			this.#end();
		} else {
			this.#movedAtMs = monotonicMs();
			this.connection?.resumeReading();
		}
	}

	/** The answer is complete although the connection would go on: drop the connection. */
	#endEarly(): void {
		this.#end();
		this.#drop(ABORTED);
	}

	#end(): void {
		this.#finish();
		this.#sink.onEnd();
	}

	#fail(failure: UpstreamFailure, message: string): void {
		if (this.done) return;
		this.#finish();
		this.#sink.onError(failure, message);
	}

	#failLater(failure: UpstreamFailure, message: string): void {
		this.disarm();
		queueMicrotask(() => this.#fail(failure, message));
	}

	#finish(): void {
		this.#phase = "done";
		this.disarm();
		this.#held = [];
		this.#feed?.stop();
	}
}

/** Node's collective connect error has no message of its own. */
export const describeError = (error: Error): string => {
	if (error instanceof AggregateError) {
		return error.errors
			.map((each: unknown) => (each instanceof Error ? each.message : ""))
			.join(", ");
	}
	return error.message === "" ? errorCode(error) : error.message;
};

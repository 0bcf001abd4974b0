/**
 * One attempt of a call over one connection: the handler that undici calls (the raw form, whose header lines
 * are the bytes that came), in the order in which its methods stand here. `PooledCall` adds what happens
 * before, between and after attempts; both are one object, so that a request costs no further one.
 *
 * Deadlines (contract 2): the response timeout counts from the request sent to the response header. Before
 * and afterwards the idle timeout counts whenever it is the backend's turn: it takes no more of the request,
 * or sends nothing although the sink wants more.
 */

import type { Duplex } from "node:stream";
import { LIMITS } from "../../limits/limits.ts";
import { readTicks } from "../../telemetry/request-clock.ts";
import { Delivery } from "../delivery.ts";
import { RawResponseHead } from "../response-head.ts";
import type { RequestBody, ResponseSink, UpstreamFailure, UpstreamRequest } from "../upstream.ts";
import type { AttemptConnection, AttemptPool } from "./attempt-context.ts";
import { BodyFeed } from "./body.ts";
import { Deadline, monotonicMs } from "./deadlines.ts";
import { ABORTED, FAILURE_TEXTS, NO_UPGRADE_FIELDS } from "./errors.ts";
import { framing, holdsConnectionField, readFraming, trimValues } from "./framing.ts";
import { tellUpgrade, UpgradedStream, type UpgradeLines } from "./upgraded-stream.ts";

type Phase =
	/** waits for a connection to be free */
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
	| "received";

/** The deadline of a call: of whatever it waits for at the moment. */
class CallDeadline extends Deadline {
	readonly #call: { expire(): void };

	constructor(call: { expire(): void }) {
		super();
		this.#call = call;
	}

	override expire(): void {
		this.#call.expire();
	}
}

export abstract class Attempt extends Delivery {
	readonly deadline: Deadline = new CallDeadline(this);
	readonly request: UpstreamRequest;
	protected readonly pool: AttemptPool;
	protected readonly feed: BodyFeed | undefined;
	protected connection: AttemptConnection | undefined = undefined;
	protected phase: Phase = "waiting";
	/** why the attempt was given up before undici reported an error */
	protected givenUp: { failure: UpstreamFailure; message: string } | undefined = undefined;
	/** the connection had carried a request before */
	protected reused = false;
	#abortAttempt: ((error?: Error) => void) | undefined;
	#requestSent = false;
	#untilClose = false;
	#movedAtMs = 0;

	constructor(request: UpstreamRequest, sink: ResponseSink, pool: AttemptPool) {
		super(sink);
		this.request = request;
		this.pool = pool;
		const body: RequestBody | undefined = request.body;
		this.feed = body === undefined || body.length === 0 ? undefined : new BodyFeed(body);
	}

	/** The call's deadline has passed. */
	abstract expire(): void;
	/** Says which way the request has come. */
	protected abstract tellTrail(): void;
	/** The attempt failed; the call decides what comes next. */
	abstract onError(error: Error): void;
	protected abstract fail(failure: UpstreamFailure, message: string): void;

	/** The request is about to be written. Throwing keeps the connection for others. */
	onConnect(abort: (error?: Error) => void): void {
		const { connection } = this;
		if (this.done || this.phase !== "assigned" || connection === undefined) throw ABORTED;
		this.#abortAttempt = abort;
		this.phase = "sending";
		this.#requestSent = false;
		this.reused = connection.beginRequest();
		if (this.feed !== undefined) this.#watchIdle();
	}

	onBodySent(): void {
		this.#movedAtMs = monotonicMs();
	}

	onRequestSent(): void {
		this.#requestSent = true;
		this.#movedAtMs = monotonicMs();
		if (this.done || this.phase !== "sending") return;
		this.phase = "sent";
		this.pool.responseDeadlines.arm(this.deadline);
	}

	/** Hot. The connection has taken interim responses out, but 101. */
	onHeaders(statusCode: number, headers: Uint8Array[]): boolean {
		if (this.done || (this.phase !== "sending" && this.phase !== "sent")) return true;
		if (statusCode < 200) {
			const isAsked = this.request.upgrade !== undefined;
			this.giveUp("broken", isAsked ? NO_UPGRADE_FIELDS : FAILURE_TEXTS.upgraded);
			return true;
		}
		const headRequest = this.request.method === "HEAD";
		readFraming(headRequest, statusCode, headers);
		if (framing.kind === "refused") {
			this.giveUp("broken", "the response's framing is ambiguous");
			return true;
		}
		if (headers.length > 2 * LIMITS.responseHeaderLines) {
			this.giveUp("broken", "the response's header has more lines than the bound");
			return true;
		}
		trimValues(headers);
		const head = RawResponseHead.from(headers);
		if (head === undefined || statusCode > 999) {
			this.giveUp("broken", "the response's header is none that HTTP allows");
			return true;
		}
		const overAlready = framing.kind === "none" && framing.declaresBody && !headRequest;
		this.phase = "responding";
		this.#untilClose = framing.kind === "close";
		this.#watchIdle();
		if (!this.reused && this.connection !== undefined) this.pool.answered(this.connection.address);
		readTicks();
		this.tellTrail();
		this.sink?.onResponse(statusCode, head, framing.length);
		// 204 and 304 end with their header. The parser would read on for what their fields announce.
		if (overAlready && !this.done) {
			this.#end();
			this.drop(ABORTED);
		}
		return true;
	}

	/** The backend agrees to an upgrade, and the library has let go of the socket. @param headers as raw as in `onHeaders` */
	onUpgrade(_statusCode: number, headers: UpgradeLines, socket: Duplex): void {
		const { connection } = this;
		connection?.detach();
		if (!this.reused && connection !== undefined) this.pool.answered(connection.address);
		this.tellTrail();
		this.giveConnectionBack();
		tellUpgrade(this.finish(), headers, new UpgradedStream(socket));
	}

	/** Hot. May come while the sink pushes back, for what was read before. */
	onData(chunk: Uint8Array): boolean {
		if (this.done || this.phase !== "responding") return true;
		this.#movedAtMs = monotonicMs();
		this.deliver(chunk);
		return true;
	}

	/**
	 * Hot.
	 * @param trailers as raw as the header lines, whatever the library's types say; dropped
	 */
	onComplete(trailers: readonly (Uint8Array | string)[] | null): void {
		if (trailers !== null && holdsConnectionField(trailers)) this.connection?.renew();
		const whole = !this.#untilClose || this.connection?.endedByPeer === true;
		this.giveConnectionBack();
		if (this.done) return;
		this.deadline.disarm();
		if (!whole) this.fail("broken", "the connection broke within a response that ends with it");
		else if (this.paused) this.phase = "received";
		else this.#end();
	}

	/** Bytes that move do not touch the list of deadlines; so look here how long ago the last ones did. */
	protected checkIdle(): void {
		const backendsTurn =
			!this.paused && (this.#requestSent || this.feed === undefined || this.feed.pushedBack);
		if (!backendsTurn) {
			this.#watchIdle();
		} else if (monotonicMs() - this.#movedAtMs >= this.pool.idleTimeoutMs) {
			this.giveUp("timeout", FAILURE_TEXTS.stopped);
		} else {
			this.pool.idleDeadlines.arm(this.deadline);
		}
	}

	/** Gives the attempt up although undici reported no error; undici calls `onError` before this returns. */
	protected giveUp(failure: UpstreamFailure, message: string): void {
		this.givenUp = { failure, message };
		this.drop(new Error(message));
	}

	/** Does nothing before the request is being sent: then the connection is kept for others. */
	protected drop(error: Error): void {
		const abortAttempt = this.#abortAttempt;
		if (abortAttempt === undefined) return;
		this.connection?.renew();
		abortAttempt(error);
	}

	protected giveConnectionBack(): void {
		const { connection } = this;
		this.connection = undefined;
		this.#abortAttempt = undefined;
		if (connection === undefined) return;
		connection.endRequest();
		this.pool.release(connection);
	}

	protected override onPause(): void {
		this.connection?.pauseReading();
	}

	protected override onFlushed(): void {
		if (this.phase === "received") {
			this.#end();
			return;
		}
		this.#movedAtMs = monotonicMs();
		this.connection?.resumeReading();
	}

	/** A parser must not be entered from within a callback of another connection's parser. */
	protected override get resumesAtOnce(): boolean {
		return false;
	}

	protected override finish(): ResponseSink | undefined {
		this.deadline.disarm();
		this.feed?.stop();
		return super.finish();
	}

	#end(): void {
		this.finish()?.onEnd();
	}

	#watchIdle(): void {
		this.#movedAtMs = monotonicMs();
		this.pool.idleDeadlines.arm(this.deadline);
	}
}

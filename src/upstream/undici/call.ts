/**
 * One request on its way through an upstream: waits for a connection, is sent, perhaps again on another
 * one, and hands the answer to its sink. `pool.ts` makes one for each request and decides which
 * connection it gets; `attempt.ts` has what happens on the connection. Waiting for a connection, and then each
 * connecting, lasts at most the connect timeout (contract 2).
 */
import type { Readable } from "node:stream";
import { isIdempotent } from "../request-flags.ts";
import type { ResponseSink, UpstreamCall, UpstreamFailure, UpstreamRequest } from "../upstream.ts";
import { Attempt } from "./attempt.ts";
import type { AttemptConnection, AttemptPool } from "./attempt-context.ts";
import type { DeadlineList } from "./deadlines.ts";
import { ABORTED, describeError, FAILURE_TEXTS, isUnsendable } from "./errors.ts";
import { decideRetry } from "./retry.ts";

/** What a call asks of its pool, beyond what an attempt asks. */
export interface CallPool extends AttemptPool {
	readonly addressCount: number;
	readonly connectDeadlines: DeadlineList;
	/** forget a call that waits for a connection */
	withdraw(call: PooledCall): void;
	/** find another connection; called outside of any undici callback */
	retry(call: PooledCall): void;
	attemptFailed(failure: UpstreamFailure, address: number, message: string): void;
	/** a fresh connection to the address broke before its first answer */
	addressFailed(address: number): void;
}

export class PooledCall extends Attempt implements UpstreamCall {
	declare protected readonly pool: CallPool;
	readonly idempotent: boolean;
	/** addresses that must not be tried again */
	tried: Set<number> | undefined = undefined;
	/** a kept-alive connection will not do */
	wantsFresh = false;
	#attempts = 0;

	constructor(request: UpstreamRequest, sink: ResponseSink, pool: CallPool) {
		super(request, sink, pool);
		this.idempotent = isIdempotent(request.method);
	}

	get holdsPlace(): boolean {
		return this.connection !== undefined;
	}
	/** bytes of memory that the request's body occupies */
	get bodyBytes(): number {
		return (this.feed?.bufferedBytes ?? 0) + (this.connection?.unsentBytes ?? 0);
	}

	/** Begins an attempt over `connection`. */
	assign(connection: AttemptConnection): void {
		this.deadline.disarm();
		this.phase = "assigned";
		this.connection = connection;
		this.#attempts += 1;
	}

	protected override tellTrail(): void {
		const { connection } = this;
		const connectMs = this.reused ? 0 : (connection?.connectMs ?? 0);
		this.request.trail?.came(connection?.address ?? -1, this.#attempts, connectMs);
	}

	/** The body's stream for one attempt. */
	openBody(): Readable | undefined {
		return this.feed?.open();
	}

	/**
	 * Called by the exchange. If the request is not sent yet, undici finds the call over and gives the connection
	 * back.
	 */
	override abort(): void {
		if (this.done) return;
		this.finish();
		if (this.phase === "waiting") this.pool.withdraw(this);
		else this.drop(ABORTED);
	}

	/** Ends the call, but never from within `send` or a callback of undici. */
	failLater(failure: UpstreamFailure, message: string): void {
		this.deadline.disarm();
		queueMicrotask(() => this.fail(failure, message));
	}

	override onError(error: Error): void {
		const { connection } = this;
		const sent = this.phase !== "assigned";
		const unsendable = isUnsendable(error);
		this.deadline.disarm();
		this.tellTrail();
		// undici aborts by itself when a body is not as long as announced.
		if (unsendable && sent) connection?.renew();
		this.giveConnectionBack();
		if (this.done || connection === undefined) return;
		const failure = this.#classify(unsendable, sent, connection);
		const message = this.givenUp?.message ?? describeError(error);
		const responseByte = this.phase === "responding" || (sent && connection.sawResponseByte);
		// It takes connections and answers nothing: as good as one that takes none.
		if (sent && !this.reused && !responseByte && !unsendable && failure === "broken")
			this.pool.addressFailed(connection.address);
		this.pool.attemptFailed(failure, connection.address, message);
		const again = !unsendable && this.#tryAgain(failure, sent, responseByte, connection);
		if (!again) this.failLater(failure, message);
	}

	override expire(): void {
		switch (this.phase) {
			case "waiting":
				this.pool.withdraw(this);
				this.fail("timeout", FAILURE_TEXTS.noConnection);
				break;
			case "sent":
				this.giveUp("timeout", FAILURE_TEXTS.noAnswer);
				break;
			case "sending":
			case "responding":
				this.checkIdle();
				break;
		}
	}

	protected override fail(failure: UpstreamFailure, message: string): void {
		this.finish()?.onError(failure, message);
	}

	#classify(unsendable: boolean, sent: boolean, connection: AttemptConnection): UpstreamFailure {
		if (this.givenUp !== undefined) return this.givenUp.failure;
		if (sent || unsendable) return "broken";
		return connection.connectTimedOut ? "timeout" : "connect";
	}

	/** @returns true if the call goes on with another attempt */
	#tryAgain(
		failure: UpstreamFailure,
		sent: boolean,
		responseByte: boolean,
		connection: AttemptConnection,
	): boolean {
		const decision = decideRetry({
			idempotent: this.idempotent,
			sent,
			reused: this.reused,
			responseByte,
			bodyTouched: this.request.body?.touched === true,
			timedOut: sent && failure === "timeout",
			attempts: this.#attempts,
			addresses: this.pool.addressCount,
		});
		if (decision === "no") return false;
		if (decision === "fresh_connection") {
			this.wantsFresh = true;
		} else {
			this.tried ??= new Set();
			this.tried.add(connection.address);
			if (this.tried.size >= this.pool.addressCount) return false;
		}
		this.givenUp = undefined;
		this.phase = "waiting";
		queueMicrotask(() => {
			if (!this.done) this.pool.retry(this);
		});
		return true;
	}
}

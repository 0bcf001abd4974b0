/**
 * One request on its way through an upstream: waits for a connection, is sent, perhaps again on another
 * one, and hands the answer to its sink. `pool.ts` makes one per request and decides which
 * connection it gets; `attempt.ts` has what happens on it. Waiting for a connection, and then each
 * connecting, lasts at most the connect timeout (contract 2).
 */
import type { Readable } from "node:stream";
import type { ResponseSink, UpstreamCall, UpstreamFailure, UpstreamRequest } from "../upstream.ts";
import { Attempt } from "./attempt.ts";
import { ABORTED, describeError, isUnsendable } from "./errors.ts";
import { decideRetry, isIdempotent } from "./retry.ts";
import type { CallConnection, CallOwner } from "./roles.ts";

export class PooledCall extends Attempt implements UpstreamCall {
	readonly idempotent: boolean;
	/** addresses that must not be tried again */
	tried: Set<number> | undefined = undefined;
	/** a kept-alive connection will not do */
	wantsFresh = false;
	#attempts = 0;

	constructor(request: UpstreamRequest, sink: ResponseSink, owner: CallOwner) {
		super(request, sink, owner);
		this.idempotent = isIdempotent(request.method);
	}

	get holdsPlace(): boolean {
		return this.connection !== undefined;
	}
	/** bytes of memory that its request's body has */
	get bodyBytes(): number {
		return (this.feed?.bufferedBytes ?? 0) + (this.connection?.unsentBytes ?? 0);
	}

	/** Begins an attempt over `connection`. */
	assign(connection: CallConnection): void {
		this.disarm();
		this.phase = "assigned";
		this.connection = connection;
		this.#attempts += 1;
	}

	/** The body's stream for one attempt. */
	openBody(): Readable | undefined {
		return this.feed?.open();
	}

	/** Called by the exchange. Not yet sent: undici finds the call done and gives the connection back. */
	abort(): void {
		if (this.done) return;
		this.finish();
		if (this.phase === "waiting") this.owner.withdraw(this);
		else this.drop(ABORTED);
	}

	/** Ends the call, but never from within `send` or a callback of undici. */
	failLater(failure: UpstreamFailure, message: string): void {
		this.disarm();
		queueMicrotask(() => this.fail(failure, message));
	}

	override onError(error: Error): void {
		const { connection } = this;
		const sent = this.phase !== "assigned";
		const unsendable = isUnsendable(error);
		this.disarm();
		// undici aborts by itself when a body is not as long as announced.
		if (unsendable && sent) connection?.renew();
		this.giveConnectionBack();
		if (this.done || connection === undefined) return;
		const failure = this.#classify(unsendable, sent, connection);
		const message = this.givenUp?.message ?? describeError(error);
		this.owner.attemptFailed(failure, connection.address, message);
		if (unsendable || !this.#tryAgain(failure, sent, connection)) this.failLater(failure, message);
	}

	override expire(): void {
		switch (this.phase) {
			case "waiting":
				this.owner.withdraw(this);
				this.fail("timeout", "no connection to the backend became free in time");
				break;
			case "sent":
				this.giveUp("timeout", "the backend did not answer in time");
				break;
			case "sending":
			case "responding":
				this.checkIdle();
				break;
		}
	}

	protected override fail(failure: UpstreamFailure, message: string): void {
		if (this.done) return;
		this.finish();
		this.sink.onError(failure, message);
	}

	#classify(unsendable: boolean, sent: boolean, connection: CallConnection): UpstreamFailure {
		if (this.givenUp !== undefined) return this.givenUp.failure;
		if (sent || unsendable) return "broken";
		return connection.connectTimedOut ? "timeout" : "connect";
	}

	/** @returns true if the call goes on with another attempt */
	#tryAgain(failure: UpstreamFailure, sent: boolean, connection: CallConnection): boolean {
		const decision = decideRetry({
			idempotent: this.idempotent,
			sent,
			reused: this.reused,
			responseByte: this.phase === "responding" || (sent && connection.sawResponseByte),
			bodyTouched: this.request.body?.touched === true,
			timedOut: sent && failure === "timeout",
			attempts: this.#attempts,
			addresses: this.owner.addressCount,
		});
		if (decision === "no") return false;
		if (decision === "fresh_connection") {
			this.wantsFresh = true;
		} else {
			this.tried ??= new Set();
			this.tried.add(connection.address);
			if (this.tried.size >= this.owner.addressCount) return false;
		}
		this.givenUp = undefined;
		this.phase = "waiting";
		queueMicrotask(() => {
			if (!this.done) this.owner.retry(this);
		});
		return true;
	}
}

/**
 * A client that takes its response more slowly than the upstream sends it, as `idle-timeouts.ts` and
 * `slow-clients.ts` see it. Made by `response/response-stream.ts` when the client's socket is full for the first time.
 */
import type { Upstream } from "../../upstream/upstream.ts";
import type { Exchange } from "../exchange.ts";
import type { Waiting } from "./idle-timeouts.ts";
import { Pace, type SlowReason } from "./slow-clients.ts";

/** The response that the client reads. */
export interface ReadResponse {
	/** bytes that wait for it in memory */
	readonly heldBytes: number;
	/** bytes that the kernel has taken */
	readonly takenBytes: number;
	/** the upstream still has a connection for it */
	readonly holdsPlace: boolean;
	tooSlow(reason: SlowReason): void;
}

export class SlowReader implements Waiting {
	readonly direction = "download";
	readonly rated = true;
	readonly pace: Pace;
	lastProgressMs = 0;
	waitedSinceMs = Number.POSITIVE_INFINITY;
	readonly #exchange: Exchange;
	readonly #response: ReadResponse;
	#seenBytes: number;

	constructor(exchange: Exchange, response: ReadResponse) {
		this.#exchange = exchange;
		this.#response = response;
		this.#seenBytes = this.movedBytes;
		this.pace = new Pace(this.#seenBytes);
	}

	/** Its socket is full. */
	wait(): void {
		this.waitedSinceMs = this.lastProgressMs = performance.now();
	}

	/** It has taken all. */
	goOn(): void {
		this.waitedSinceMs = Number.POSITIVE_INFINITY;
	}

	/** Bytes that the client has received. The kernel takes many at a time, so a slow client would seem to stand still. */
	get movedBytes(): number {
		const acknowledged = this.#exchange.client.acknowledgedBytes();
		return acknowledged >= 0 ? acknowledged : this.#response.takenBytes;
	}
	get upstream(): Upstream | undefined {
		return this.#response.holdsPlace ? this.#exchange.route?.backend.upstream : undefined;
	}
	get heldBytes(): number {
		return this.#response.heldBytes;
	}
	get address(): string {
		return this.#exchange.loggedIp;
	}

	look(nowMs: number): void {
		if (this.pace.bytes > this.#seenBytes) this.lastProgressMs = nowMs;
		this.#seenBytes = this.pace.bytes;
	}

	drop(reason: SlowReason): void {
		this.#response.tooSlow(reason);
	}

	renew(): void {
		this.#exchange.client.renew();
	}

	giveUp(): void {
		this.drop("idle");
	}
}

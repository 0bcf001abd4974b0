/**
 * How long the edge waits for slow clients (contract 6, idle timeouts). uWebSockets.js gives up on a body slower
 * than 16 KiB/s and on a reader that takes nothing for 10 s, whatever the configuration says. Pausing and resuming
 * a socket restarts its clock. This is done every few seconds for clients that are waited for, so that only
 * `idle_ms` without any progress and the rates of `slow-clients.ts` count. A request that is over before the first
 * look costs no more than an entry in a set.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { BodyMemory } from "./body-memory.ts";
import type { SlowClient, SlowClients } from "./slow-clients.ts";

/** A client that is waited for. */
export interface Waiting extends SlowClient {
	/** `performance.now()` of the last byte from or to the client */
	lastProgressMs: number;
	/** Called every `LIMITS.slowLookMs`. @param nowMs `performance.now()` */
	look(nowMs: number): void;
	/** Starts the library's clock again. */
	renew(): void;
	/** Waited long enough: the request ends, and the connection with it. */
	giveUp(): void;
}

/** Looks between two renewals, less than 8 s: the library's 10 s may end then, because its clock has steps of 4 s. */
const LOOKS_PER_SWEEP = 12;

export class IdleTimeouts {
	readonly #idleMs: number;
	readonly #looksPerSweep: number;
	readonly #slowClients: SlowClients | undefined;
	readonly #memory: BodyMemory | undefined;
	readonly #waiting = new Set<Waiting>();
	#timer: NodeJS.Timeout | undefined;
	#looks = 0;

	/** @param hasClock the library's clock runs as well and is to be started again now and then */
	constructor(idleMs: number, slowClients?: SlowClients, memory?: BodyMemory, hasClock = true) {
		this.#idleMs = idleMs;
		this.#looksPerSweep = hasClock ? LOOKS_PER_SWEEP : 1;
		this.#slowClients = slowClients;
		this.#memory = memory;
	}

	add(waiting: Waiting): void {
		this.#waiting.add(waiting);
		this.#timer ??= setInterval(() => this.look(performance.now()), LIMITS.slowLookMs).unref();
	}

	delete(waiting: Waiting): void {
		this.#waiting.delete(waiting);
	}

	look(nowMs: number): void {
		for (const waiting of this.#waiting) waiting.look(nowMs);
		this.#slowClients?.look(this.#waiting, nowMs);
		this.#memory?.relax(nowMs);
		if (++this.#looks % this.#looksPerSweep === 0) this.sweep(nowMs);
		if (this.#waiting.size > 0) return;
		clearInterval(this.#timer);
		this.#timer = undefined;
	}

	sweep(nowMs: number): void {
		for (const waiting of this.#waiting) {
			if (nowMs - waiting.lastProgressMs < this.#idleMs) {
				waiting.renew();
			} else {
				this.#waiting.delete(waiting);
				waiting.giveUp();
			}
		}
	}
}

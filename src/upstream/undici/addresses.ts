/**
 * Which address of a backend gets the next attempt (contract 6): round robin, where an address that could
 * not be connected to is set aside with growing delay. When the delay is over one request is sent there to
 * see; the rest follow once it has connected. With all of them set aside the one whose failure is longest
 * ago is tried anyway, since answering 502 unasked helps nobody. Used by `pool.ts`.
 */
import { LIMITS } from "../../limits.ts";
import type { Clock } from "./deadlines.ts";

/** milliseconds; the first delay doubles with each failure up to the last */
export const SET_ASIDE_FIRST_MS = LIMITS.upstreamSetAsideFirstMs;
export const SET_ASIDE_LAST_MS = LIMITS.upstreamSetAsideLastMs;

/** `choose`: every address that is left has no room, so wait for one. */
export const WAIT = -1;
/** `choose`: every address has been tried. */
export const NONE = -2;

interface Address {
	/** consecutive failures; 0 is in service */
	failures: number;
	failedAtMs: number;
	setAsideUntilMs: number;
	/** one request is on its way to see whether it is back */
	probing: boolean;
}

export class AddressRing {
	readonly #addresses: readonly Address[];
	readonly #hasRoom: (index: number) => boolean;
	readonly #now: Clock;
	readonly #random: () => number;
	#next = 0;

	/**
	 * @param hasRoom whether the address can take a request at once
	 * @param random in [0, 1)
	 */
	constructor(
		count: number,
		hasRoom: (index: number) => boolean,
		now: Clock,
		random: () => number,
	) {
		this.#addresses = Array.from({ length: count }, () => ({
			failures: 0,
			failedAtMs: Number.NEGATIVE_INFINITY,
			setAsideUntilMs: Number.NEGATIVE_INFINITY,
			probing: false,
		}));
		this.#hasRoom = hasRoom;
		this.#now = now;
		this.#random = random;
	}

	/**
	 * Hot.
	 * @param tried indexes that must not be chosen again
	 * @returns an index, `WAIT` or `NONE`
	 */
	choose(tried: ReadonlySet<number> | undefined): number {
		const count = this.#addresses.length;
		let result = NONE;
		for (let step = 0; step < count; step += 1) {
			const index = (this.#next + step) % count;
			if (tried?.has(index) === true || !this.#inService(index)) continue;
			if (!this.#hasRoom(index)) {
				result = WAIT;
				continue;
			}
			this.#next = (index + 1) % count;
			this.#claimProbe(index);
			return index;
		}
		return result === WAIT ? WAIT : this.#leastRecentlyFailed(tried);
	}

	/** A connection was made: the address is in service again. */
	succeeded(index: number): void {
		const address = this.#addresses[index];
		if (address === undefined || address.failures === 0) return;
		address.failures = 0;
		address.probing = false;
	}

	/** No connection could be made. Many that fail together count once. */
	failed(index: number): void {
		const address = this.#addresses[index];
		if (address === undefined) return;
		const now = this.#now();
		address.failedAtMs = now;
		if (address.failures > 0 && now < address.setAsideUntilMs && !address.probing) return;
		address.failures += 1;
		address.probing = false;
		address.setAsideUntilMs = now + this.#delayMs(address.failures);
	}

	/** Half of the delay is random, so that many workers do not come back in step. */
	#delayMs(failures: number): number {
		const full = Math.min(SET_ASIDE_FIRST_MS * 2 ** (failures - 1), SET_ASIDE_LAST_MS);
		return full * (0.5 + this.#random() / 2);
	}

	#inService(index: number): boolean {
		const address = this.#addresses[index];
		if (address === undefined) return false;
		return address.failures === 0 || this.#now() >= address.setAsideUntilMs;
	}

	/** If the request that probes never tells how it went, the next may try after the same delay. */
	#claimProbe(index: number): void {
		const address = this.#addresses[index];
		if (address === undefined || address.failures === 0) return;
		address.probing = true;
		address.setAsideUntilMs = this.#now() + this.#delayMs(address.failures);
	}

	#leastRecentlyFailed(tried: ReadonlySet<number> | undefined): number {
		let best = NONE;
		let bestMs = Number.POSITIVE_INFINITY;
		for (const [index, { failedAtMs }] of this.#addresses.entries()) {
			if (tried?.has(index) === true || failedAtMs >= bestMs) continue;
			if (!this.#hasRoom(index)) {
				if (best === NONE) best = WAIT;
				continue;
			}
			best = index;
			bestMs = failedAtMs;
		}
		return best;
	}
}

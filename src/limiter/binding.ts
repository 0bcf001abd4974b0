/**
 * The typed face of the native counters (native/src/binding/counters.cc). JS validates here, C++ only
 * guards its memory. Called by `limiters.ts`, `counters-file.ts` and process/worker/worker-counters.ts.
 */
import { LIMITS } from "../limits/limits.ts";
import {
	addon,
	type CountersStatistics,
	type LimiterBounds,
	type ManualClock,
} from "../native-addon.ts";
import type { KeyPart, LimiterTotals, Purpose, Room } from "../policy/admission.ts";

/** What `openCounters` says is wrong with a file, and `ERR_COUNTERS_SYSTEM` for what the system refused. */
const CODES = [
	"ERR_COUNTERS_FOREIGN",
	"ERR_COUNTERS_LAYOUT",
	"ERR_COUNTERS_DAMAGED",
	"ERR_COUNTERS_SYSTEM",
] as const;
export type CountersErrorCode = (typeof CODES)[number];

export class CountersError extends Error {
	override readonly name = "CountersError";
	readonly code: CountersErrorCode;

	constructor(code: CountersErrorCode, message: string) {
		super(message);
		this.code = code;
	}
}

export interface CountersOptions {
	/** without one: memory of this object's own, which nobody shares */
	readonly path?: string;
	/** makes the file if there is none, and puts it in order if nobody else has it open */
	readonly owner?: boolean;
	/** the largest it may grow to */
	readonly bytesMax?: number;
	readonly clock?: ManualClock;
}

/** The addon refuses to open a limiter beyond them. */
const BOUNDS: LimiterBounds = {
	capacityMax: LIMITS.capacityMax,
	windowMaxMs: LIMITS.rateMaxMs,
	keysMax: LIMITS.keysPerRateLimitMax,
	keyPartsMax: LIMITS.bucketKeyElements,
};

const PURPOSES = addon.decisionPurposes;

/** Written to by C++ in each `decide`; those who want to keep it copy it. */
class SharedRoom implements Room {
	readonly #words = new Int32Array(addon.decision);
	readonly #remainingAt = addon.decisionLayout.remaining;
	readonly #freesAt = addon.decisionLayout.freesMs;

	get remaining(): number {
		return this.#words[this.#remainingAt] ?? 0;
	}
	get freesMs(): number {
		return this.#words[this.#freesAt] ?? 0;
	}
}
const ROOM: Room = new SharedRoom();

/** No handle at all: those of closed limiters are used again. */
const CLOSED = -1;

/** One limiter, opened. To be used until it is closed, which throws `TypeError` later; its counts outlive it. */
export class NativeLimiter {
	#handle: number;

	constructor(handle: number) {
		this.#handle = handle;
	}

	get handle(): number {
		return this.#handle;
	}

	/**
	 * Hot: one native call, no allocation; a spread would allocate. Where there are more than four parts, those
	 * that a limiter never has count as absent. @returns 0, or the milliseconds to wait (1…windowMs)
	 */
	admit(parts: readonly KeyPart[]): number {
		const handle = this.#handle;
		const p = parts;
		switch (p.length) {
			case 0:
				return addon.admit(handle);
			case 1:
				return addon.admit(handle, p[0]);
			case 2:
				return addon.admit(handle, p[0], p[1]);
			case 3:
				return addon.admit(handle, p[0], p[1], p[2]);
			case 4:
				return addon.admit(handle, p[0], p[1], p[2], p[3]);
			default:
				return addon.admit(handle, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9]);
		}
	}

	/** As `admit`, for several at once; hot. @param cost from 1 to what it was opened with */
	decide(purpose: Purpose, cost: number, parts: readonly KeyPart[]): number {
		const p = parts;
		const [handle, why] = [this.#handle, PURPOSES[purpose]];
		switch (p.length) {
			case 0:
				return addon.decide(handle, why, cost);
			case 1:
				return addon.decide(handle, why, cost, p[0]);
			case 2:
				return addon.decide(handle, why, cost, p[0], p[1]);
			default:
				return addon.decide(handle, why, cost, ...p);
		}
	}

	get room(): Room {
		return ROOM;
	}

	/** Forgets what a key has used. @returns false if there was nothing */
	forget(parts: readonly KeyPart[]): boolean {
		return addon.forgetKey(this.#handle, ...parts);
	}

	/** What all processes have reported. */
	totals(): LimiterTotals {
		return addon.limiterTotals(this.#handle);
	}

	close(): void {
		addon.closeLimiter(this.#handle);
		this.#handle = CLOSED;
	}
}

/** A counters file, mapped; or memory in its place. Everything is closed with it. */
export class Counters {
	readonly #handle: number;

	/** @throws CountersError */
	constructor({
		path = "",
		owner = false,
		bytesMax = LIMITS.countersBytes,
		clock,
	}: CountersOptions) {
		try {
			this.#handle = addon.openCounters(path, owner, bytesMax, BOUNDS, clock);
		} catch (error) {
			const { code, message } = error as NodeJS.ErrnoException;
			const known = CODES.find((one) => one === code);
			throw known === undefined ? error : new CountersError(known, message);
		}
	}

	/**
	 * @param identity text; with the numbers it makes the limiter: equal ones share their counts
	 * @param capacity @param windowMs @param keysMax from 1 to their bounds in `LIMITS`
	 * @param costMax the most admissions that one request may be worth, up to the capacity
	 * @returns undefined if there is no room for another limiter
	 */
	open(
		identity: string,
		capacity: number,
		windowMs: number,
		keysMax: number,
		costMax = 1,
	): NativeLimiter | undefined {
		return this.#opened(identity, capacity, windowMs, keysMax, costMax, true);
	}

	/** As `open`, but undefined if no process has opened one of this identity. */
	find(
		identity: string,
		capacity: number,
		windowMs: number,
		keysMax: number,
		costMax = 1,
	): NativeLimiter | undefined {
		return this.#opened(identity, capacity, windowMs, keysMax, costMax, false);
	}

	#opened(...given: [string, number, number, number, number, boolean]): NativeLimiter | undefined {
		const handle = addon.openLimiter(this.#handle, ...given);
		return handle < 0 ? undefined : new NativeLimiter(handle);
	}

	/** Adds what was decided here to the totals that all share; about 10 ns a limiter. Every `LIMITS.limiterReportMs`. */
	report(): void {
		addon.reportLimiters(this.#handle);
	}

	/**
	 * Says that the limiters opened here are in use, so that nobody collects them; all of them, or one of
	 * several parts, about a microsecond each. Every `LIMITS.limiterTouchMs`.
	 */
	touch(part = 0, parts = 1): void {
		addon.touch(this.#handle, part, parts);
	}

	/**
	 * Collects the space of limiters that nobody has touched for their window and two minutes more. Of
	 * all who have the file open one does it. @param cells about how many to look at before returning
	 * @returns false if there is more to do
	 */
	collect(cells: number): boolean {
		return addon.collect(this.#handle, cells);
	}

	/** Looks at every limiter there is: a millisecond for 10,000. */
	statistics(): CountersStatistics {
		return addon.statistics(this.#handle);
	}

	/** errno of this object's last attempt to make the file larger, if it failed; else 0 */
	get growthError(): number {
		return addon.growthError(this.#handle);
	}

	/** Only with a clock of its own. */
	setClock(bootMs: number): void {
		addon.setClock(this.#handle, bootMs);
	}

	close(): void {
		addon.closeCounters(this.#handle);
	}
}

/**
 * The reference model of rate-limits (contract 5): the exact sliding log over a clock that whoever asks sets. Bounded by
 * the number of requests that a test may send. Used by `run-tests.ts`; live traffic is counted by `limiter/`.
 */
import type {
	KeyPart,
	Purpose,
	RateLimiter,
	RateLimiters,
	RateLimitIdentity,
} from "../admission.ts";

/** Milliseconds. */
export type Clock = () => number;

/** Those of one millisecond share an entry. */
interface Admission {
	readonly atMs: number;
	cost: number;
}

function note(admissions: Admission[], atMs: number, cost: number): void {
	const latest = admissions.at(-1);
	if (latest?.atMs === atMs) latest.cost += cost;
	else admissions.push({ atMs, cost });
}

class ModelLimiter implements RateLimiter {
	readonly room = { remaining: 0, freesMs: 0 };
	readonly #capacity: number;
	readonly #windowMs: number;
	readonly #clock: Clock;
	readonly #buckets = new Map<string, Admission[]>();

	constructor({ capacity, windowMs }: RateLimitIdentity, clock: Clock) {
		this.#capacity = capacity;
		this.#windowMs = windowMs;
		this.#clock = clock;
	}

	admit(parts: readonly KeyPart[]): number {
		return this.decide("charge", 1, parts);
	}

	decide(purpose: Purpose, cost: number, parts: readonly KeyPart[]): number {
		const now = this.#clock();
		const key = JSON.stringify(parts.map((part) => part ?? null));
		const young = (this.#buckets.get(key) ?? []).filter(({ atMs }) => now - atMs < this.#windowMs);
		const used = young.reduce((sum, each) => sum + each.cost, 0);
		const isAdmitted = used + cost <= this.#capacity;
		if (purpose === "force" || (purpose === "charge" && isAdmitted)) note(young, now, cost);
		this.#buckets.set(key, young);
		const left = young.reduce((sum, each) => sum - each.cost, this.#capacity);
		this.room.remaining = Math.max(0, left);
		this.room.freesMs = young[0] === undefined ? 0 : young[0].atMs + this.#windowMs - now;
		if (isAdmitted || purpose === "force") return 0;
		return this.#waitMs(young, used + cost - this.#capacity, now);
	}

	/** @param excess admissions that have to leave the window before there is room */
	#waitMs(young: readonly Admission[], excess: number, now: number): number {
		let left = excess;
		for (const { atMs, cost } of young) {
			left -= cost;
			if (left <= 0) return atMs + this.#windowMs - now;
		}
		return this.#windowMs;
	}
}

export class ModelLimiters implements RateLimiters {
	readonly #clock: Clock;
	readonly #limiters = new Map<string, ModelLimiter>();

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	open(identity: RateLimitIdentity): RateLimiter {
		const name = JSON.stringify([identity.configuration, identity.ordinal]);
		const known = this.#limiters.get(name);
		if (known !== undefined) return known;
		const limiter = new ModelLimiter(identity, this.#clock);
		this.#limiters.set(name, limiter);
		return limiter;
	}

	/** All of it is gone with the test. */
	release(_identity: RateLimitIdentity): void {}
}

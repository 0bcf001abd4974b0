/**
 * What the rate-limits of one route have counted, by series of `/metrics`. A limit whose capacity is changed is another one
 * to the counters, with counts of its own, and goes on where it was when it comes back, while its series is the same: so
 * what each limit has counted since it was last looked at is added to the series that it belongs to, which never goes
 * back. Kept by `limit-metrics.ts`.
 */
import { nameOf } from "../../limiter/limiters.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { CountedLimits, LimiterTotals, RateLimitIdentity } from "../../policy/admission.ts";

/** Requests. */
type Counted = Omit<LimiterTotals, "live">;
type Growing = { -readonly [Name in keyof Counted]: Counted[Name] };

/** As it was when it was looked at last. */
interface Seen extends Growing {
	readonly identity: RateLimitIdentity;
	/** where it counts */
	series: string;
}

export class LimitSums {
	/** by the names that limits have in the counters; former ones come first */
	readonly #seen = new Map<string, Seen>();
	readonly #sums = new Map<string, Growing>();
	/** how many of those that were seen are not former ones */
	#now = 0;

	/** Of one series; undefined: no request has come to its limits. */
	of(series: string): Counted | undefined {
		return this.#sums.get(series);
	}

	/** By series: what it has beyond what its limits of now have counted, in all. */
	get former(): ReadonlyMap<string, Counted> {
		const left = new Map(Array.from(this.#sums, ([series, sum]) => [series, { ...sum }]));
		const seen = [...this.#seen.values()];
		for (const { series, admitted, rejected } of seen.slice(seen.length - this.#now)) {
			const sum = left.get(series);
			if (sum === undefined) continue;
			sum.admitted -= admitted;
			sum.rejected -= rejected;
		}
		return left;
	}

	/**
	 * Of former limits, too: workers tell what they have counted a moment later.
	 * @param limits of the policy as it is, with their series
	 */
	look(
		limits: Iterable<{ readonly identity: RateLimitIdentity; readonly series: string }>,
		counts: CountedLimits,
	): void {
		this.#now = 0;
		for (const { identity, series } of limits) {
			const name = nameOf(identity);
			const seen = this.#seen.get(name) ?? { identity, series, admitted: 0, rejected: 0 };
			seen.series = series;
			this.#seen.delete(name);
			this.#seen.set(name, seen);
			this.#now++;
		}
		this.#forget(this.#seen.size - this.#now - LIMITS.formerLimitsOfRoute);
		for (const seen of this.#seen.values())
			counts.look(seen.identity, (counted) => this.#add(seen, counted.totals()));
	}

	#add(seen: Seen, { admitted, rejected }: Counted): void {
		const sum = this.#sums.get(seen.series) ?? { admitted: 0, rejected: 0 };
		this.#sums.set(seen.series, sum);
		sum.admitted += grown(admitted, seen.admitted);
		sum.rejected += grown(rejected, seen.rejected);
		Object.assign(seen, { admitted, rejected });
	}

	/** @param many of the former ones; series that had no others are forgotten with them */
	#forget(many: number): void {
		if (many <= 0) return;
		for (const name of [...this.#seen.keys()].slice(0, many)) this.#seen.delete(name);
		const left = new Set(Array.from(this.#seen.values(), ({ series }) => series));
		for (const series of this.#sums.keys()) if (!left.has(series)) this.#sums.delete(series);
	}
}

/** The counters forget a limit that nobody asks for long, and then it begins anew. */
const grown = (now: number, before: number): number => (now < before ? now : now - before);

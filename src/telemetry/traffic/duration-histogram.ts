/**
 * Counts durations in buckets whose width grows with them: four to each power of two, so that a quantile is at most an
 * eighth off. The bucket of a duration is found with a few operations on integers. Filled by `worker-traffic.ts` and,
 * with the sums of all workers, by `traffic-totals.ts`.
 */

const STEPS_BITS = 2;
const STEPS = 1 << STEPS_BITS;
/** greatest power of two, in units */
const POWERS = 30;
const DURATION_BUCKETS = POWERS * STEPS;
const UNITS_MAX = 2 ** (POWERS + 1) - 1;

/** What a `DurationHistogram` has counted since it was last asked: pairs of bucket and count. */
export interface DurationChange {
	readonly seconds: number;
	readonly counts: readonly number[];
}

export class DurationHistogram {
	/** nanoseconds that are told apart at the short end */
	readonly unitNs: number;
	readonly counts = new Float64Array(DURATION_BUCKETS);
	/** nanoseconds of all; in an array, where a sum is stored without a new object */
	readonly #sum = new Float64Array(1);

	constructor(unitNs: number) {
		this.unitNs = unitNs;
	}

	/** Hot. @param times so many of this length */
	observe(nanoseconds: number, times = 1): void {
		const units = nanoseconds / this.unitNs;
		const bucket = bucketOf(units > UNITS_MAX ? UNITS_MAX : units | 0);
		this.counts[bucket] = (this.counts[bucket] ?? 0) + times;
		this.#sum[0] = (this.#sum[0] ?? 0) + nanoseconds * times;
	}

	get seconds(): number {
		return this.nanoseconds / 1e9;
	}

	/** of all, to the last bit */
	get nanoseconds(): number {
		return this.#sum[0] ?? 0;
	}

	/** Adds to these, for durations whose counts are added without. */
	lasted(nanoseconds: number): void {
		this.#sum[0] = this.nanoseconds + nanoseconds;
	}

	get count(): number {
		return this.counts.reduce((sum, count) => sum + count, 0);
	}

	/** What was counted since the last call. */
	take(): DurationChange {
		const counts: number[] = [];
		for (let bucket = 0; bucket < DURATION_BUCKETS; bucket++) {
			const count = this.counts[bucket] ?? 0;
			if (count > 0) counts.push(bucket, count);
		}
		const { seconds } = this;
		this.counts.fill(0);
		this.#sum[0] = 0;
		return { seconds, counts };
	}

	add({ seconds, counts }: DurationChange): void {
		for (let at = 0; at + 1 < counts.length; at += 2) {
			const bucket = counts[at] ?? 0;
			this.counts[bucket] = (this.counts[bucket] ?? 0) + (counts[at + 1] ?? 0);
		}
		this.#sum[0] = (this.#sum[0] ?? 0) + seconds * 1e9;
	}

	/** Seconds below which lies this part (0 to 1) of all; 0 if there are none. */
	quantile(part: number): number {
		const { count } = this;
		let below = 0;
		for (const [bucket, own] of this.counts.entries()) {
			if (own > 0 && below + own >= part * count) {
				const from = lowerUnits(bucket);
				const within = Math.max(part * count - below, 0) / own;
				return ((from + (lowerUnits(bucket + 1) - from) * within) * this.unitNs) / 1e9;
			}
			below += own;
		}
		return 0;
	}

	/**
	 * For Prometheus: how many were shorter than each power of two of the unit, from the first to the last of `powers`.
	 * @returns seconds and how many
	 */
	*cumulative(from: number, to: number): Generator<readonly [seconds: number, count: number]> {
		let count = 0;
		let bucket = 0;
		for (let power = from; power <= to; power++) {
			for (const end = bucketOf(2 ** power); bucket < end; bucket++) {
				count += this.counts[bucket] ?? 0;
			}
			yield [(2 ** power * this.unitNs) / 1e9, count];
		}
	}
}

/** Hot. @param units whole */
function bucketOf(units: number): number {
	if (units < STEPS) return units;
	const power = 31 - Math.clz32(units);
	return ((power - 1) << STEPS_BITS) + ((units >>> (power - STEPS_BITS)) & (STEPS - 1));
}

/** The least that a bucket counts. */
function lowerUnits(bucket: number): number {
	if (bucket < STEPS) return bucket;
	const power = (bucket >> STEPS_BITS) + 1;
	return (STEPS + (bucket & (STEPS - 1))) * 2 ** (power - STEPS_BITS);
}

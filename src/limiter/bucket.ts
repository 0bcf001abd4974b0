/**
 * The log of one key: `reference.ts` with bounded memory. Made and asked by `bucket-table.ts`.
 *
 * Equal milliseconds share an entry, so the log is exact while at most `LIMITS.bucketEntries` distinct ones lie
 * in the window, hence always where the capacity is no larger. Beyond that, entries are joined into
 * blocks of B = ⌈capacity / `LIMITS.bucketBlocks`⌉ consecutive admissions that carry the stamp of the newest:
 *
 * - Never over: a stamp is only ever raised, so an admission counts at least as long as it should.
 * - Hardly under: blocks expire in order, so only the oldest one present can hold admissions that are
 *   older than the window, at most B−1. A rejection means that at least capacity − B + 1 requests
 *   were admitted in the last window.
 * - Bounded: joining leaves at most `bucketBlocks` entries, so that one pass over `bucketEntries` is
 *   paid for by the `bucketEntries − bucketBlocks` admissions before the next: O(1) amortised.
 *
 * Cuts stay aligned from one joining to the next: every block but the newest holds exactly B (blocks
 * of one run are one entry of k·B), and the newest is filled up first.
 */
import { LIMITS } from "../limits.ts";

export class Bucket {
	/** its hash in the table */
	readonly key: string;
	#stamps: number[];
	#counts: number[];
	#total = 1;

	/** neighbours in the table's list, or place in one of its heaps; the table's business */
	older: Bucket | undefined;
	newer: Bucket | undefined;
	heapIndex = -1;
	standing: "listed" | "limited" | "released" = "listed";

	/** A bucket begins with its first admission: no array of an ordinary key is longer than it must. */
	constructor(key: string, nowMs: number) {
		this.key = key;
		this.#stamps = [nowMs];
		this.#counts = [1];
	}

	/** ms, boot clock: when it last admitted */
	get newest(): number {
		return this.#stamps.at(-1) ?? Number.NEGATIVE_INFINITY;
	}

	/** ms, boot clock: the oldest entry still kept */
	get oldest(): number {
		return this.#stamps[0] ?? Number.NEGATIVE_INFINITY;
	}

	/** admissions counted, those included that expired since the last `expire` */
	get total(): number {
		return this.#total;
	}

	/** entries in memory, 16 bytes each */
	get entries(): number {
		return this.#stamps.length;
	}

	/** Lets go of what is at least a window old. Hot. */
	expire(nowMs: number, windowMs: number): void {
		let gone = 0;
		while (gone < this.#stamps.length && nowMs - (this.#stamps[gone] ?? 0) >= windowMs) {
			this.#total -= this.#counts[gone] ?? 0;
			gone += 1;
		}
		if (gone === 0) return;
		this.#stamps.copyWithin(0, gone);
		this.#counts.copyWithin(0, gone);
		this.#stamps.length -= gone;
		this.#counts.length -= gone;
	}

	/** Counts one admission; `nowMs` is never before `newest`. Hot. */
	count(nowMs: number, capacity: number): void {
		this.#total += 1;
		const last = this.#stamps.length - 1;
		if (last >= 0 && this.#stamps[last] === nowMs) {
			this.#counts[last] = (this.#counts[last] ?? 0) + 1;
			return;
		}
		if (this.#stamps.length === LIMITS.bucketEntries) {
			this.#join(Math.ceil(capacity / LIMITS.bucketBlocks));
		}
		this.#stamps.push(nowMs);
		this.#counts.push(1);
	}

	/** Rewrites the log as blocks of `size` admissions. Cold: see the head of this file for its cost. */
	#join(size: number): void {
		const stamps: number[] = [];
		const counts: number[] = [];
		/** admissions in the last entry written, while they are fewer than a block */
		let open = 0;
		for (let index = 0; index < this.#stamps.length; index++) {
			const stamp = this.#stamps[index] ?? 0;
			let left = this.#counts[index] ?? 0;
			if (open > 0) {
				const filling = Math.min(left, size - open);
				stamps[stamps.length - 1] = stamp;
				counts[counts.length - 1] = open + filling;
				open = (open + filling) % size;
				left -= filling;
			}
			// Full blocks apart from the open one: what is yet to come must not raise their stamp.
			const full = left - (left % size);
			if (full > 0) {
				stamps.push(stamp);
				counts.push(full);
			}
			if (left > full) {
				open = left - full;
				stamps.push(stamp);
				counts.push(open);
			}
		}
		this.#stamps = stamps;
		this.#counts = counts;
	}
}

/**
 * The supervisor's part in the counters: opens their file, frees the space of rate-limits that no policy has any more,
 * and measures the file for `/metrics`. Used by `serve.ts`.
 */
import { SharedCounts } from "../../limiter/counted-limits.ts";
import { type OpenedCounters, openCountersFile } from "../../limiter/counters-file.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { CountedLimits } from "../../policy/admission.ts";
import type { Log } from "../../telemetry/log.ts";
import type { PlainSnapshot } from "../../telemetry/metrics.ts";
import { HeldFile } from "./held-file.ts";

export class CountersKeeper {
	readonly #opened: OpenedCounters;
	/** undefined where workers don't share one */
	readonly #held: HeldFile | undefined;
	readonly #log: Log;
	readonly #round: NodeJS.Timeout;
	#slice: NodeJS.Immediate | undefined;
	#isMissed = false;
	#isCut = false;
	#closed = false;

	constructor(path: string, log: Log) {
		this.#log = log;
		this.#opened = openCountersFile(path);
		for (const warning of this.#opened.warnings) log.warn({ file: path }, warning);
		this.#held = this.#opened.path === undefined ? undefined : new HeldFile(this.#opened.path);
		this.#round = setInterval(() => {
			this.#reportMissing();
			if (this.#slice === undefined) this.#collect();
		}, LIMITS.countersCollectMs).unref();
	}

	/**
	 * For the workers: the file that was opened here, even if its name is gone by the time they start or
	 * is another file's; null: each counts in its own memory.
	 */
	get path(): string | null {
		return this.#held?.path ?? null;
	}

	/** The workers' counts, not the supervisor's: nothing if they don't share them, or not any more. */
	metrics(): PlainSnapshot {
		if (this.#opened.path === undefined || this.#isLost()) return {};
		const { limiters, live, evicted, full, bytes } = this.#opened.counters.statistics();
		return {
			weir_rate_limits: limiters,
			weir_rate_limit_live_keys: live,
			weir_rate_limit_evicted_keys_total: evicted,
			weir_rate_limit_full_total: full,
			weir_counters_bytes: bytes,
		};
	}

	/** What all workers have counted; undefined if they don't count together, or not any more. @param keysMax as they open limits now */
	counts(keysMax: () => number): CountedLimits | undefined {
		if (this.#opened.path === undefined || this.#isLost()) return undefined;
		return new SharedCounts(this.#opened.counters, keysMax);
	}

	/** After the workers have ended. A server that is told to stop while it stops closes it again. */
	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		clearInterval(this.#round);
		if (this.#slice !== undefined) clearImmediate(this.#slice);
		this.#held?.close();
		this.#opened.close();
	}

	/** In slices, so that the API is answered in between. */
	#collect(): void {
		this.#slice = undefined;
		if (this.#isLost()) return;
		if (this.#opened.counters.collect(LIMITS.countersCellsPerSlice)) return;
		this.#slice = setImmediate(() => this.#collect());
	}

	/**
	 * Cut short: never touched again, which would end the supervisor and with it everything. What a worker
	 * touches ends that worker; it comes back and counts for itself.
	 */
	#isLost(): boolean {
		if (this.#isCut) return true;
		if (this.#held === undefined || this.#held.isWhole) return false;
		this.#isCut = true;
		this.#log.error(
			{ file: this.#opened.path },
			"the counters file was cut short: workers that use it end and count for themselves until the next start",
		);
		return true;
	}

	/** Said once: there is nothing that could be done about it while counts are in the old file. */
	#reportMissing(): void {
		if (this.#isMissed || this.#held === undefined || this.#held.isInPlace) return;
		this.#isMissed = true;
		this.#log.error(
			{ file: this.#opened.path },
			"the counters file was removed or replaced: counting goes on in it until the next start, then rate-limits begin anew",
		);
	}
}

/**
 * Rate-limits in the log's time: weir's own counters, in memory of their own, by a clock that replays set. Made by
 * `simulation.ts`, one for each policy that is simulated.
 */
import { Counters } from "../limiter/binding.ts";
import { NativeLimiters } from "../limiter/limiters.ts";
import { LIMITS } from "../limits/limits.ts";
import type { RateLimiters } from "../policy/admission.ts";
import { ReplayError } from "./replay-error.ts";

/** As if the machine had run for longer than any window when the log begins. */
const BEGIN_MS = LIMITS.rateMaxMs + 1;

export class LogClock {
	readonly limiters: RateLimiters;
	readonly #counters: Counters;
	#firstMs: number | undefined;
	#bootMs = BEGIN_MS;

	/** @param keysMax buckets of each limit, as of the weir that is replayed */
	constructor(keysMax: number) {
		const clock = { bootMs: BEGIN_MS, wallMs: BEGIN_MS, boot: 1 };
		this.#counters = new Counters({ clock });
		this.limiters = new NativeLimiters({
			counters: this.#counters,
			keysMax,
			onNoRoom: () => {
				throw new ReplayError(
					"there is no memory for the rate-limits of all routes: replay some of them, with --route",
				);
			},
		});
	}

	/** It never goes back: what comes late is counted when it comes. @param wallMs milliseconds since 1970 */
	set(wallMs: number): void {
		this.#firstMs ??= wallMs;
		const bootMs = BEGIN_MS + wallMs - this.#firstMs;
		if (bootMs <= this.#bootMs) return;
		this.#bootMs = bootMs;
		this.#counters.setClock(bootMs);
	}

	/** keys that were forgotten before they expired, because there were more than `keysMax` */
	get evicted(): number {
		return this.#counters.statistics().evicted;
	}

	close(): void {
		this.#counters.close();
	}
}

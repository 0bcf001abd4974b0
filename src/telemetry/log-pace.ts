/**
 * Thins out log lines about events that may happen a thousand times a second: one line in so many milliseconds, with
 * the number of events since the line before. Used by `http/connection-bound.ts`, `edge/slow/slow-log.ts`,
 * `edge/proxying/upstream-log.ts`, `edge/policies/expression-failures.ts` and `process/log/process-log.ts`.
 */
import { LIMITS } from "../limits/limits.ts";

export class LogPace {
	readonly #everyMs: number;
	#saidMs = Number.NEGATIVE_INFINITY;
	#unsaid = 0;

	constructor(everyMs: number) {
		this.#everyMs = everyMs;
	}

	/** It happened. @returns how often since the last line, this time included; undefined: it is too early for one */
	happened(nowMs: number): number | undefined {
		this.#unsaid += 1;
		if (nowMs - this.#saidMs < this.#everyMs) return undefined;
		const times = this.#unsaid;
		this.#saidMs = nowMs;
		this.#unsaid = 0;
		return times;
	}
}

/** The field of a line that tells of events without one. @param times as `happened` has it */
export const eventsBefore = (times: number): { readonly and_before?: number } =>
	times === 1 ? {} : { and_before: times - 1 };

/**
 * A pace for each kind of event, so that a frequent kind does not hide a rare one. Kinds beyond
 * `LIMITS.logPaces` share one pace until all kinds are forgotten, which happens once in the interval at most.
 */
export class LogPaces {
	readonly #everyMs: number;
	readonly #paces = new Map<string, LogPace>();
	readonly #shared: LogPace;
	#forgotMs = Number.NEGATIVE_INFINITY;

	constructor(everyMs: number) {
		this.#everyMs = everyMs;
		this.#shared = new LogPace(everyMs);
	}

	/** As `LogPace.happened`, of one kind. */
	happened(kind: string, nowMs: number): number | undefined {
		return this.#paceOf(kind, nowMs).happened(nowMs);
	}

	#paceOf(kind: string, nowMs: number): LogPace {
		let pace = this.#paces.get(kind);
		if (pace !== undefined) return pace;
		if (this.#paces.size >= LIMITS.logPaces) {
			if (nowMs - this.#forgotMs < this.#everyMs) return this.#shared;
			this.#forgotMs = nowMs;
			this.#paces.clear();
		}
		pace = new LogPace(this.#everyMs);
		this.#paces.set(kind, pace);
		return pace;
	}
}

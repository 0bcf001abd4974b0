/**
 * Thins out log lines about events that may happen a thousand times a second: one line in so many milliseconds, with
 * the number of events since the line before. Used by `http/connection-bound.ts` and `edge/slow/slow-log.ts`.
 */
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

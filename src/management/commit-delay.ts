/**
 * Has changes that come at a high rate wait for each other, some milliseconds, so that they are decided one right after
 * the other and share a commit, its syncs and its message to the workers: most of what a change costs is per commit
 * (PostgreSQL calls this `commit_delay`). Changes begin in groups: a group does `LIMITS.commitDelayMs` after the group
 * before it, so a change by itself never waits. It begins sooner
 * - as soon as nobody else is expected: as many wait as there were ever at once lately, waiting or begun;
 * - if a change comes right behind an answer: its client sends them one after the other, and would be slowed down.
 * A large change takes no part, so that nobody's waits for it. Used by `server.ts`.
 */
import { LIMITS } from "../limits/limits.ts";

export class CommitDelay {
	/** in the order in which they came, which is that in which they begin */
	#waiting: (() => void)[] = [];
	/** that wait, or have begun and are not answered */
	#changes = 0;
	readonly #most = new RecentMost();
	#beganMs = Number.NEGATIVE_INFINITY;
	#answeredMs = Number.NEGATIVE_INFINITY;
	#timer: NodeJS.Timeout | undefined;

	/**
	 * @param bytes of the request's body
	 * @param change is called behind all that wait, in the same turn of the event loop
	 * @throws what `change` throws
	 */
	async run<T>(bytes: number, change: () => T | Promise<T>): Promise<T> {
		if (bytes > LIMITS.commitDelayBytes) return change();
		this.#changes += 1;
		await this.#turn();
		try {
			return await change();
		} finally {
			this.#changes -= 1;
			this.#answeredMs = performance.now();
		}
	}

	#turn(): Promise<void> {
		return new Promise((resolve) => {
			this.#waiting.push(resolve);
			const now = performance.now();
			const leftMs = this.#beganMs + LIMITS.commitDelayMs - now;
			const isPrompt = now - this.#answeredMs < LIMITS.commitDelayPromptMs;
			if (this.#isWhole(now) || isPrompt || leftMs <= 0) this.#begin();
			else this.#timer ??= setTimeout(() => this.#begin(), leftMs);
		});
	}

	/** Nobody else is expected, or so many are here that more would save little. */
	#isWhole(now: number): boolean {
		const most = this.#most.with(this.#changes, now);
		return this.#waiting.length >= Math.min(most, LIMITS.commitDelayChanges);
	}

	#begin(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const begun = this.#waiting;
		this.#waiting = [];
		this.#beganMs = performance.now();
		for (const resolve of begun) resolve();
	}
}

/** The most of a number within the last `LIMITS.commitDelayLookMs`, or up to twice as long. */
class RecentMost {
	#sinceMs = 0;
	#most = 0;
	#mostBefore = 0;

	/** @returns the most, with this one */
	with(value: number, now: number): number {
		const ageMs = now - this.#sinceMs;
		if (ageMs >= LIMITS.commitDelayLookMs) {
			this.#mostBefore = ageMs < 2 * LIMITS.commitDelayLookMs ? this.#most : 0;
			this.#sinceMs = now;
			this.#most = 0;
		}
		this.#most = Math.max(this.#most, value);
		return Math.max(this.#most, this.#mostBefore);
	}
}

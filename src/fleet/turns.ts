/**
 * One thing at a time: what changes a member's place in the log, or decides by it, takes turns (live records, filling,
 * own writes, audits). Used by `follower.ts`, `fleet-queue.ts`, `audit.ts` and `snapshots.ts`.
 */
export class Turns {
	#last: Promise<unknown> = Promise.resolve();

	/** Runs when all that came before has ended, well or badly. */
	take<T>(work: () => Promise<T>): Promise<T> {
		const result = this.#last.then(work);
		this.#last = result.catch(() => undefined);
		return result;
	}
}

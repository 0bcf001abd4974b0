/**
 * One thing at a time: what changes a member's place in the log, or decides by it, takes turns (live records, filling,
 * own writes, audits). Used by `follower.ts`, `fleet-queue.ts`, `audit.ts` and `snapshots.ts`.
 */
import { FleetError } from "./fleet-error.ts";

export class Turns {
	#last: Promise<unknown> = Promise.resolve();
	#isClosed = false;

	/** Runs when all that came before has ended, well or badly. @throws FleetError there are no more turns */
	take<T>(work: () => Promise<T>): Promise<T> {
		const result = this.#last.then(() => {
			if (this.#isClosed) throw CLOSED;
			return work();
		});
		this.#last = result.catch(() => undefined);
		return result;
	}

	/** Resolves when the turn that runs has ended; no other begins. */
	async close(): Promise<void> {
		this.#isClosed = true;
		await this.#last;
	}
}

const CLOSED = new FleetError(
	"ERR_FLEET_UNAVAILABLE",
	"This machine leaves its fleet or opens it anew at this moment. Nothing was changed; try again.",
);

/**
 * Gathers the changes of one commit, so that they travel to the workers in one message, as their
 * writes shared one sync. Used by `worker-set.ts`.
 */
import type { Change } from "../../store/store.ts";

export class ChangeBatches {
	readonly #send: (changes: readonly Change[]) => Promise<void>;
	#gathering: { readonly changes: Change[]; readonly sent: Promise<void> } | undefined;

	/** @param send called once for each batch; resolves when every worker that serves has applied it */
	constructor(send: (changes: readonly Change[]) => Promise<void>) {
		this.#send = send;
	}

	/** Resolves when the batch of these changes has been applied. */
	add(changes: readonly Change[]): Promise<void> {
		if (this.#gathering !== undefined) {
			this.#gathering.changes.push(...changes);
			return this.#gathering.sent;
		}
		const batch = [...changes];
		const sent = new Promise<void>((resolve) => {
			// Behind all that goes on because the same commit has ended, which is what puts changes here.
			process.nextTick(() => {
				this.#gathering = undefined;
				resolve(this.#send(batch));
			});
		});
		this.#gathering = { changes: batch, sent };
		return sent;
	}
}

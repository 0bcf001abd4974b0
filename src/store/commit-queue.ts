/**
 * Group commit: writes that arrive in one turn of the event loop share one transaction and so one sync.
 * While a commit waits for the disk the requests that come in meanwhile pile up in their sockets, are
 * read in the next turn and share the next one; so the number of syncs follows the disk, not the clients.
 */
import { LIMITS } from "../limits/limits.ts";
import type { Database, Writes } from "./lmdb/database.ts";
import type { StoreError } from "./store-error.ts";
import type { WriteQueue } from "./write-queue.ts";

interface Waiting {
	/** decides and writes; returns what to settle its caller's promise with */
	readonly run: (transaction: Writes) => () => void;
	readonly reject: (error: unknown) => void;
}

export class CommitQueue implements WriteQueue {
	readonly #database: Database;
	#waiting: Waiting[] = [];
	#scheduled = false;
	/** what writes are refused with */
	#refusal: StoreError | undefined;

	constructor(database: Database) {
		this.#database = database;
	}

	/**
	 * @param operation reads, decides and writes inside the transaction; may run again if the batch failed
	 * @returns its value once the transaction is synced to disk
	 */
	write<T>(operation: (transaction: Writes) => T): Promise<T> {
		if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
		return new Promise<T>((resolve, reject) => {
			const run = (transaction: Writes) => {
				const value = operation(transaction);
				return () => resolve(value);
			};
			this.#waiting.push({ run, reject });
			this.#schedule();
		});
	}

	/** Resolves when nothing waits any more. */
	async idle(): Promise<void> {
		// A batch is committed within one turn of the event loop.
		while (this.#waiting.length > 0) await new Promise((resolve) => setImmediate(resolve));
	}

	/** From now on writes are refused. Resolves when those of before are on disk. */
	hold(refusal: StoreError): Promise<void> {
		this.#refusal = refusal;
		return this.idle();
	}

	/** Writes are taken again. */
	release(): void {
		this.#refusal = undefined;
	}

	get isHeld(): boolean {
		return this.#refusal !== undefined;
	}

	#schedule(): void {
		if (this.#scheduled) return;
		this.#scheduled = true;
		setImmediate(() => {
			this.#scheduled = false;
			const batch = this.#waiting.splice(0, LIMITS.writesPerCommit);
			if (this.#waiting.length > 0) this.#schedule();
			this.#commit(batch);
		});
	}

	/** One that fails takes the transaction along, so then each gets its own and only the culprit fails. */
	#commit(batch: readonly Waiting[]): void {
		try {
			const settle = this.#database.commit((transaction) =>
				batch.map((waiting) => waiting.run(transaction)),
			);
			for (const resolve of settle) resolve();
		} catch (error) {
			if (batch.length === 1) batch[0]?.reject(error);
			else for (const waiting of batch) this.#commit([waiting]);
		}
	}
}

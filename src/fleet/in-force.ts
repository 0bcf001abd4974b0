/**
 * From stored to in force: the changes of records that were taken go to the workers, in order, and what comes while
 * they are busy goes together. A revision counts as in force, is acknowledged and answered, once they all run it.
 */
import type { Change } from "../store/store.ts";

/** A state that was reached. */
export interface Mark {
	readonly revision: number;
	readonly digest: string;
	/** how many records led there */
	readonly records: number;
	/** somebody waits for this machine's word */
	readonly isAwaited: boolean;
}

export interface InForceOptions {
	/** resolves when all workers run them */
	readonly publish: (changes: readonly Change[]) => Promise<void>;
	/** a mark is in force */
	readonly told: (mark: Mark, ms: number) => void;
	readonly failed: (error: unknown) => void;
	/** milliseconds, monotonic */
	readonly now: () => number;
}

export class InForce {
	readonly #options: InForceOptions;
	/** on its way to the workers; and what goes next */
	#current: Round | undefined;
	#next: Round = emptyRound();
	#mark: Pick<Mark, "revision" | "digest"> | undefined;

	/** @param mark what workers find in the store when they start */
	constructor(options: InForceOptions, mark: Pick<Mark, "revision" | "digest"> | undefined) {
		this.#options = options;
		this.#mark = mark;
	}

	/** what all workers run; undefined: there has never been a state */
	get mark(): Pick<Mark, "revision" | "digest"> | undefined {
		return this.#mark;
	}

	add(changes: readonly Change[], mark: Mark): void {
		this.#next.changes.push(...changes);
		this.#next.marks.push({ mark, atMs: this.#options.now() });
		if (this.#current === undefined) void this.#work();
	}

	/** Resolves when everything that was added so far is in force. */
	settled(): Promise<void> {
		const round = this.#next.marks.length > 0 ? this.#next : this.#current;
		if (round === undefined) return Promise.resolve();
		return new Promise((resolve) => {
			round.settled.push(resolve);
		});
	}

	async #work(): Promise<void> {
		while (this.#next.marks.length > 0) {
			const round = this.#next;
			this.#current = round;
			this.#next = emptyRound();
			await this.#publish(round.changes);
			for (const { mark, atMs } of round.marks) {
				this.#mark = mark;
				this.#options.told(mark, this.#options.now() - atMs);
			}
			for (const resolve of round.settled) resolve();
		}
		this.#current = undefined;
	}

	async #publish(changes: readonly Change[]): Promise<void> {
		if (changes.length === 0) return;
		try {
			await this.#options.publish(changes);
		} catch (error) {
			this.#options.failed(error);
		}
	}
}

/** What goes to the workers together, and who waits for it. */
interface Round {
	readonly changes: Change[];
	readonly marks: { readonly mark: Mark; readonly atMs: number }[];
	readonly settled: (() => void)[];
}

const emptyRound = (): Round => ({ changes: [], marks: [], settled: [] });

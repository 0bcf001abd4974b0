/** What a worker has been told to take over and has not acknowledged yet. Used by `worker-handle.ts`. */

interface Awaited {
	isLate(): boolean;
	release(): void;
}

export class AwaitedApplies {
	readonly #timeoutMs: number;
	readonly #awaited = new Map<number, Awaited>();
	/** One for all, as each sign of life counts for all; it runs on when nothing is awaited any more. */
	#timer: NodeJS.Timeout | undefined;

	/** @param timeoutMs without a sign of life after which a worker is late */
	constructor(timeoutMs: number) {
		this.#timeoutMs = timeoutMs;
	}

	/**
	 * Resolves when it is acknowledged, or the worker is dead.
	 * @param isLate called each time that the worker is late; true: wait on
	 */
	wait(id: number, isLate: () => boolean): Promise<void> {
		if (this.#awaited.size === 0) this.#count();
		return new Promise((resolve) => {
			const release = (): void => {
				this.#awaited.delete(id);
				resolve();
			};
			this.#awaited.set(id, { isLate, release });
		});
	}

	acknowledged(id: number): void {
		this.#awaited.get(id)?.release();
		this.aliveAgain();
	}

	/** What waits behind a long change has its time counted anew from each sign of life. */
	aliveAgain(): void {
		if (this.#awaited.size > 0) this.#count();
	}

	/** The worker is dead. */
	releaseAll(): void {
		for (const { release } of [...this.#awaited.values()]) release();
	}

	#count(): void {
		if (this.#timer === undefined) this.#timer = setTimeout(this.#late, this.#timeoutMs).unref();
		else this.#timer.refresh();
	}

	readonly #late = (): void => {
		for (const { isLate } of [...this.#awaited.values()]) if (isLate()) this.aliveAgain();
	};
}

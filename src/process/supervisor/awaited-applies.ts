/** What a worker has been told to take over and has not acknowledged yet. Used by `worker-handle.ts`. */

interface Awaited {
	readonly timer: NodeJS.Timeout;
	release(): void;
}

export class AwaitedApplies {
	readonly #awaited = new Map<number, Awaited>();

	/**
	 * Resolves when it is acknowledged, or the worker is dead.
	 * @param isLate called each time that `timeoutMs` have passed without a sign of life; true: wait on
	 */
	wait(id: number, timeoutMs: number, isLate: () => boolean): Promise<void> {
		return new Promise((resolve) => {
			const timer = setTimeout(() => {
				if (isLate()) timer.refresh();
			}, timeoutMs);
			const release = (): void => {
				clearTimeout(timer);
				this.#awaited.delete(id);
				resolve();
			};
			this.#awaited.set(id, { timer, release });
		});
	}

	acknowledged(id: number): void {
		this.#awaited.get(id)?.release();
		this.aliveAgain();
	}

	/** What waits behind a long change has its time counted anew from each sign of life. */
	aliveAgain(): void {
		for (const { timer } of this.#awaited.values()) timer.refresh();
	}

	/** The worker is dead. */
	releaseAll(): void {
		for (const { release } of [...this.#awaited.values()]) release();
	}
}

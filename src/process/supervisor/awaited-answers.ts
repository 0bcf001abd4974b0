/** Questions to a worker that it has not answered yet, and what is told in its stead. Used by `worker-handle.ts`. */

export class AwaitedAnswers<T> {
	readonly #awaited = new Map<number, (answer: T) => void>();

	/** @param instead the answer after `timeoutMs` */
	wait(id: number, timeoutMs: number, instead: () => T): Promise<T> {
		return new Promise((resolve) => {
			const answer = (told: T): void => {
				clearTimeout(timer);
				this.#awaited.delete(id);
				resolve(told);
			};
			const timer = setTimeout(() => answer(instead()), timeoutMs);
			this.#awaited.set(id, answer);
		});
	}

	answered(id: number, answer: T): void {
		this.#awaited.get(id)?.(answer);
	}

	/** The worker is dead. */
	answerAll(answer: T): void {
		for (const each of [...this.#awaited.values()]) each(answer);
	}
}

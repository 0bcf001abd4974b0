/** Work that is done one after the other, in the order in which it came. Used by `policy-loader.ts`. */
export class Lane {
	#last: Promise<unknown> = Promise.resolve();
	#waiting = 0;

	/** @returns what the work returns @throws what it throws, which holds up nobody behind it */
	run<T>(work: () => Promise<T>): Promise<T> {
		const result = this.#waiting === 0 ? work() : this.#last.then(work, work);
		this.#waiting += 1;
		const ended = (): void => {
			this.#waiting -= 1;
		};
		this.#last = result.then(ended, ended);
		return result;
	}
}

/** By which the front knows routes, guards and sets that refuse. Used by `standing-refusals.ts` and `standing-guards.ts`. */

/** Numbers from 0, used again when they are free. */
export class Numbers {
	#free: number[] = [];
	#next = 0;

	take(): number {
		return this.#free.pop() ?? this.#next++;
	}
	free(number: number): void {
		this.#free.push(number);
	}
	clear(): void {
		this.#free = [];
		this.#next = 0;
	}
}

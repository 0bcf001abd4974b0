/**
 * Bounds the states that one automaton keeps, and all automata of a thread together, because a text can ask for a
 * new state at every letter. When there is no room left, the automaton that came first loses all its states and
 * makes them anew as it needs them. Called by `dfa.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";

interface Holder {
	/** Forgets everything. */
	flush(): void;
}

export class StateMemory {
	readonly #all: number;
	readonly #each: number;
	/** bytes by holder, who came first is first */
	readonly #held = new Map<Holder, number>();
	#total = 0;

	/** @param all @param each bytes */
	constructor(all: number, each: number) {
		this.#all = all;
		this.#each = each;
	}

	/** bytes held */
	get total(): number {
		return this.#total;
	}

	/** @returns false if the holder has all that one may have: it has to flush, and holds nothing any more */
	take(holder: Holder, bytes: number): boolean {
		const held = this.#held.get(holder) ?? 0;
		if (held > 0 && held + bytes > this.#each) {
			this.#drop(holder, held);
			return false;
		}
		this.#held.set(holder, held + bytes);
		this.#total += bytes;
		for (const [other, others] of this.#held) {
			if (this.#total <= this.#all) break;
			if (other === holder) continue;
			this.#drop(other, others);
			other.flush();
		}
		return true;
	}

	#drop(holder: Holder, held: number): void {
		this.#held.delete(holder);
		this.#total -= held;
	}
}

export const STATE_MEMORY = new StateMemory(LIMITS.automataBytes, LIMITS.automatonBytes);

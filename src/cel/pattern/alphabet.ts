/**
 * The letters of a pattern: all characters that the pattern can't tell apart are one letter. `[a-z]+@` has the
 * letters `a-z`, `@` and the rest. An automaton's table of transitions has a column for each letter. Used by
 * `nfa.ts` and `dfa.ts`.
 */
import { type CodePoints, LAST_CODE_POINT } from "./code-points.ts";

/** Code units below this are looked up, not searched for. */
export const DIRECT = 256;

/** places for code points beyond that, a power of 2: looking for one takes 12 ns, looking it up 3 */
export const MET = 64;

export class Alphabet {
	/** letters, without the end of the text, which has the number behind the last one */
	readonly size: number;
	/** letter of each code point below `DIRECT` */
	readonly direct: Uint16Array;
	/** first code point of each run of one letter, ascending from 0, and the run's letter */
	readonly #starts: Uint32Array;
	readonly #letters: Uint16Array;
	/** code points beyond `DIRECT` that were looked for last, each at its place, and their letters; no surrogates */
	readonly met = new Uint32Array(MET);
	readonly metLetters = new Uint16Array(MET);

	/** @param sets all that a pattern tells apart */
	constructor(sets: readonly CodePoints[]) {
		const starts = runStarts(sets);
		this.#starts = Uint32Array.from(starts);
		this.#letters = new Uint16Array(starts.length);
		const letters = new Map<string, number>();
		for (const [run, start] of starts.entries()) {
			const members = sets.map((set) => (holds(set, start) ? "1" : "0")).join("");
			const letter = letters.get(members) ?? letters.size;
			letters.set(members, letter);
			this.#letters[run] = letter;
		}
		this.size = letters.size;
		this.direct = Uint16Array.from({ length: DIRECT }, (_, codePoint) => this.#search(codePoint));
	}

	/** Hot for text beyond Latin-1. */
	letterOf(codePoint: number): number {
		if (codePoint < DIRECT) return this.direct[codePoint] as number;
		const place = codePoint & (MET - 1);
		if (this.met[place] === codePoint) return this.metLetters[place] as number;
		const letter = this.#search(codePoint);
		if (codePoint >= 0xd800 && codePoint <= 0xdfff) return letter;
		this.met[place] = codePoint;
		this.metLetters[place] = letter;
		return letter;
	}

	/** A 1 for each letter that the set holds. */
	lettersOf(set: CodePoints): Uint8Array {
		const members = new Uint8Array(this.size);
		for (const [run, start] of this.#starts.entries()) {
			if (holds(set, start)) members[this.#letters[run] ?? 0] = 1;
		}
		return members;
	}

	#search(codePoint: number): number {
		const starts = this.#starts;
		let [low, high] = [0, starts.length - 1];
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if ((starts[middle] ?? 0) <= codePoint) low = middle;
			else high = middle - 1;
		}
		return this.#letters[low] ?? 0;
	}
}

function runStarts(sets: readonly CodePoints[]): number[] {
	const starts = new Set([0]);
	for (const set of sets) {
		for (let index = 0; index + 1 < set.length; index += 2) {
			starts.add(set[index] ?? 0);
			const behind = (set[index + 1] ?? 0) + 1;
			if (behind <= LAST_CODE_POINT) starts.add(behind);
		}
	}
	return [...starts].sort((one, other) => one - other);
}

/** Binary search: classes have hundreds of ranges, and each of their ends is asked for. */
function holds(set: CodePoints, codePoint: number): boolean {
	let [low, high] = [0, set.length / 2];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((set[2 * middle + 1] ?? 0) < codePoint) low = middle + 1;
		else high = middle;
	}
	return 2 * low < set.length && (set[2 * low] ?? 0) <= codePoint;
}

/**
 * Makes a non-deterministic automaton (Thompson) of a pattern's tree, repetitions written out: numbers in flat
 * arrays, which `nfa-steps.ts` walks for all ways of a search at once. It tells whether there is a match; groups
 * and greed are gone. `prepare.ts` makes it to see how large it is, and again when an automaton first searches.
 */
import { LIMITS } from "../../limits/limits.ts";
import { Alphabet } from "./alphabet.ts";
import { PERL_CLASSES } from "./classes.ts";
import type { CodePoints } from "./code-points.ts";
import { type Assertion, type Node, some } from "./tree.ts";

/** The kinds of instruction. */
export const ACCEPT = 0;
/** goes on with `next` behind one letter of set `other` */
export const SET = 1;
/** goes on with both */
export const SPLIT = 2;
/** goes on with `next` where assertion `other` holds */
export const ASSERT = 3;

/** Numbers of assertions: an index into this. The first two are decided by what stands before. */
const ASSERTIONS: readonly Assertion[] = [
	"begin-text",
	"begin-line",
	"end-text",
	"end-line",
	"word-boundary",
	"no-word-boundary",
];
export const BEGIN_TEXT = 0;
export const BEGIN_LINE = 1;
export const END_TEXT = 2;
export const END_LINE = 3;
export const WORD_BOUNDARY = 4;

const NEWLINE: CodePoints = [0x0a, 0x0a];
const WORD: CodePoints = PERL_CLASSES.get("w") ?? [];

export interface Nfa {
	readonly start: number;
	readonly size: number;
	/** of each instruction */
	readonly kinds: Uint8Array;
	readonly next: Uint16Array;
	readonly other: Uint16Array;
	readonly alphabet: Alphabet;
	/** how many sets, and for each letter so many numbers, a 1 for each set that holds it */
	readonly setCount: number;
	readonly sets: Uint8Array;
	/** a 1 for the letter that is the newline, for those that are parts of words; letters are told apart so if it matters */
	readonly newline: Uint8Array;
	readonly word: Uint8Array;
}

/** @returns undefined for a tree of too many instructions */
export function nfaOf(tree: Node): Nfa | undefined {
	const builder = new Builder();
	const start = builder.add(tree, builder.instruction(ACCEPT, 0, 0));
	return start === undefined ? undefined : builder.nfa(start, tree);
}

const isLine = (node: Node): boolean =>
	node.kind === "assertion" && (node.what === "begin-line" || node.what === "end-line");
const isWord = (node: Node): boolean =>
	node.kind === "assertion" && (node.what === "word-boundary" || node.what === "no-word-boundary");

class Builder {
	readonly #kinds: number[] = [];
	readonly #next: number[] = [];
	readonly #other: number[] = [];
	readonly #sets: CodePoints[] = [];
	readonly #setNumbers = new Map<string, number>();

	instruction(kind: number, next: number, other: number): number {
		this.#next.push(next);
		this.#other.push(other);
		return this.#kinds.push(kind) - 1;
	}

	/** @returns where the node begins that goes on with `next`; undefined: too many */
	add(node: Node, next: number): number | undefined {
		if (this.#kinds.length > LIMITS.automatonInstructions) return undefined;
		switch (node.kind) {
			case "set":
				return this.instruction(SET, next, this.#setNumber(node.set));
			case "assertion":
				return this.instruction(ASSERT, next, ASSERTIONS.indexOf(node.what));
			case "capture":
				return this.add(node.body, next);
			case "concat":
				return node.parts.reduceRight<number | undefined>(
					(behind, part) => (behind === undefined ? behind : this.add(part, behind)),
					next,
				);
			case "alternate": {
				const begins = node.parts.map((part) => this.add(part, next));
				return begins.reduce((one, other) =>
					one === undefined || other === undefined
						? undefined
						: this.instruction(SPLIT, one, other),
				);
			}
			case "repeat":
				return this.#repeat(node, next);
			default:
				return next;
		}
	}

	#repeat(node: Node & { readonly kind: "repeat" }, behind: number): number | undefined {
		const { body, min, max } = node;
		let next: number | undefined = behind;
		if (max === Number.POSITIVE_INFINITY) {
			const loop = this.instruction(SPLIT, behind, behind);
			const begin = this.add(body, loop);
			if (begin === undefined) return undefined;
			this.#other[loop] = begin;
			next = loop;
		} else {
			for (let turn = min; turn < max && next !== undefined; turn++) {
				const begin = this.add(body, next);
				next = begin === undefined ? undefined : this.instruction(SPLIT, begin, behind);
			}
		}
		for (let turn = 0; turn < min && next !== undefined; turn++) next = this.add(body, next);
		return next;
	}

	#setNumber(set: CodePoints): number {
		const key = set.join();
		const known = this.#setNumbers.get(key);
		if (known !== undefined) return known;
		this.#setNumbers.set(key, this.#sets.length);
		return this.#sets.push(set) - 1;
	}

	#membership(alphabet: Alphabet): Uint8Array {
		const sets = new Uint8Array(alphabet.size * this.#sets.length);
		for (const [number, set] of this.#sets.entries()) {
			for (const [letter, isIn] of alphabet.lettersOf(set).entries()) {
				sets[letter * this.#sets.length + number] = isIn;
			}
		}
		return sets;
	}

	nfa(start: number, tree: Node): Nfa {
		const told = [...this.#sets];
		if (some(tree, isLine)) told.push(NEWLINE);
		if (some(tree, isWord)) told.push(WORD);
		const alphabet = new Alphabet(told);
		return {
			start,
			size: this.#kinds.length,
			kinds: Uint8Array.from(this.#kinds),
			next: Uint16Array.from(this.#next),
			other: Uint16Array.from(this.#other),
			alphabet,
			setCount: this.#sets.length,
			sets: this.#membership(alphabet),
			newline: alphabet.lettersOf(some(tree, isLine) ? NEWLINE : []),
			word: alphabet.lettersOf(some(tree, isWord) ? WORD : []),
		};
	}
}

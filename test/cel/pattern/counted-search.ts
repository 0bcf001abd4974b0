/**
 * A backtracking search over a pattern's tree, as JavaScript's specification describes it, that counts its
 * steps: what the bounds are held against. No shortcuts, so V8 takes no more.
 */
import type { Node } from "../../../src/cel/pattern/tree.ts";

/** Thrown when a search has taken more steps than it may. */
export class TooManySteps extends Error {}

export class CountedSearch {
	readonly #tree: Node;
	readonly #text: string;
	readonly #most: number;
	steps = 0;

	/** @param text of characters up to U+FFFF */
	constructor(tree: Node, text: string, most: number) {
		this.#tree = tree;
		this.#text = text;
		this.#most = most;
	}

	/** Begin and end of the leftmost match that begins at `from` or later. */
	find(from: number): { start: number; end: number } | undefined {
		for (let start = from; start <= this.#text.length; start++) {
			let end = 0;
			const found = this.#match(this.#tree, start, (position) => {
				end = position;
				return true;
			});
			if (found) return { start, end };
		}
		return undefined;
	}

	findAll(): number {
		let count = 0;
		for (let from = 0; from <= this.#text.length; count++) {
			const match = this.find(from);
			if (match === undefined) break;
			from = match.end === match.start ? match.end + 1 : match.end;
		}
		return count;
	}

	#step(): void {
		if (++this.steps > this.#most) throw new TooManySteps();
	}

	#match(node: Node, position: number, rest: (position: number) => boolean): boolean {
		switch (node.kind) {
			case "empty":
				return rest(position);
			case "set": {
				this.#step();
				const unit = this.#text.charCodeAt(position);
				const { set } = node;
				for (let index = 0; index < set.length; index += 2) {
					if ((set[index] ?? 0) <= unit && unit <= (set[index + 1] ?? 0)) return rest(position + 1);
				}
				return false;
			}
			case "assertion":
				this.#step();
				return this.#holds(node.what, position) && rest(position);
			case "concat":
				return this.#sequence(node.parts, 0, position, rest);
			case "alternate":
				return node.parts.some((part) => {
					this.#step();
					return this.#match(part, position, rest);
				});
			case "capture":
				this.#step();
				return this.#match(node.body, position, rest);
			case "repeat":
				return this.#turn(node, 0, position, rest);
		}
	}

	#sequence(
		parts: readonly Node[],
		index: number,
		position: number,
		rest: (position: number) => boolean,
	): boolean {
		const part = parts[index];
		if (part === undefined) return rest(position);
		return this.#match(part, position, (next) => this.#sequence(parts, index + 1, next, rest));
	}

	#turn(
		node: Node & { readonly kind: "repeat" },
		count: number,
		position: number,
		rest: (position: number) => boolean,
	): boolean {
		const { body, min, max, greedy } = node;
		this.#step();
		const again = (): boolean =>
			count < max &&
			this.#match(
				body,
				position,
				(next) => (count < min || next > position) && this.#turn(node, count + 1, next, rest),
			);
		const leave = (): boolean => count >= min && rest(position);
		return greedy ? again() || leave() : leave() || again();
	}

	#holds(what: (Node & { readonly kind: "assertion" })["what"], position: number): boolean {
		const before = this.#text[position - 1];
		const after = this.#text[position];
		const isBetween = isWord(before) === isWord(after);
		switch (what) {
			case "begin-text":
				return before === undefined;
			case "end-text":
				return after === undefined;
			case "begin-line":
				return before === undefined || before === "\n";
			case "end-line":
				return after === undefined || after === "\n";
			case "word-boundary":
				return !isBetween;
			case "no-word-boundary":
				return isBetween;
		}
	}
}

const isWord = (character: string | undefined): boolean =>
	character !== undefined && /\w/.test(character);

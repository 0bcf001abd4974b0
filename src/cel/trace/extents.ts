/**
 * Which piece of the source each node of a tree is. A node knows where its operator or name stands; the rest follows from
 * the nodes below it and from brackets, which have no nodes. Used by `trace.ts`.
 */
import { tokenize } from "../parse/lexer.ts";
import type { Token } from "../parse/token.ts";
import type { Node } from "../tree/node.ts";
import { childrenOf } from "../tree/parts.ts";

/** UTF-16 offsets; `to` is behind the last character */
export interface Extent {
	readonly from: number;
	readonly to: number;
}

/** Indexes of the first and the last token. */
interface Span {
	readonly first: number;
	readonly last: number;
}

const OPENS: ReadonlySet<string> = new Set(["(", "[", "{"]);
const CLOSES: ReadonlySet<string> = new Set([")", "]", "}"]);

export class Extents {
	readonly #tokens: readonly Token[];
	readonly #spans = new Map<Node, Span>();

	/** @param source of an expression that parses */
	constructor(source: string) {
		const tokenized = tokenize(source);
		this.#tokens = tokenized.ok ? tokenized.tokens.slice(0, -1) : [];
	}

	of(node: Node): Extent {
		const { first, last } = this.#spanOf(node);
		const from = this.#tokens[first]?.start ?? node.offset;
		return { from, to: this.#tokens[last]?.end ?? from };
	}

	#spanOf(node: Node): Span {
		const known = this.#spans.get(node);
		if (known !== undefined) return known;
		const own = this.#ownSpan(node);
		let { first, last } = own;
		for (const child of childrenOf(node)) {
			const span = this.#spanOf(child);
			first = Math.min(first, span.first);
			last = Math.max(last, span.last);
		}
		const span = this.#balanced(first, last);
		this.#spans.set(node, span);
		return span;
	}

	/** Of what the node itself has written: an operator, a literal, a name with its dots and its bracket. */
	#ownSpan(node: Node): Span {
		const at = this.#indexAt(node.offset);
		switch (node.kind) {
			case "variable":
				return { first: at, last: this.#behindDots(at, node.name) };
			case "call": {
				const dots = node.target === undefined ? node.name.split(".").length - 1 : 0;
				return { first: this.#beforeDots(at, dots), last: this.#withBracket(at) };
			}
			case "bind": {
				// macros that are made of one have a name of their own
				const dots = this.#text(at) === "bind" ? 1 : 0;
				return { first: this.#beforeDots(at, dots), last: this.#withBracket(at) };
			}
			case "has":
			case "quantifier":
			case "listMacro":
			case "mapMacro":
				return { first: at, last: this.#withBracket(at) };
			case "constant": {
				// a minus that belongs to the number
				const isMinus = this.#text(at) === "-" && node.value !== "-";
				return { first: at, last: isMinus ? at + 1 : at };
			}
			default:
				return { first: at, last: at };
		}
	}

	#text(index: number): string {
		return this.#tokens[index]?.text ?? "";
	}

	#withBracket(at: number): number {
		return this.#text(at + 1) === "(" ? at + 1 : at;
	}

	/** A namespace stands before the name. */
	#beforeDots(at: number, dots: number): number {
		let first = at;
		for (let left = dots; left > 0 && this.#text(first - 1) === "."; left--) first -= 2;
		return Math.max(first, 0);
	}

	/** Names of variables hold dots, which are tokens. */
	#behindDots(at: number, name: string): number {
		let last = at;
		for (const word of name.split(".").slice(1)) {
			if (this.#text(last + 1) !== "." || this.#text(last + 2) !== word) break;
			last += 2;
		}
		return last;
	}

	/** With the brackets that belong to what is inside. */
	#balanced(first: number, last: number): Span {
		let open = 0;
		let missing = 0;
		for (let at = first; at <= last; at++) {
			if (OPENS.has(this.#text(at))) open++;
			else if (CLOSES.has(this.#text(at))) open > 0 ? open-- : missing++;
		}
		let from = first;
		for (let depth = missing; depth > 0 && from > 0; ) {
			const text = this.#text(--from);
			if (OPENS.has(text)) depth--;
			else if (CLOSES.has(text)) depth++;
		}
		let to = last;
		for (let depth = open; depth > 0 && to < this.#tokens.length - 1; ) {
			const text = this.#text(++to);
			if (CLOSES.has(text)) depth--;
			else if (OPENS.has(text)) depth++;
		}
		return { first: from, last: to };
	}

	/** Of the token that begins there, or the one before. */
	#indexAt(offset: number): number {
		let low = 0;
		let high = this.#tokens.length - 1;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if ((this.#tokens[middle]?.start ?? 0) <= offset) low = middle;
			else high = middle - 1;
		}
		return low;
	}
}

/**
 * Reads an expression into a syntax tree: recursive descent over the tokens by the rules of
 * the CEL specification's grammar, the operators by precedence. Its own, because the library's parser takes some 100 ms for
 * 16 KiB, overflows the stack on nested input, and names the wrong column; the tests hold the two
 * against each other. The first mistake is noted and ends the reading.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Fault } from "../problem.ts";
import type { Node, SyntaxTree } from "../tree/syntax.ts";
import { tokenize } from "./lexer.ts";
import { MemberParser } from "./member.ts";

export type Parsed =
	| { readonly ok: true; readonly expr: Node; readonly tree: SyntaxTree }
	| { readonly ok: false; readonly fault: Fault };

export function parse(source: string): Parsed {
	const tokenized = tokenize(source);
	if (!tokenized.ok) return tokenized;
	return new Parser(source, tokenized.tokens).parse();
}

/** Operators between two operands, by how closely they bind. */
const PRECEDENCES: ReadonlyMap<string, number> = new Map([
	["||", 1],
	["&&", 2],
	...["<", "<=", ">", ">=", "==", "!="].map((symbol) => [symbol, 3] as const),
	["+", 4],
	["-", 4],
	["*", 5],
	["/", 5],
	["%", 5],
]);
const LOWEST = 1;
const CONJUNCTION = 2;
const RELATION = 3;

/** The functions that operators stand for. */
const FUNCTIONS: ReadonlyMap<string, string> = new Map([
	...[...PRECEDENCES.keys()].map((symbol) => [symbol, `_${symbol}_`] as const),
	["in", "@in"],
]);

class Parser extends MemberParser {
	#nesting = 0;

	parse(): Parsed {
		if (this.isAtEnd) return { ok: false, fault: EMPTY };
		const expr = this.expression();
		if (!this.isAtEnd) this.unexpected("the end of the expression");
		return this.fault === undefined
			? { ok: true, expr, tree: this.tree }
			: { ok: false, fault: this.fault };
	}

	protected expression(): Node {
		if (++this.#nesting > LIMITS.expressionDepth) return this.tooDeep(this.token.start);
		const condition = this.#operation(LOWEST);
		let result = condition;
		const { start } = this.token;
		if (this.takeSymbol("?")) {
			const then = this.#operation(LOWEST);
			this.expectSymbol(":");
			const otherwise = this.expression();
			result = this.bounded(this.tree.call(start, "_?_:_", [condition, then, otherwise]));
		}
		this.#nesting--;
		return result;
	}

	/** Operators that bind as closely as `lowest` says, or closer. */
	#operation(lowest: number): Node {
		let left = this.#unary();
		for (;;) {
			const precedence = this.#precedence();
			if (precedence < lowest) return left;
			if (precedence <= CONJUNCTION) {
				left = this.#logical(left, precedence);
				continue;
			}
			const { text, start } = this.take();
			const right = this.#operation(precedence + 1);
			left = this.bounded(this.tree.call(start, FUNCTIONS.get(text) ?? "", [left, right]));
		}
	}

	/** Of the operator that the next token is; 0 if it is none. */
	#precedence(): number {
		const { kind, text } = this.token;
		if (kind === "symbol") return PRECEDENCES.get(text) ?? 0;
		return kind === "identifier" && text === "in" ? RELATION : 0;
	}

	/** A chain of `||` or `&&` becomes a balanced tree, so that its length is not its depth. */
	#logical(first: Node, precedence: number): Node {
		const symbol = this.token.text;
		const terms = [first];
		const offsets: number[] = [];
		while (this.isSymbol(symbol)) {
			offsets.push(this.take().start);
			terms.push(this.#operation(precedence + 1));
		}
		const name = FUNCTIONS.get(symbol) ?? "";
		return this.bounded(this.#balanced(name, terms, offsets, 0, offsets.length));
	}

	/** The operators from `low` to before `high`, with the terms on both sides of each. */
	#balanced(
		name: string,
		terms: readonly Node[],
		offsets: readonly number[],
		low: number,
		high: number,
	): Node {
		const middle = Math.floor((low + high) / 2);
		const offset = offsets[middle];
		if (low === high || offset === undefined) return terms[low] ?? this.tree.boolean(0, false);
		const left = this.#balanced(name, terms, offsets, low, middle);
		const right = this.#balanced(name, terms, offsets, middle + 1, high);
		return this.tree.call(offset, name, [left, right]);
	}

	#unary(): Node {
		const { kind, text, start } = this.token;
		if (kind !== "symbol" || (text !== "!" && text !== "-")) return this.member();
		const offsets: number[] = [];
		while (this.isSymbol(text)) offsets.push(this.take().start);
		if (offsets.length > LIMITS.expressionDepth) return this.tooDeep(start);
		const number = text === "-" ? this.#negativeNumber(offsets) : undefined;
		let operand = number ?? this.member();
		for (const offset of offsets.reverse()) {
			operand = this.tree.call(offset, text === "-" ? "-_" : "!_", [operand]);
		}
		return this.bounded(operand);
	}

	/** A minus directly before digits belongs to the literal: only so can the smallest int be written. */
	#negativeNumber(offsets: number[]): Node | undefined {
		const { value, start } = this.token;
		const minus = offsets.at(-1);
		if (minus !== start - 1 || (typeof value !== "bigint" && typeof value !== "number")) {
			return undefined;
		}
		if (this.token.kind === "uint") return undefined;
		offsets.pop();
		this.take();
		const literal =
			typeof value === "bigint"
				? this.tree.int(minus, -value)
				: this.tree.constant(minus, { case: "doubleValue", value: -value });
		return this.selectors(literal);
	}
}

const EMPTY: Fault = { offset: 0, code: "expression_syntax", message: "the expression is empty" };

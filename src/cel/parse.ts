/**
 * Reads an expression into a syntax tree: recursive descent over the tokens, one function for each rule
 * of the CEL specification's grammar. Its own, because the library's parser takes some 100 ms for
 * 16 KiB, overflows the stack on nested input, and names the wrong column; the tests hold the two
 * against each other. The first mistake is noted and ends the reading.
 */
import { LIMITS } from "../limits.ts";
import { tokenize } from "./parse/lexer.ts";
import { MemberParser } from "./parse/member.ts";
import type { Fault } from "./problem.ts";
import type { Node, SyntaxTree } from "./syntax.ts";

export type Parsed =
	| { readonly ok: true; readonly expr: Node; readonly tree: SyntaxTree }
	| { readonly ok: false; readonly fault: Fault };

export function parse(source: string): Parsed {
	const tokenized = tokenize(source);
	if (!tokenized.ok) return tokenized;
	return new Parser(tokenized.tokens).parse();
}

const RELATIONS: ReadonlySet<string> = new Set(["<", "<=", ">", ">=", "==", "!="]);
const SUMS: ReadonlySet<string> = new Set(["+", "-"]);
const PRODUCTS: ReadonlySet<string> = new Set(["*", "/", "%"]);
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
		const condition = this.#disjunction();
		let result = condition;
		const { start } = this.token;
		if (this.takeSymbol("?")) {
			const then = this.#disjunction();
			this.expectSymbol(":");
			const otherwise = this.expression();
			result = this.bounded(this.tree.call(start, "_?_:_", [condition, then, otherwise]));
		}
		this.#nesting--;
		return result;
	}

	#disjunction(): Node {
		return this.#logical("||", "_||_", () => this.#logical("&&", "_&&_", () => this.#relation()));
	}

	/** A chain of `||` or `&&` becomes a balanced tree, so that its length is not its depth. */
	#logical(symbol: string, name: string, operand: () => Node): Node {
		const terms = [operand()];
		const offsets: number[] = [];
		for (;;) {
			const { start } = this.token;
			if (!this.takeSymbol(symbol)) break;
			offsets.push(start);
			terms.push(operand());
		}
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

	#relation(): Node {
		let left = this.#sum();
		for (;;) {
			const { kind, text, start } = this.token;
			const isIn = kind === "identifier" && text === "in";
			if (!isIn && !(kind === "symbol" && RELATIONS.has(text))) return left;
			this.take();
			const name = isIn ? "@in" : `_${text}_`;
			left = this.bounded(this.tree.call(start, name, [left, this.#sum()]));
		}
	}

	#sum(): Node {
		return this.#chain(SUMS, () => this.#chain(PRODUCTS, () => this.#unary()));
	}

	#chain(operators: ReadonlySet<string>, operand: () => Node): Node {
		let left = operand();
		for (;;) {
			const { kind, text, start } = this.token;
			if (kind !== "symbol" || !operators.has(text)) return left;
			this.take();
			left = this.bounded(this.tree.call(start, `_${text}_`, [left, operand()]));
		}
	}

	#unary(): Node {
		const { kind, text, start } = this.token;
		if (kind !== "symbol" || (text !== "!" && text !== "-")) return this.member();
		const offsets: number[] = [];
		while (this.isSymbol(text)) {
			offsets.push(this.token.start);
			this.take();
		}
		if (offsets.length > LIMITS.expressionDepth) return this.tooDeep(start);
		const number = text === "-" ? this.#negativeNumber(offsets) : undefined;
		let operand = number ?? this.member();
		for (const offset of offsets.reverse()) {
			operand = this.tree.call(offset, `${text}_`, [operand]);
		}
		return this.bounded(operand);
	}

	/** A minus directly before digits belongs to the literal: only so can the smallest int be written. */
	#negativeNumber(offsets: number[]): Node | undefined {
		const { kind, value, start } = this.token;
		const minus = offsets.at(-1);
		if (minus !== start - 1 || (kind !== "int" && kind !== "double")) return undefined;
		offsets.pop();
		this.take();
		const literal =
			kind === "int"
				? this.tree.int(minus, -(value as bigint))
				: this.tree.constant(minus, { case: "doubleValue", value: -Number(value) });
		return this.selectors(literal);
	}
}

const EMPTY: Fault = { offset: 0, code: "expression_syntax", message: "the expression is empty" };

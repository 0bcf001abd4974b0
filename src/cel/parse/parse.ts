/**
 * Reads an expression into a syntax tree: recursive descent over the tokens by the grammar of the CEL
 * specification, operators by their precedence. The first mistake is noted and ends the reading. Called by
 * `compile.ts`.
 *
 * The parser is written here because that of `@bufbuild/cel` takes some 100 ms for 16 KiB, overflows the
 * stack on nested input and names the wrong column. The tests hold the two parsers against each other.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Fault } from "../problem.ts";
import type { BinaryOperator, Node } from "../tree/node.ts";
import type { SyntaxTree } from "../tree/syntax-tree.ts";
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

interface Infix {
	readonly operator: BinaryOperator;
	/** how closely it binds */
	readonly precedence: number;
}

/** Operators between two operands, by how they are written. */
const INFIX: ReadonlyMap<string, Infix> = new Map([
	["||", { operator: "_||_", precedence: 1 }],
	["&&", { operator: "_&&_", precedence: 2 }],
	["<", { operator: "_<_", precedence: 3 }],
	["<=", { operator: "_<=_", precedence: 3 }],
	[">", { operator: "_>_", precedence: 3 }],
	[">=", { operator: "_>=_", precedence: 3 }],
	["==", { operator: "_==_", precedence: 3 }],
	["!=", { operator: "_!=_", precedence: 3 }],
	["+", { operator: "_+_", precedence: 4 }],
	["-", { operator: "_-_", precedence: 4 }],
	["*", { operator: "_*_", precedence: 5 }],
	["/", { operator: "_/_", precedence: 5 }],
	["%", { operator: "_%_", precedence: 5 }],
]);
/** A word, so the lexer takes it for a name. */
const IN: Infix = { operator: "@in", precedence: 3 };
const LOWEST = 1;
const CONJUNCTION = 2;

/** An operator of a chain, and the term behind it. */
interface Link {
	readonly offset: number;
	readonly term: Node;
}

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
			result = this.bounded(this.tree.conditional(start, condition, then, otherwise));
		}
		this.#nesting--;
		return result;
	}

	/** Operators that bind as closely as `lowest` says, or closer. */
	#operation(lowest: number): Node {
		let left = this.#unary();
		for (;;) {
			const infix = this.#infix();
			if (infix === undefined || infix.precedence < lowest) return left;
			if (infix.precedence <= CONJUNCTION) {
				left = this.#logical(left, infix);
				continue;
			}
			const { start } = this.take();
			const right = this.#operation(infix.precedence + 1);
			left = this.bounded(this.tree.binary(start, infix.operator, left, right));
		}
	}

	/** The operator that the next token is, if it is one. */
	#infix(): Infix | undefined {
		const { kind, text } = this.token;
		if (kind === "symbol") return INFIX.get(text);
		return kind === "identifier" && text === "in" ? IN : undefined;
	}

	/** A chain of `||` or `&&` becomes a balanced tree, so that its length is not its depth. */
	#logical(first: Node, { operator, precedence }: Infix): Node {
		const symbol = this.token.text;
		const links: Link[] = [];
		while (this.isSymbol(symbol)) {
			const { start } = this.take();
			links.push({ offset: start, term: this.#operation(precedence + 1) });
		}
		return this.bounded(this.#balanced(operator, first, links));
	}

	/** The operator in the middle, with the balanced trees of the terms on both sides of it. */
	#balanced(operator: BinaryOperator, first: Node, links: readonly Link[]): Node {
		const middle = Math.floor(links.length / 2);
		const link = links[middle];
		if (link === undefined) return first;
		const left = this.#balanced(operator, first, links.slice(0, middle));
		const right = this.#balanced(operator, link.term, links.slice(middle + 1));
		return this.tree.binary(link.offset, operator, left, right);
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
			operand = this.tree.unary(offset, text === "-" ? "-_" : "!_", operand);
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
		const literal = this.tree.constant(minus, -value);
		return this.selectors(literal);
	}
}

const EMPTY: Fault = { offset: 0, code: "expression_syntax", message: "the expression is empty" };

/**
 * Reads an expression into a syntax tree: recursive descent over the tokens, one function for each rule
 * of the CEL specification's grammar. Its own, because the library's parser takes some 100 ms for
 * 16 KiB, overflows the stack on nested input, and names the wrong column; the tests hold the two
 * against each other. The first mistake is noted and ends the reading.
 */
import { LIMITS } from "../limits.ts";
import { INT_MIN_MAGNITUDE, type Token, tokenize } from "./lexer.ts";
import { expandMacro, MACRO_ARGUMENTS } from "./macros.ts";
import { isReserved } from "./names.ts";
import type { Fault } from "./problem.ts";
import { type Expr, type MapEntry, SyntaxTree } from "./syntax.ts";

export type Parsed =
	| { readonly ok: true; readonly expr: Expr; readonly tree: SyntaxTree }
	| { readonly ok: false; readonly fault: Fault };

export function parse(source: string): Parsed {
	const tokenized = tokenize(source);
	if (!tokenized.ok) return tokenized;
	return new Parser(tokenized.tokens).parse();
}

const RELATIONS: ReadonlySet<string> = new Set(["<", "<=", ">", ">=", "==", "!="]);
const SUMS: ReadonlySet<string> = new Set(["+", "-"]);
const PRODUCTS: ReadonlySet<string> = new Set(["*", "/", "%"]);
const OPERATOR_WORDS: ReadonlyMap<string, string> = new Map([
	["and", "&&"],
	["or", "||"],
	["not", "!"],
]);

class Parser {
	readonly #tokens: readonly Token[];
	readonly #tree = new SyntaxTree();
	#at = 0;
	#nesting = 0;
	#fault: Fault | undefined;

	constructor(tokens: readonly Token[]) {
		this.#tokens = tokens;
	}

	parse(): Parsed {
		if (this.#token.kind === "end") {
			return { ok: false, fault: syntaxFault(0, "the expression is empty") };
		}
		const expr = this.#expression();
		if (this.#at < this.#tokens.length - 1) this.#unexpected("the end of the expression");
		return this.#fault === undefined
			? { ok: true, expr, tree: this.#tree }
			: { ok: false, fault: this.#fault };
	}

	get #token(): Token {
		return this.#tokens[this.#at] ?? END;
	}

	/** The current token; moves to the next one. */
	#take(): Token {
		const token = this.#token;
		if (token.kind !== "end") this.#at++;
		return token;
	}

	#isSymbol(text: string): boolean {
		return this.#token.kind === "symbol" && this.#token.text === text;
	}

	#takeSymbol(text: string): boolean {
		if (!this.#isSymbol(text)) return false;
		this.#at++;
		return true;
	}

	#expectSymbol(text: string, opened?: Token): void {
		if (this.#takeSymbol(text)) return;
		if (opened !== undefined && this.#token.kind === "end") {
			this.#fail(opened.start, `"${opened.text}" is not closed with "${text}"`);
		} else {
			this.#unexpected(opened === undefined ? `"${text}"` : `"," or "${text}"`);
		}
	}

	/** Notes the first mistake and moves to the end, so that every loop and rule comes to its own end. */
	#fail(offset: number, message: string, code: Fault["code"] = "expression_syntax"): Expr {
		this.#fault ??= { offset, code, message };
		this.#at = this.#tokens.length - 1;
		return this.#tree.boolean(offset, false);
	}

	#unexpected(expected: string): Expr {
		const { kind, text, start } = this.#token;
		if (kind === "end") return this.#fail(start, `the expression ends where ${expected} should be`);
		const word = OPERATOR_WORDS.get(text);
		if (word !== undefined) {
			return this.#fail(start, `unexpected "${text}"; "${text}" is written "${word}"`);
		}
		const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
		return this.#fail(start, `unexpected ${shown}, where ${expected} should be`);
	}

	#tooDeep(offset: number): Expr {
		const message = `nested more than ${LIMITS.expressionDepth} levels deep`;
		return this.#fail(offset, message, "expression_too_complex");
	}

	/** Refuses trees too deep for those who walk them later. */
	#bounded(node: Expr): Expr {
		return this.#tree.depthOf(node) > LIMITS.expressionDepth
			? this.#tooDeep(this.#tree.offsetOf(node))
			: node;
	}

	#expression(): Expr {
		if (++this.#nesting > LIMITS.expressionDepth) return this.#tooDeep(this.#token.start);
		const condition = this.#disjunction();
		let result = condition;
		const { start } = this.#token;
		if (this.#takeSymbol("?")) {
			const then = this.#disjunction();
			this.#expectSymbol(":");
			const otherwise = this.#expression();
			result = this.#bounded(this.#tree.call(start, "_?_:_", [condition, then, otherwise]));
		}
		this.#nesting--;
		return result;
	}

	#disjunction(): Expr {
		return this.#logical("||", "_||_", () => this.#logical("&&", "_&&_", () => this.#relation()));
	}

	/** A chain of `||` or `&&` becomes a balanced tree, so that its length is not its depth. */
	#logical(symbol: string, name: string, operand: () => Expr): Expr {
		const terms = [operand()];
		const offsets: number[] = [];
		for (;;) {
			const { start } = this.#token;
			if (!this.#takeSymbol(symbol)) break;
			offsets.push(start);
			terms.push(operand());
		}
		return this.#bounded(this.#balanced(name, terms, offsets, 0, offsets.length));
	}

	/** The operators from `low` to before `high`, with the terms on both sides of each. */
	#balanced(
		name: string,
		terms: readonly Expr[],
		offsets: readonly number[],
		low: number,
		high: number,
	): Expr {
		const middle = Math.floor((low + high) / 2);
		const offset = offsets[middle];
		if (low === high || offset === undefined) return terms[low] ?? this.#tree.boolean(0, false);
		const left = this.#balanced(name, terms, offsets, low, middle);
		const right = this.#balanced(name, terms, offsets, middle + 1, high);
		return this.#tree.call(offset, name, [left, right]);
	}

	#relation(): Expr {
		let left = this.#sum();
		for (;;) {
			const { kind, text, start } = this.#token;
			const isIn = kind === "identifier" && text === "in";
			if (!isIn && !(kind === "symbol" && RELATIONS.has(text))) return left;
			this.#take();
			const name = isIn ? "@in" : `_${text}_`;
			left = this.#bounded(this.#tree.call(start, name, [left, this.#sum()]));
		}
	}

	#sum(): Expr {
		return this.#chain(SUMS, () => this.#chain(PRODUCTS, () => this.#unary()));
	}

	#chain(operators: ReadonlySet<string>, operand: () => Expr): Expr {
		let left = operand();
		for (;;) {
			const { kind, text, start } = this.#token;
			if (kind !== "symbol" || !operators.has(text)) return left;
			this.#take();
			left = this.#bounded(this.#tree.call(start, `_${text}_`, [left, operand()]));
		}
	}

	#unary(): Expr {
		const { kind, text, start } = this.#token;
		if (kind !== "symbol" || (text !== "!" && text !== "-")) return this.#member();
		const offsets: number[] = [];
		while (this.#isSymbol(text)) {
			offsets.push(this.#token.start);
			this.#take();
		}
		if (offsets.length > LIMITS.expressionDepth) return this.#tooDeep(start);
		const number = text === "-" ? this.#negativeNumber(offsets) : undefined;
		let operand = number ?? this.#member();
		for (const offset of offsets.reverse()) {
			operand = this.#tree.call(offset, `${text}_`, [operand]);
		}
		return this.#bounded(operand);
	}

	/** A minus directly before digits belongs to the literal: only so can the smallest int be written. */
	#negativeNumber(offsets: number[]): Expr | undefined {
		const { kind, value, start } = this.#token;
		const minus = offsets.at(-1);
		if (minus !== start - 1 || (kind !== "int" && kind !== "double")) return undefined;
		offsets.pop();
		this.#take();
		const literal =
			kind === "int"
				? this.#tree.int(minus, -(value as bigint))
				: this.#tree.constant(minus, { case: "doubleValue", value: -Number(value) });
		return this.#selectors(literal);
	}

	#member(): Expr {
		return this.#selectors(this.#primary());
	}

	/** `.name`, `.name(…)` and `[…]` behind an operand. */
	#selectors(primary: Expr): Expr {
		let operand = primary;
		for (;;) {
			const opened = this.#token;
			if (this.#takeSymbol(".")) {
				operand = this.#selector(operand);
			} else if (this.#takeSymbol("[")) {
				const index = this.#expression();
				this.#expectSymbol("]", opened);
				operand = this.#tree.call(opened.start, "_[_]", [operand, index]);
			} else {
				return operand;
			}
			operand = this.#bounded(operand);
		}
	}

	#selector(operand: Expr): Expr {
		const { kind, text, start } = this.#token;
		if (kind !== "identifier" && kind !== "quoted") return this.#unexpected("a name");
		if (kind === "identifier" && ["true", "false", "null", "in"].includes(text)) {
			return this.#fail(start, `"${text}" is a keyword and cannot be a name`);
		}
		this.#take();
		if (kind === "quoted" || !this.#isSymbol("(")) return this.#tree.select(start, operand, text);
		return this.#methodCall(operand, text, start, this.#argumentList());
	}

	#methodCall(target: Expr, name: string, start: number, args: Expr[]): Expr {
		const counts = MACRO_ARGUMENTS.get(name);
		const [first, second, third] = args;
		if (!counts?.includes(args.length) || first === undefined || second === undefined) {
			return this.#tree.call(start, name, args, target);
		}
		if (first.exprKind.case !== "identExpr" || first.exprKind.value.name.startsWith(".")) {
			const message = `the first argument of ${name}() names the loop variable, as in list.${name}(x, …)`;
			return this.#fail(this.#tree.offsetOf(first), message);
		}
		const variable = first.exprKind.value.name;
		const rest = third === undefined ? ([second] as const) : ([second, third] as const);
		const call = { tree: this.#tree, offset: start, target, variable, rest };
		return expandMacro(name, call) ?? this.#tree.call(start, name, args, target);
	}

	#argumentList(): Expr[] {
		const opened = this.#take();
		return this.#elements(opened, ")", false, () => this.#expression());
	}

	/** Elements up to the closing bracket, separated by commas. */
	#elements<T>(opened: Token, close: string, trailingComma: boolean, element: () => T): T[] {
		const elements: T[] = [];
		if (!this.#isSymbol(close)) {
			do {
				if (trailingComma && elements.length > 0 && this.#isSymbol(close)) break;
				elements.push(element());
			} while (this.#takeSymbol(","));
		}
		this.#expectSymbol(close, opened);
		return elements;
	}

	#primary(): Expr {
		const { kind, text, value, start } = this.#token;
		switch (kind) {
			case "identifier":
				return this.#name("", start);
			case "symbol":
				return this.#bracketed();
			case "int":
				this.#take();
				if (value === INT_MIN_MAGNITUDE)
					return this.#fail(start, `${text} does not fit into an int`);
				return this.#tree.constant(start, { case: "int64Value", value: value as bigint });
			case "uint":
				this.#take();
				return this.#tree.constant(start, { case: "uint64Value", value: value as bigint });
			case "double":
				this.#take();
				return this.#tree.constant(start, { case: "doubleValue", value: value as number });
			case "string":
				this.#take();
				return this.#tree.constant(start, { case: "stringValue", value: value as string });
			case "bytes":
				this.#take();
				return this.#tree.constant(start, { case: "bytesValue", value: value as Uint8Array });
			default:
				return this.#unexpected("a value");
		}
	}

	#bracketed(): Expr {
		const opened = this.#token;
		switch (opened.text) {
			case ".": {
				this.#take();
				if (this.#token.kind !== "identifier") return this.#unexpected("a name");
				return this.#name(".", opened.start);
			}
			case "(": {
				this.#take();
				const inner = this.#expression();
				this.#expectSymbol(")", opened);
				return inner;
			}
			case "[": {
				this.#take();
				const elements = this.#elements(opened, "]", true, () => this.#expression());
				return this.#bounded(this.#tree.list(opened.start, elements));
			}
			case "{": {
				this.#take();
				const entries = this.#elements(opened, "}", true, () => this.#mapEntry());
				return this.#bounded(this.#tree.map(opened.start, entries));
			}
			default:
				return this.#unexpected("a value");
		}
	}

	#mapEntry(): MapEntry {
		const key = this.#expression();
		this.#expectSymbol(":");
		return [key, this.#expression()];
	}

	/** An identifier, a keyword's value, or the call of a global function. */
	#name(dot: string, offset: number): Expr {
		const { text, start } = this.#take();
		if (dot === "" && (text === "true" || text === "false")) {
			return this.#tree.boolean(offset, text === "true");
		}
		if (dot === "" && text === "null") {
			return this.#tree.constant(offset, { case: "nullValue", value: 0 });
		}
		if (this.#isSymbol("(") && !isReserved(text)) {
			return this.#globalCall(dot + text, offset, this.#argumentList());
		}
		const word = OPERATOR_WORDS.get(text);
		const next = this.#token.kind;
		if (word === "!" && next !== "end" && next !== "symbol") {
			return this.#fail(start, `unexpected "not"; "not" is written "!"`);
		}
		if (isReserved(text)) return this.#fail(start, `"${text}" is reserved and cannot be a name`);
		return this.#tree.identifier(offset, dot + text);
	}

	#globalCall(name: string, offset: number, args: Expr[]): Expr {
		if (name !== "has" || this.#fault !== undefined) {
			return this.#bounded(this.#tree.call(offset, name, args));
		}
		const [field] = args;
		if (args.length !== 1 || field?.exprKind.case !== "selectExpr") {
			const message = "has() takes one field selection, as in has(req.headers.accept)";
			return this.#fail(offset, message);
		}
		const { operand, field: name_ } = field.exprKind.value;
		return operand === undefined ? field : this.#tree.select(offset, operand, name_, true);
	}
}

const END: Token = { kind: "end", text: "", value: "", start: 0 };

const syntaxFault = (offset: number, message: string): Fault => ({
	offset,
	code: "expression_syntax",
	message,
});

/**
 * The parser's place in the tokens, and the first mistake that it has found. Base class of the parsers in
 * `member.ts` and `parse.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Fault } from "../problem.ts";
import type { Node } from "../tree/node.ts";
import { SyntaxTree } from "../tree/syntax-tree.ts";
import type { Token } from "./token.ts";

export const OPERATOR_WORDS: ReadonlyMap<string, string> = new Map([
	["and", "&&"],
	["or", "||"],
	["not", "!"],
]);

export class Cursor {
	protected readonly tree = new SyntaxTree();
	protected fault: Fault | undefined;
	protected token: Token;
	readonly #source: string;
	readonly #tokens: readonly Token[];
	#at = 0;

	constructor(source: string, tokens: readonly Token[]) {
		this.#source = source;
		this.#tokens = tokens;
		this.token = tokens[0] ?? END;
	}

	/** Has every token been taken? Noting a mistake takes them all. */
	protected get isAtEnd(): boolean {
		return this.token.kind === "end";
	}

	/** The current token; moves to the next one. */
	protected take(): Token {
		const { token } = this;
		if (token.kind !== "end") this.#moveTo(this.#at + 1);
		return token;
	}

	protected isSymbol(text: string): boolean {
		return this.token.text === text && this.token.kind === "symbol";
	}

	protected takeSymbol(text: string): boolean {
		if (!this.isSymbol(text)) return false;
		this.#moveTo(this.#at + 1);
		return true;
	}

	protected expectSymbol(text: string, opened?: Token): void {
		if (this.takeSymbol(text)) return;
		if (opened !== undefined && this.token.kind === "end") {
			this.fail(opened.start, `"${opened.text}" is not closed with "${text}"`);
		} else {
			this.unexpected(opened === undefined ? `"${text}"` : `"," or "${text}"`);
		}
	}

	/** Notes the first mistake and moves to the end, so that every loop and rule comes to its own end. */
	protected fail(offset: number, message: string, code: Fault["code"] = "expression_syntax"): Node {
		this.fault ??= { offset, code, message };
		this.#moveTo(this.#tokens.length - 1);
		return this.tree.constant(offset, false);
	}

	protected unexpected(expected: string): Node {
		const { kind, text, start } = this.token;
		if (kind === "end") return this.fail(start, `the expression ends where ${expected} should be`);
		const word = OPERATOR_WORDS.get(text);
		if (word !== undefined) {
			return this.fail(start, `unexpected "${text}"; "${text}" is written "${word}"`);
		}
		const written = kind === "quoted" ? text : this.written(this.token);
		const shown = written.length > 40 ? `${written.slice(0, 40)}…` : written;
		return this.fail(start, `unexpected ${JSON.stringify(shown)}, where ${expected} should be`);
	}

	/** The source text of a token. */
	protected written({ start, end }: Token): string {
		return this.#source.slice(start, end);
	}

	protected tooDeep(offset: number): Node {
		const message = `nested more than ${LIMITS.expressionDepth} levels deep`;
		return this.fail(offset, message, "expression_too_complex");
	}

	/** Refuses a tree that is too deep to be walked later, or that has too many nodes. */
	protected bounded(node: Node): Node {
		if (node.depth > LIMITS.expressionDepth) return this.tooDeep(node.offset);
		if (this.tree.size <= LIMITS.expressionNodes) return node;
		const message = `more than ${LIMITS.expressionNodes} parts, macros written out`;
		return this.fail(node.offset, message, "expression_too_complex");
	}

	#moveTo(at: number): void {
		this.#at = at;
		this.token = this.#tokens[at] ?? END;
	}
}

const END: Token = { kind: "end", text: "", value: "", start: 0, end: 0 };

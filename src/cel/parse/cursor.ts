/**
 * The place in the tokens that the parser has come to, and the first mistake it found. `parse.ts` and
 * `member.ts` read through it.
 */
import { LIMITS } from "../../limits.ts";
import type { Fault } from "../problem.ts";
import { type Node, SyntaxTree } from "../syntax.ts";
import type { Token } from "./lexer.ts";

export const OPERATOR_WORDS: ReadonlyMap<string, string> = new Map([
	["and", "&&"],
	["or", "||"],
	["not", "!"],
]);

export class Cursor {
	protected readonly tree = new SyntaxTree();
	protected fault: Fault | undefined;
	readonly #tokens: readonly Token[];
	#at = 0;

	constructor(tokens: readonly Token[]) {
		this.#tokens = tokens;
	}

	/** Has every token been taken? Noting a mistake takes them all. */
	protected get isAtEnd(): boolean {
		return this.#at >= this.#tokens.length - 1;
	}

	protected get token(): Token {
		return this.#tokens[this.#at] ?? END;
	}

	/** The current token; moves to the next one. */
	protected take(): Token {
		const token = this.token;
		if (token.kind !== "end") this.#at++;
		return token;
	}

	protected isSymbol(text: string): boolean {
		return this.token.kind === "symbol" && this.token.text === text;
	}

	protected takeSymbol(text: string): boolean {
		if (!this.isSymbol(text)) return false;
		this.#at++;
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
		this.#at = this.#tokens.length - 1;
		return this.tree.boolean(offset, false);
	}

	protected unexpected(expected: string): Node {
		const { kind, text, start } = this.token;
		if (kind === "end") return this.fail(start, `the expression ends where ${expected} should be`);
		const word = OPERATOR_WORDS.get(text);
		if (word !== undefined) {
			return this.fail(start, `unexpected "${text}"; "${text}" is written "${word}"`);
		}
		const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
		return this.fail(start, `unexpected ${JSON.stringify(shown)}, where ${expected} should be`);
	}

	protected tooDeep(offset: number): Node {
		const message = `nested more than ${LIMITS.expressionDepth} levels deep`;
		return this.fail(offset, message, "expression_too_complex");
	}

	/** Refuses trees too deep for those who walk them later. */
	protected bounded(node: Node): Node {
		return this.tree.depthOf(node) > LIMITS.expressionDepth
			? this.tooDeep(this.tree.offsetOf(node))
			: node;
	}
}

const END: Token = { kind: "end", text: "", value: "", start: 0 };

/**
 * Where and why an expression is refused. Lexer, parser and checker note a `Fault` with its offset;
 * `compile.ts`, `template.ts` and `pattern/pattern.ts` turn faults into the published `ExpressionProblem` with
 * line, column and an excerpt.
 */
import type { ExpressionProblem } from "./expression.ts";

export type FaultCode =
	| "expression_syntax"
	| "expression_type"
	| "expression_too_complex"
	| "unknown_variable"
	| "unknown_function"
	| "wrong_phase"
	| "invalid_pattern"
	| "invalid_argument"
	| "template_syntax";

export interface Fault {
	/** UTF-16 offset into the expression */
	readonly offset: number;
	readonly code: FaultCode;
	readonly message: string;
}

const LINE_BREAK = /\r\n|\n|\r/g;

/**
 * @param text all that was written: an expression, or the template around it
 * @param base where in `text` the offset of the fault counts from
 */
export function problemAt(text: string, fault: Fault, base = 0): ExpressionProblem {
	const offset = Math.min(base + fault.offset, text.length);
	let line = 1;
	let lineStart = 0;
	for (const match of text.matchAll(LINE_BREAK)) {
		const next = match.index + match[0].length;
		if (next > offset) break;
		line++;
		lineStart = next;
	}
	const rest = text.slice(lineStart);
	const breakAt = rest.search(/[\r\n]/);
	const lineText = breakAt < 0 ? rest : rest.slice(0, breakAt);
	const before = lineText.slice(0, offset - lineStart);
	return {
		code: fault.code,
		message: fault.message,
		line,
		column: before.replace(CHARACTER, " ").length + 1,
		excerpt: excerptOf(lineText, before),
	};
}

const CHARACTER = /[^\t]/gu;
/** They would move the caret or the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000b-\u001f]/g;

/** The line, and under it a caret; tabs stay tabs, so that the caret sits right however wide they are. */
const excerptOf = (lineText: string, before: string): string =>
	`${lineText.replace(CONTROL, "\ufffd")}\n${before.replace(CHARACTER, " ")}^`;

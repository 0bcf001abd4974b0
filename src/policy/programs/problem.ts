/**
 * Problems of expressions as a document's author reads them. Used by `compiler.ts`, `document/validate.ts` and
 * `lint/inspecting-compiler.ts`.
 */
import type { ExpressionProblem } from "../../cel/expression.ts";
import { LIMITS } from "../../limits/limits.ts";

/** A problem of one field; `path` is relative to the action's config. */
export interface FieldProblem {
	readonly path: readonly PropertyKey[];
	readonly code: string;
	readonly message: string;
}

export function atField(problem: ExpressionProblem, path: readonly PropertyKey[]): FieldProblem {
	return { path, code: problem.code, message: explained(problem) };
}

/** The message, the place within the expression, and the line with a caret below it (contract 3). */
export function explained({ message, line, column, excerpt }: ExpressionProblem): string {
	const most = LIMITS.problemMessageCharacters;
	const sentence = message.length > most ? `${message.slice(0, most)}…` : message;
	return `${sentence} (line ${line}, column ${column})\n${shortened(excerpt, column)}`;
}

/** The part of the excerpt around the caret: nobody can read an expression of 16 KiB on one line. */
function shortened(excerpt: string, column: number): string {
	const width = LIMITS.excerptCharacters;
	const start = Math.max(0, column - 1 - Math.floor(width / 2));
	return excerpt
		.split("\n")
		.map((line) => line.slice(start, start + width))
		.join("\n");
}

/** The text of which an expression is all; on a line of its own, as it may end in a comment. */
export const braced = (source: string): string => `\${${source}\n}`;

/** A problem of a text that is `braced`, as it is in the expression alone. */
export function unbraced(problem: ExpressionProblem): ExpressionProblem {
	if (problem.line !== 1) return problem;
	const excerpt = problem.excerpt
		.split("\n")
		.map((line) => line.slice(2))
		.join("\n");
	return { ...problem, column: problem.column - 2, excerpt };
}

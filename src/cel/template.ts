/**
 * Texts with `${expression}` in them (contract 5): finds the expressions, and renders. `$${` is a
 * literal `${`. `compile.ts` hands in how expressions are compiled.
 */
import { fail, ok, type Result } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import type { Compiled } from "./compile.ts";
import { EvaluationFailure, type ExpressionProblem, type Template } from "./expression.ts";
import { skipString } from "./parse/lexer.ts";
import { type Fault, problemAt } from "./problem.ts";
import { textOf } from "./text.ts";

type CompilePart = (expression: string) => Result<Compiled, readonly Fault[]>;

type Part = string | Compiled;

/** Problems of all expressions, each at its place in the whole text. */
export function compileTemplateWith(
	source: string,
	compilePart: CompilePart,
): Result<Template, readonly ExpressionProblem[]> {
	const parts: Part[] = [];
	const problems: ExpressionProblem[] = [];
	let literal = "";
	let at = 0;
	for (let next = source.indexOf("${"); next >= 0; next = source.indexOf("${", at)) {
		if (source[next - 1] === "$" && next - 1 >= at) {
			literal += `${source.slice(at, next - 1)}\${`;
			at = next + 2;
			continue;
		}
		literal += source.slice(at, next);
		const end = expressionEnd(source, next + 2);
		if (end === undefined) {
			const message = 'this "${" is not closed with "}"; a literal "${" is written "$${"';
			const fault: Fault = { offset: next, code: "template_syntax", message };
			return fail([...problems, problemAt(source, fault)]);
		}
		const compiled = compilePart(source.slice(next + 2, end));
		if (compiled.ok) {
			parts.push(literal, compiled.value);
			literal = "";
		} else {
			problems.push(...compiled.error.map((fault) => problemAt(source, fault, next + 2)));
		}
		at = end + 1;
		if (problems.length >= LIMITS.problemsPerExpression) break;
	}
	parts.push(literal + source.slice(at));
	return problems.length > 0 ? fail(problems) : ok(templateOf(parts.filter((part) => part !== "")));
}

/** Where the brace is that closes an expression: not in a string, not in a comment, not a map's. */
function expressionEnd(source: string, start: number): number | undefined {
	let depth = 0;
	let at = start;
	while (at < source.length) {
		const behindString = /[\w"']/.test(source[at] ?? "")
			? behindWordOrString(source, at)
			: undefined;
		if (behindString !== undefined) {
			at = behindString;
			continue;
		}
		const character = source[at];
		if (character === "{") depth++;
		else if (character === "}" && depth-- === 0) return at;
		else if (source.startsWith("//", at)) at = lineEnd(source, at);
		at++;
	}
	return undefined;
}

/** Behind the string literal or the whole word at `at`, so that the `r` in `bar"x"` is no prefix. */
function behindWordOrString(source: string, at: number): number | undefined {
	const string = skipString(source, at);
	if (string !== undefined) return string;
	const word = /\w+/y;
	word.lastIndex = at;
	return word.test(source) ? word.lastIndex : undefined;
}

/** The last character of the line. */
function lineEnd(source: string, at: number): number {
	const rest = source.slice(at).search(/[\r\n]/);
	return rest < 0 ? source.length : at + rest;
}

function templateOf(parts: readonly Part[]): Template {
	const [only] = parts;
	const literal =
		parts.length === 0 ? "" : parts.length === 1 && typeof only === "string" ? only : undefined;
	return {
		literal,
		render(attributes) {
			let text = "";
			for (const part of parts) {
				if (typeof part === "string") {
					text += part;
					continue;
				}
				const value = part.evaluate(attributes);
				if (value instanceof EvaluationFailure) return value;
				const rendered = renderedValue(value);
				if (rendered instanceof EvaluationFailure) return rendered;
				text += rendered;
				if (text.length > LIMITS.evaluationTextCharacters) {
					return new EvaluationFailure("the text becomes too long");
				}
			}
			return text;
		},
	};
}

function renderedValue(value: Parameters<typeof textOf>[0]): string | EvaluationFailure {
	try {
		return textOf(value);
	} catch (error) {
		return new EvaluationFailure(error instanceof Error ? error.message : String(error));
	}
}

/**
 * Texts with `${expression}` in them (contract 5): finds the expressions, and renders. `$${` is a
 * literal `${`. `policy/` calls `templateProgram` for plain data that any thread can run, and `openTemplate`
 * where the template is rendered.
 */
import { fail, ok, type Result } from "../errors.ts";
import { LIMITS } from "../limits/limits.ts";
import type { Declared } from "./check/declared.ts";
import { type Inspect, partProgram, placedFaults } from "./compile.ts";
import {
	type EvaluationFailure,
	type ExpressionProblem,
	Overrun,
	type Phase,
	type Template,
	type ValueTemplate,
} from "./expression.ts";
import type { ExpressionProgram } from "./expression-program.ts";
import { skipString } from "./parse/lexer.ts";
import { type Fault, problemAt } from "./problem.ts";
import { OpenExpression } from "./program.ts";
import type { Value } from "./values/value.ts";

export interface TemplateProgram {
	/** texts as they are, and expressions in between */
	readonly parts: readonly (string | ExpressionProgram)[];
}

/**
 * Problems of all expressions, each at its place in the whole text.
 * @param wants `value`: a text that is one expression and nothing else keeps the value's type
 */
export function templateProgram(
	source: string,
	phase: Phase,
	inspect?: Inspect,
	wants: "text" | "value" = "text",
): Result<TemplateProgram, readonly ExpressionProblem[]> {
	const parts: (string | ExpressionProgram)[] = [];
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
		const expression = source.slice(next + 2, end);
		const isWhole = next === 0 && end === source.length - 1;
		const part = partProgram(expression, phase, isWhole ? wants : "text", inspect);
		if (part.ok) {
			parts.push(literal, part.value);
			literal = "";
		} else {
			problems.push(...part.error.map((fault) => problemAt(source, fault, next + 2)));
		}
		at = end + 1;
		if (problems.length >= LIMITS.problemsPerExpression) break;
	}
	parts.push(literal + source.slice(at));
	return problems.length > 0 ? fail(problems) : ok({ parts: parts.filter((part) => part !== "") });
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

export function openTemplate({ parts }: TemplateProgram): Template {
	const [only = ""] = parts;
	if (parts.length <= 1 && typeof only === "string") return new PlainText(only);
	const open = parts.map((part) =>
		typeof part === "string" ? part : new OpenExpression<string>(part),
	);
	return {
		literal: undefined,
		render(attributes, settled) {
			let text = "";
			for (const part of open) {
				const rendered = typeof part === "string" ? part : part.evaluate(attributes, settled);
				if (typeof rendered !== "string") return rendered;
				text += rendered;
				if (text.length > LIMITS.evaluationTextCharacters) return TOO_LONG;
			}
			return text;
		},
	};
}

/** Most texts: without an expression. */
class PlainText implements Template {
	readonly literal: string;

	constructor(literal: string) {
		this.literal = literal;
	}

	render(): string | EvaluationFailure {
		return this.literal.length > LIMITS.evaluationTextCharacters ? TOO_LONG : this.literal;
	}
}

/** Of a program that was made for a value. */
export function openValue(program: TemplateProgram): ValueTemplate {
	const [only] = program.parts;
	if (typeof only !== "object" || only.wants !== "value") {
		const template = openTemplate(program);
		const evaluate: ValueTemplate["evaluate"] = (attributes, settled) =>
			template.render(attributes, settled);
		return { literal: template.literal, type: undefined, evaluate };
	}
	const open = new OpenExpression<Value>(only);
	return {
		literal: undefined,
		type: only.type ?? "dyn",
		evaluate: (attributes, settled) => open.evaluate(attributes, settled),
	};
}

/** The faults that expressions of a template have at their place in a document (`placedFaults`). */
export function placedProblems(
	source: string,
	{ parts }: TemplateProgram,
	declared: Declared,
): readonly ExpressionProblem[] {
	const problems: ExpressionProblem[] = [];
	let at = 0;
	for (const part of parts) {
		if (typeof part === "string") continue;
		const start = source.indexOf(`\${${part.source}}`, at) + 2;
		at = start + part.source.length;
		if (part.results === undefined) continue;
		const faults = placedFaults(part.source, part, declared);
		problems.push(...faults.map((fault) => problemAt(source, fault, start)));
	}
	return problems;
}

const TOO_LONG = new Overrun("the text becomes too long");

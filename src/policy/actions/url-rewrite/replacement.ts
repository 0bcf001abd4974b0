/**
 * The `to` of a url-rewrite (contract 5): literal text, groups of the pattern, variables of the URL and, with
 * `format: cel`, expressions. Parsed once by `url-rewrite.ts`; `run.ts` fills it in.
 *
 * Decided here where the contract is silent: a group beats a variable of the same name, because the pattern's
 * author chose it; `$12` is group 1 and a `2`, as in nginx, `${12}` is group 12; `$$` is a literal `$`; a `$`
 * before anything else is a literal too; the variables exist in both formats.
 */
import type { Pattern, Phase, Template } from "../../../cel/expression.ts";
import { nearest, quoted } from "../../../documents/nearest.ts";
import { fail, ok, type Result } from "../../../errors.ts";
import type { Compiler } from "../../programs/compiler.ts";
import type { FieldProblem } from "../../programs/problem.ts";
import { endOfInterpolation } from "./interpolation.ts";
import { isUrlVariable, URL_VARIABLE_NAMES } from "./variables.ts";

export type ReplacementPart =
	| { readonly kind: "literal"; readonly text: string }
	/** number counts from 1 */
	| { readonly kind: "group"; readonly number: number }
	/** a name of `variables.ts` */
	| { readonly kind: "variable"; readonly name: string }
	| { readonly kind: "template"; readonly template: Template };

export interface ReplacementContext {
	readonly format: "nginx" | "cel";
	/** undefined if the pattern is refused: groups can't be checked then */
	readonly pattern: Pattern | undefined;
	readonly phase: Phase;
	readonly compiler: Compiler;
}

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const BRACED = /\{([A-Za-z_][A-Za-z0-9_]*|[0-9]{1,5})\}/y;
const PATH: readonly PropertyKey[] = ["to"];

export function parseReplacement(
	text: string,
	context: ReplacementContext,
): Result<readonly ReplacementPart[], readonly FieldProblem[]> {
	const parts: ReplacementPart[] = [];
	const problems: FieldProblem[] = [];
	let literal = "";
	let index = 0;
	while (index < text.length) {
		const dollar = text.indexOf("$", index);
		const end = dollar < 0 ? text.length : dollar;
		literal += text.slice(index, end);
		if (dollar < 0) break;
		const reference = referenceAt(text, dollar, context);
		index = reference.end;
		if ("problems" in reference) problems.push(...reference.problems);
		else if (reference.part.kind === "literal") literal += reference.part.text;
		else {
			if (literal !== "") parts.push({ kind: "literal", text: literal });
			literal = "";
			parts.push(reference.part);
		}
	}
	if (literal !== "") parts.push({ kind: "literal", text: literal });
	return problems.length > 0 ? fail(problems) : ok(parts);
}

type Reference = { readonly end: number } & (
	| { readonly part: ReplacementPart }
	| { readonly problems: readonly FieldProblem[] }
);

function referenceAt(text: string, dollar: number, context: ReplacementContext): Reference {
	const after = dollar + 1;
	if (text[after] === "$") return { part: { kind: "literal", text: "$" }, end: after + 1 };
	if (text[after] === "{") return bracedAt(text, dollar, context);
	const digit = text[after] ?? "";
	if (/^[0-9]$/.test(digit)) return group(Number(digit), `$${digit}`, after + 1, context);
	NAME.lastIndex = after;
	const name = NAME.exec(text)?.[0];
	if (name === undefined) return { part: { kind: "literal", text: "$" }, end: after };
	return named(name, after + name.length, context);
}

function bracedAt(text: string, dollar: number, context: ReplacementContext): Reference {
	BRACED.lastIndex = dollar + 1;
	const name = BRACED.exec(text)?.[1];
	const end = BRACED.lastIndex;
	if (name !== undefined && /^[0-9]/.test(name)) {
		return group(Number(name), `\${${name}}`, end, context);
	}
	if (name !== undefined && (context.format === "nginx" || isKnown(name, context.pattern))) {
		return named(name, end, context);
	}
	const close = endOfInterpolation(text, dollar);
	if (close < 0) {
		return refused("template_syntax", `"\${" at character ${dollar + 1} has no end`, text.length);
	}
	const source = text.slice(dollar, close);
	if (context.format === "nginx") {
		const message = `${quoted(source)} is no group or variable; for CEL expressions set "format": "cel"`;
		return refused("unknown_variable", message, close);
	}
	const template = context.compiler.field(source, context.phase, PATH);
	return template.ok
		? { part: { kind: "template", template: template.value }, end: close }
		: { problems: template.error, end: close };
}

const isKnown = (name: string, pattern: Pattern | undefined): boolean =>
	pattern?.groupNames.has(name) === true || isUrlVariable(name);

function group(
	number: number,
	written: string,
	end: number,
	{ pattern }: ReplacementContext,
): Reference {
	if (number >= 1 && (pattern === undefined || number <= pattern.groupCount)) {
		return { part: { kind: "group", number }, end };
	}
	const has = pattern?.groupCount ?? 0;
	const message =
		number === 0
			? `"${written}" is no group; groups count from 1`
			: `"${written}" names a group that "from" doesn't have; it has ${has}`;
	return refused("unknown_group", message, end);
}

function named(name: string, end: number, { pattern }: ReplacementContext): Reference {
	const number = pattern?.groupNames.get(name);
	if (number !== undefined) return { part: { kind: "group", number }, end };
	if (isUrlVariable(name)) return { part: { kind: "variable", name }, end };
	// the groups of a refused pattern are not known; the pattern's own problem is reported
	if (pattern === undefined) return { part: { kind: "literal", text: "" }, end };
	const valid = [...pattern.groupNames.keys(), ...URL_VARIABLE_NAMES];
	const meant = nearest(name, valid);
	const hint = meant === undefined ? `; valid: ${valid.map((one) => `$${one}`).join(", ")}` : "";
	const message = `unknown variable ${quoted(`$${name}`)}${meant === undefined ? hint : `; did you mean "$${meant}"?`}`;
	return refused("unknown_variable", message, end);
}

const refused = (code: string, message: string, end: number): Reference => ({
	problems: [{ path: PATH, code, message }],
	end,
});

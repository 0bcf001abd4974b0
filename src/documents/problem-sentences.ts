/**
 * One sentence for each kind of mistake that a schema finds: what was expected, what came. Used by
 * `problems.ts`, which knows where the mistake sits.
 */
import type { z } from "zod";
import { quoted, suggestion } from "./nearest.ts";

export type Issue = z.core.$ZodIssue;

export interface Sentence {
	readonly code: string;
	readonly message: string;
}

/** @param value what the document holds at the place of the issue; undefined if nothing */
export function sentenceFor(issue: Issue, value: unknown): Sentence {
	switch (issue.code) {
		case "invalid_type":
			return wrongType(typeName(issue.expected), value);
		case "invalid_union":
			return issue.discriminator === undefined
				? wrongType(alternatives(issue.errors), value)
				: wrongValue("options" in issue ? (issue.options ?? []) : [], value);
		case "invalid_value":
			return wrongValue(issue.values, value);
		case "too_small":
			return { code: "too_small", message: outOfBounds("at least", issue.minimum, issue, value) };
		case "too_big":
			return { code: "too_big", message: outOfBounds("at most", issue.maximum, issue, value) };
		case "invalid_format":
			return { code: "invalid_value", message: formatSentence(issue) };
		case "custom":
			return { code: customCode(issue.params), message: issue.message };
		case "not_multiple_of":
			return { code: "invalid_value", message: `must be a multiple of ${issue.divisor}` };
		default:
			return { code: "invalid_value", message: "is not allowed here" };
	}
}

const customCode = (params: Record<string, unknown> | undefined): string =>
	typeof params?.code === "string" ? params.code : "invalid_value";

const TYPE_NAMES: Readonly<Record<string, string>> = {
	string: "a string",
	number: "a number",
	int: "an integer",
	boolean: "true or false",
	array: "a list",
	object: "an object",
	record: "an object",
	null: "null",
};

const typeName = (expected: string): string => TYPE_NAMES[expected] ?? expected;

/** What a value is, for "expected …, got …". */
export function described(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "a list";
	if (typeof value === "string") return `the string ${quoted(value)}`;
	if (typeof value === "number") return `the number ${value}`;
	if (typeof value === "boolean") return String(value);
	return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function wrongType(expected: string, value: unknown): Sentence {
	return value === undefined
		? { code: "required", message: `is required: ${expected}` }
		: {
				code: "wrong_type",
				message: `expected ${expected}, got ${described(value)}${listForm(expected, value)}`,
			};
}

/** One element is a list, too: what is forgotten most are the brackets. */
function listForm(expected: string, value: unknown): string {
	const isOne = typeof value === "object" && value !== null && !Array.isArray(value);
	return isOne && expected.includes("a list") ? "; a list of one is [{…}]" : "";
}

function alternatives(branches: readonly (readonly Issue[])[]): string {
	const names = branches.flatMap((issues) =>
		issues.flatMap((issue) => (issue.code === "invalid_type" ? [typeName(issue.expected)] : [])),
	);
	const distinct = [...new Set(names)];
	if (distinct.length <= 2) return distinct.join(" or ") || "another type";
	return `${distinct.slice(0, -1).join(", ")}, or ${distinct.at(-1)}`;
}

function wrongValue(options: readonly unknown[], value: unknown): Sentence {
	const valid = options.map(String);
	const names = options.map((each) => (typeof each === "string" ? `"${each}"` : each)).join(", ");
	const among = valid.length === 1 ? names : `one of ${names}`;
	if (value === undefined) return { code: "required", message: `is required: ${among}` };
	if (typeof value !== "string" || !options.some((each) => typeof each === "string")) {
		return { code: "wrong_type", message: `expected ${among}, got ${described(value)}` };
	}
	const meant = suggestion(value, valid);
	const rest = meant === "" ? `; valid values: ${names}` : `${meant} Valid values: ${names}`;
	const message = `unknown value ${quoted(value)}${rest}`;
	return { code: "unknown_value", message };
}

interface Bound {
	readonly origin: string;
	readonly inclusive?: boolean;
}

function outOfBounds(
	relation: string,
	limit: number | bigint,
	{ origin, inclusive }: Bound,
	value: unknown,
): string {
	const plural = limit === 1 ? "" : "s";
	if (typeof value === "string" && origin === "string") {
		// as bounds count them: code points
		return `must have ${relation} ${limit} character${plural}, has ${[...value].length}`;
	}
	if (Array.isArray(value)) {
		return `must have ${relation} ${limit} element${plural}, has ${value.length}`;
	}
	const comparison = relation === "at least" ? "more than" : "less than";
	return `must be ${inclusive === false ? comparison : relation} ${limit}, got ${described(value)}`;
}

function formatSentence(issue: z.core.$ZodIssueInvalidStringFormat): string {
	if (issue.format === "starts_with" && "prefix" in issue)
		return `must start with "${issue.prefix}"`;
	if (issue.format === "ends_with" && "suffix" in issue) return `must end with "${issue.suffix}"`;
	return issue.message === "Invalid input" ? `is no valid ${issue.format}` : issue.message;
}

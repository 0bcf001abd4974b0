/**
 * From a body to a document: JSON with its position on failure, and the fields that the API itself adds
 * to its answers, which clients send back when they PUT what they got.
 */
import type { z } from "zod";
import { parseJson } from "../../documents/json.ts";
import { withoutNulls } from "../../documents/nulls.ts";
import { asProblems, type Finding, findings } from "../../documents/problems.ts";
import type { SyntaxFault } from "../../documents/text.ts";
import { parseYaml } from "../../documents/yaml.ts";
import { ApiError, type Result } from "../../errors.ts";
import type { PolicyFormat } from "../../threads/policy-check.ts";
import { refusedDocument } from "../http/reply.ts";

/** @throws ApiError 400 with line and column */
export function valueIn(body: Uint8Array, format: "json" | "yaml"): unknown {
	const parsed = format === "json" ? parseJson(body) : parseYaml(body);
	if (parsed.ok) return parsed.value.value;
	throw notJson(parsed.error, format);
}

const FORMATS: Readonly<Record<PolicyFormat, string>> = {
	json: "valid JSON",
	yaml: "valid YAML",
	text: "valid JSON or YAML",
};

/** @param at where in the body the text stands, as a JSON pointer */
export function notJson(
	{ message, line, column }: SyntaxFault,
	format: PolicyFormat = "json",
	at = "",
): ApiError {
	const what = at === "" ? "The body" : `The text at ${at}`;
	const problem = `line ${line}, column ${column}: ${message}`;
	return new ApiError("ERR_INVALID_JSON", `${what} is not ${FORMATS[format]}: ${problem}.`, [
		{ pointer: at, code: format === "json" ? "invalid_json" : "invalid_text", message: problem },
	]);
}

/**
 * The document of a PUT: what a client wrote, without the fields that follow from the path.
 * @param own those fields and what they must be, if they are there at all
 * @param what "edge", "route"
 * @throws ApiError 400 with every problem; one is a field of `own` that differs, because the document then
 *   belongs somewhere else
 */
export function documentIn<T>(
	body: Uint8Array,
	schema: z.ZodType<T>,
	own: Readonly<Record<string, string>>,
	what: string,
): T {
	return documentOf(valueIn(body, "json"), schema, own, what);
}

/** As `documentIn`, of a value that was read already. */
export function documentOf<T>(
	value: unknown,
	schema: z.ZodType<T>,
	own: Readonly<Record<string, string>>,
	what: string,
): T {
	const check = (written: unknown) =>
		findings(schema, isObject(written) ? withoutNulls(written, schema) : written);
	return checkedDocument(value, check, own, what);
}

/** As `documentOf`. @param check tells all that is wrong */
export function checkedDocument<T>(
	value: unknown,
	check: (written: unknown) => Result<T, readonly Finding[]>,
	own: Readonly<Record<string, string>>,
	what: string,
): T {
	const checked = check(withoutNames(value, own));
	const elsewhere = misplaced(value, own);
	if (checked.ok && elsewhere.length === 0) return checked.value;
	const found = checked.ok ? elsewhere : [...elsewhere, ...checked.error];
	throw refusedDocument(what, asProblems(found, value));
}

function withoutNames(value: unknown, own: object): unknown {
	if (!isObject(value)) return value;
	return Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(own, name)));
}

function misplaced(value: unknown, own: Readonly<Record<string, string>>): Finding[] {
	if (!isObject(value)) return [];
	return Object.entries(own)
		.filter(([name, expected]) => Object.hasOwn(value, name) && value[name] !== expected)
		.map(([name, expected]) => {
			const message = `follows from the path and is "${expected}"; leave it out or send that`;
			return { path: [name], code: "wrong_value", message };
		});
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

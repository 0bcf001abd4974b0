/**
 * From a body to a document: JSON with its position on failure, and the fields that the API itself adds
 * to its answers, which clients send back when they PUT what they got.
 */
import { ApiError, type Problem } from "../errors.ts";
import { type JsonError, parseJson } from "../json.ts";
import { refusedDocument } from "./reply.ts";

/** @throws ApiError 400 with line and column */
export function jsonIn(body: Uint8Array): unknown {
	const parsed = parseJson(body);
	if (parsed.ok) return parsed.value.value;
	throw notJson(parsed.error);
}

export function notJson({ message, line, column }: JsonError): ApiError {
	return new ApiError(
		"ERR_INVALID_JSON",
		`The body is not valid JSON: line ${line}, column ${column}: ${message}.`,
		[{ pointer: "", code: "invalid_json", message: `line ${line}, column ${column}: ${message}` }],
	);
}

/**
 * Takes the fields that follow from the path out of `value`.
 * @param own those fields and what they must be, if they are there at all
 * @throws ApiError 400 if one differs: the document belongs somewhere else
 */
export function withoutOwnFields(
	value: unknown,
	own: Readonly<Record<string, string>>,
	what: string,
): unknown {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
	const problems: Problem[] = [];
	const rest: [string, unknown][] = [];
	for (const [name, content] of Object.entries(value)) {
		const expected = Object.hasOwn(own, name) ? own[name] : undefined;
		if (expected === undefined) rest.push([name, content]);
		else if (content !== expected) {
			const message = `follows from the path and is "${expected}"; leave it out or send that`;
			problems.push({ pointer: `/${name}`, code: "wrong_value", message });
		}
	}
	if (problems.length > 0) throw refusedDocument(what, problems);
	return Object.fromEntries(rest);
}

/** Checks the headers of a custom-response and compiles their values. Used by `custom-response.ts`. */
import { asciiLowerCase } from "../../../ascii.ts";
import type { Phase, Template } from "../../../cel/expression.ts";
import { quoted } from "../../../documents/nearest.ts";
import { fail, ok, type Result } from "../../../errors.ts";
import { FRAMING, HOP_BY_HOP, isFieldName } from "../../../http/fields.ts";
import { LIMITS } from "../../../limits/limits.ts";
import { isObject, isText, member } from "../../document/members.ts";
import type { Compiler } from "../../programs/compiler.ts";
import type { FieldProblem } from "../../programs/problem.ts";
import { valueMistake } from "../headers.ts";

export interface Header {
	readonly name: string;
	readonly value: Template;
}

/** The headers of the field `headers`, then the content type of `content_type`. */
export function prepareHeaders(
	config: Readonly<Record<string, unknown>>,
	phase: Phase,
	compiler: Compiler,
): Result<readonly Header[], readonly FieldProblem[]> {
	const problems: FieldProblem[] = [];
	const headers: Header[] = [];
	const seen = new Set<string>();
	const add = (name: string, text: unknown, path: readonly string[]): void => {
		const lower = asciiLowerCase(name);
		const refused = refusal(name, lower, text, seen);
		if (refused !== undefined) problems.push({ path, code: "invalid_header", message: refused });
		seen.add(lower);
		if (!isText(text, LIMITS.headerValueBytes)) return;
		const value = compiler.field(text, phase, path);
		if (!value.ok) problems.push(...value.error);
		else headers.push({ name, value: value.value });
	};
	const submitted = member(config, "headers");
	if (isObject(submitted))
		for (const name of Object.keys(submitted)) add(name, submitted[name], ["headers", name]);
	const contentType = member(config, "content_type");
	if (contentType !== undefined) add("content-type", contentType, ["content_type"]);
	return problems.length > 0 ? fail(problems) : ok(headers);
}

function refusal(
	name: string,
	lower: string,
	value: unknown,
	seen: ReadonlySet<string>,
): string | undefined {
	if (!isFieldName(name)) return `${quoted(name)} is no header name`;
	if (FRAMING.has(lower)) return `${quoted(name)} frames the response; the server writes it`;
	if (HOP_BY_HOP.has(lower)) return `${quoted(name)} is a hop-by-hop header; it can't be set`;
	if (seen.has(lower)) return `${quoted(name)} is given twice; header names ignore case`;
	return valueMistake(name, value);
}

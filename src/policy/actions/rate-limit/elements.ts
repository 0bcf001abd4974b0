/**
 * The elements of a `bucket_key` as they are written (contract 5): one of four forms, or any expression over inbound
 * variables whose values can be told apart. Used by `limit.ts`.
 */
import { quoted } from "../../../documents/nearest.ts";
import { LIMITS } from "../../../limits/limits.ts";
import { isText, member } from "../../document/members.ts";
import type { Compiler } from "../../programs/compiler.ts";
import type { FieldProblem } from "../../programs/problem.ts";
import { canonicalElement, type KeyElement, parseKeyForm } from "./bucket-key.ts";
import { mayBeKey } from "./typed-part.ts";

/** In canonical order: `bucket_key` is a set. Passes over what the schema reports. */
export function keyElements(
	config: Readonly<Record<string, unknown>>,
	compiler: Compiler,
	problems: FieldProblem[],
): readonly KeyElement[] {
	const elements = new Map<string, KeyElement>();
	const submitted = member(config, "bucket_key");
	for (const [index, text] of (Array.isArray(submitted) ? submitted : []).entries()) {
		if (!isText(text, LIMITS.expressionBytes)) continue;
		const path = ["bucket_key", index];
		const element = elementOf(text, path, compiler, problems);
		if (element === undefined) continue;
		const canonical = canonicalElement(element);
		if (elements.has(canonical)) {
			const message = `is the same element as another one: ${canonical}`;
			problems.push({ path, code: "duplicate", message });
		}
		elements.set(canonical, element);
	}
	if (elements.size < 2) return [...elements.values()];
	const sorted = [...elements].sort(([one], [other]) => (one < other ? -1 : 1));
	return sorted.map(([, element]) => element);
}

const NEARLY_A_FORM = /^[\w.]+(?:\[.*\]|\(.*\))?$/s;

function elementOf(
	text: string,
	path: readonly PropertyKey[],
	compiler: Compiler,
	problems: FieldProblem[],
): KeyElement | undefined {
	const source = text.trim();
	const form = parseKeyForm(source);
	if (form.ok) return form.value;
	// The header of no name is an expression, too, and its value always the same.
	const isNoName = form.error.endsWith("is no header name");
	const value = isNoName ? undefined : compiler.expressionField(source, "inbound", path);
	if (value?.ok !== true) {
		// Who wrote `conn.ip` is helped by the form that is meant, not by what is wrong with the expression.
		const isMeant = isNoName || (NEARLY_A_FORM.test(source) && form.error.includes("did you mean"));
		if (isMeant) problems.push({ path, code: "invalid_value", message: form.error });
		else problems.push(...(value?.error ?? []));
		return undefined;
	}
	const { type = "dyn" } = value.value;
	if (!mayBeKey(type)) {
		const message = `${quoted(source)} is a ${type}; an element of a key is a string, int, uint, bool, double, or a list or map of these`;
		problems.push({ path, code: "expression_type", message });
		return undefined;
	}
	return { kind: "expression", source, value: value.value };
}

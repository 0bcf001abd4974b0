/**
 * The text that a template shows for a value (contract 5): the text of `string()`, nothing for null, JSON for lists
 * and maps, for an optional the text of the value in it. Called by lowered templates.
 */

import { jsonOf } from "./json-text.ts";
import { scalarText } from "./scalar-text.ts";
import { isList } from "./types.ts";
import { Optional, type Value, ValueMap } from "./value.ts";

/** Hot. @throws EvaluationFailure for bytes that are no UTF-8 and what `jsonOf` refuses, OutOfBudget */
export function textOf(value: Value): string {
	if (typeof value === "string") return value;
	if (value === null) return "";
	if (isList(value) || value instanceof ValueMap) return jsonOf(value);
	if (value instanceof Optional) return value.value === undefined ? "" : textOf(value.value);
	return scalarText(value);
}

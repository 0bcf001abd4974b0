/** What actions with header fields share: which names and values are refused, and values at run time. */
import { asciiLowerCase } from "../../ascii.ts";
import type { Settled, Suspension, Template } from "../../cel/expression.ts";
import { quoted } from "../../documents/nearest.ts";
import { FRAMING, HOP_BY_HOP, isFieldName, isFieldValue } from "../../http/fields.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Outcome, Place, PolicyExchange } from "../exchange.ts";
import { FAILED } from "../outcomes.ts";
import { rendered } from "./rendered.ts";

export interface HeaderTemplate {
	readonly name: string;
	readonly value: Template;
}

/** Why no action may set or remove this field; undefined if one may. */
export function fieldMistake(name: string): string | undefined {
	const lower = asciiLowerCase(name);
	if (!isFieldName(name)) return `${quoted(name)} is no header name`;
	if (FRAMING.has(lower)) return `${quoted(name)} frames the message; the server writes it`;
	if (HOP_BY_HOP.has(lower)) return `${quoted(name)} belongs to the connection; no rule changes it`;
	return undefined;
}

/** Why a value can't be sent, as far as it is known before its expressions are filled in; undefined if it may be. */
export const valueMistake = (name: string, value: unknown): string | undefined =>
	typeof value !== "string" || isFieldValue(value)
		? undefined
		: `the value of ${quoted(name)} holds a line break, NUL or another control character`;

type Filled = readonly (readonly [name: string, value: string])[];

/** Hot. The lines; else what the action's `run` returns at once, a failure reported. */
export function renderedHeaders(
	headers: readonly HeaderTemplate[],
	exchange: PolicyExchange,
	place: Place,
	settled: Settled | undefined,
): Filled | Outcome | Suspension {
	const lines: (readonly [string, string])[] = [];
	for (const { name, value } of headers) {
		const text = rendered(value, exchange, place, settled);
		if (typeof text !== "string") return text;
		if (!isFieldValue(text) || Buffer.byteLength(text) > LIMITS.headerValueBytes) {
			exchange.expressionFailed(place, `the value of header "${name}" can't be sent`);
			return FAILED;
		}
		lines.push([name, text]);
	}
	return lines;
}

export const isFilled = (lines: Filled | Outcome | Suspension): lines is Filled =>
	Array.isArray(lines);

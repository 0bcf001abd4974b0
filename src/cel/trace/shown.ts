/**
 * Values of expressions as a person would write them in one: `"GET"`, `5`, `["a", "b"]`, `timestamp("…")`. Cut where they
 * are long. Used by `trace.ts` and by who tells of whole expressions.
 */
import { LIMITS } from "../../limits/limits.ts";
import { doubleText, scalarText } from "../values/scalar-text.ts";
import { isList } from "../values/types.ts";
import {
	Duration,
	Optional,
	Timestamp,
	TypeValue,
	Uint,
	type Value,
	ValueMap,
} from "../values/value.ts";

/** elements and entries that are shown of one list or map */
const ELEMENTS = 16;
/** lists in lists that are shown */
const DEPTH = 4;
const MORE = "…";

/** @param isInt the value is an int that travels as a number */
export function shownValue(value: Value, isInt = false): string {
	const text = isInt && typeof value === "number" ? String(value) : shown(value, 0);
	return cut(text, LIMITS.shownValueCharacters);
}

const cut = (text: string, most: number): string =>
	text.length > most ? `${text.slice(0, most - 1)}${MORE}` : text;

function shown(value: Value, depth: number): string {
	if (typeof value === "string") return JSON.stringify(cut(value, LIMITS.shownValueCharacters));
	if (value === null || typeof value === "boolean" || typeof value === "bigint") {
		return String(value);
	}
	if (typeof value === "number") return double(value);
	if (value instanceof Uint) return `${value.value}u`;
	if (value instanceof Uint8Array) return `b"${hex(value)}"`;
	if (value instanceof Timestamp) return `timestamp("${scalarText(value)}")`;
	if (value instanceof Duration) return `duration("${scalarText(value)}")`;
	if (value instanceof TypeValue) return value.name;
	if (depth >= DEPTH) return MORE;
	if (value instanceof Optional) {
		return value.value === undefined
			? "optional.none()"
			: `optional.of(${shown(value.value, depth + 1)})`;
	}
	if (value instanceof ValueMap) return map(value, depth);
	return isList(value) ? list(value, depth) : "";
}

/** A double that is whole reads as one. */
const double = (value: number): string =>
	Number.isInteger(value) && Math.abs(value) < 1e15 ? `${doubleText(value)}.0` : doubleText(value);

const hex = (bytes: Uint8Array): string =>
	Array.from(bytes.subarray(0, ELEMENTS), (byte) => `\\x${byte.toString(16).padStart(2, "0")}`)
		.concat(bytes.length > ELEMENTS ? [MORE] : [])
		.join("");

function list(values: readonly Value[], depth: number): string {
	const elements = values.slice(0, ELEMENTS).map((each) => shown(each, depth + 1));
	return `[${withMore(elements, values.length).join(", ")}]`;
}

function map(value: ValueMap, depth: number): string {
	const keys = value.keys();
	const entries = keys.slice(0, ELEMENTS).map((key) => {
		const held = shown(value.get(key) ?? null, depth + 1);
		return `${shown(key, depth + 1)}: ${held}`;
	});
	return `{${withMore(entries, keys.length).join(", ")}}`;
}

const withMore = (texts: readonly string[], count: number): readonly string[] =>
	count > texts.length ? [...texts, MORE] : texts;

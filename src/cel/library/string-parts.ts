/**
 * Strings taken apart and put together: places, slices, replacements and lists of strings (strings
 * extension of CEL). Called through the definitions in `strings.ts`.
 */
import { charge } from "../budget.ts";
import { EvaluationFailure } from "../expression.ts";
import { boundedText } from "../values/concatenation.ts";
import { characterAt, checkedUnit, isPlain } from "./characters.ts";
import { firstIndex, lastIndex, pieces } from "./text-search.ts";

/** Nanoseconds for an element of a list that is made or read (measured: 8 to 42). */
export const ELEMENT_NS = 35;
/** Units of a text that is split before it is known into how many parts; takes half a millisecond at most. */
const LONG_TEXT = 16_384;
/** Nanoseconds for a character of a text that is made, as `boundedText` charges them. */
export const COPY_NS = 0.5;

export function contains(text: string, part: string): boolean {
	return firstIndex(text, part, 0) >= 0;
}

export function charAt(text: string, index: number): string {
	const code = text.codePointAt(checkedUnit(text, index));
	return code === undefined ? "" : String.fromCodePoint(code);
}

export function indexOf(text: string, part: string, from = 0): number {
	const found = firstIndex(text, part, checkedUnit(text, from));
	return found < 0 ? -1 : characterAt(text, found);
}

export function lastIndexOf(text: string, part: string, from?: number): number {
	const start = from === undefined ? text.length : checkedUnit(text, from);
	const found = lastIndex(text, part, start);
	return found < 0 ? -1 : characterAt(text, found);
}

export function substring(text: string, start: number, end?: number): string {
	const first = checkedUnit(text, start);
	if (end === undefined) return text.slice(first);
	const last = checkedUnit(text, end);
	if (first > last) throw new EvaluationFailure(`the end ${end} is before the start ${start}`);
	return text.slice(first, last);
}

/** The first `count` occurrences; all of them if it is negative. An empty `part` is around every character. */
export function replace(text: string, part: string, replacement: string, count = -1): string {
	if (count === 0) return text;
	const kept = part === "" ? ["", ...charactersOf(text), ""] : split(text, part);
	const joined = withRest(kept, part, count < 0 ? -1 : count + 1);
	const length = text.length + replacement.length * (joined.length - 1);
	boundedText(length);
	return joined.join(replacement);
}

/** @param count at most so many parts, the last with all the rest; all parts if it is negative */
export function split(text: string, separator: string, count = -1): readonly string[] {
	if (count === 0) return [];
	if (separator === "") return withRest(charactersOf(text), "", count);
	if (count === 1) return [text];
	// at worst every unit is a separator; in a text of some size that is not found out for nothing
	if (text.length > LONG_TEXT) charge((text.length / separator.length) * ELEMENT_NS);
	const parts = pieces(text, separator);
	if (text.length <= LONG_TEXT) charge(parts.length * ELEMENT_NS);
	return withRest(parts, separator, count);
}

function withRest(parts: readonly string[], separator: string, count: number): readonly string[] {
	if (count < 0 || parts.length <= count) return parts;
	const kept = parts.slice(0, count - 1);
	kept.push(parts.slice(count - 1).join(separator));
	return kept;
}

export function charactersOf(text: string): string[] {
	charge(text.length * ELEMENT_NS);
	return isPlain(text) ? text.split("") : [...text];
}

/** A list of unknown elements may hold anything. */
export function join(list: readonly unknown[], separator = ""): string {
	charge(list.length * ELEMENT_NS);
	let length = 0;
	for (const part of list) {
		if (typeof part !== "string") throw new EvaluationFailure("join takes a list of strings only");
		length += part.length + separator.length;
	}
	boundedText(length - separator.length);
	return list.join(separator);
}

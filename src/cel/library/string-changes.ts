/**
 * Strings whose characters are changed: trimmed, cased, reversed, quoted (strings extension of CEL).
 * Called through the table in `strings.ts`.
 */
import { boundedText } from "../values/concatenation.ts";
import { chargeCharacters, wellFormed } from "./characters.ts";
import { charactersOf } from "./string-parts.ts";

const WHITE_SPACE =
	"[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const LEADING = new RegExp(`^${WHITE_SPACE}+`);
const WHITE = new RegExp(WHITE_SPACE);

/** Unicode's white space; from the end by hand, since a pattern would try at every space within. */
export function trim(text: string): string {
	const start = LEADING.exec(text)?.[0].length ?? 0;
	let end = text.length;
	while (end > start && WHITE.test(text[end - 1] ?? "")) end--;
	chargeCharacters(start + text.length - end, TRIM_NS);
	return start === 0 && end === text.length ? text : text.slice(start, end);
}
/** Nanoseconds for a space at the end. */
export const TRIM_NS = 40;

const HAS_UPPER = /[A-Z]/;
const HAS_LOWER = /[a-z]/;
const BEYOND_ASCII = /[\u0080-\uffff]/;

export function lowerAscii(text: string): string {
	chargeCharacters(text.length, CASE_NS);
	if (!HAS_UPPER.test(text)) return text;
	if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
	return text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
}

export function upperAscii(text: string): string {
	chargeCharacters(text.length, CASE_NS);
	if (!HAS_LOWER.test(text)) return text;
	if (!BEYOND_ASCII.test(text)) return text.toUpperCase();
	return text.replace(/[a-z]+/g, (part) => part.toUpperCase());
}
/** Nanoseconds a character, at worst: letters of ASCII one by one between others. */
export const CASE_NS = 60;

export const reverse = (text: string): string => charactersOf(text).reverse().join("");

/** In double quotes, with escapes for what CEL's literals escape. */
export function quote(text: string): string {
	chargeCharacters(text.length, QUOTE_NS);
	boundedText(text.length * 2 + 2);
	return `"${wellFormed(text).replace(ESCAPED, (character) => ESCAPES.get(character) ?? character)}"`;
}
/** Nanoseconds a character, at worst: all are escaped. */
export const QUOTE_NS = 80;
const ESCAPED = /["\\\p{Cc}]/gu;
const ESCAPES: ReadonlyMap<string, string> = new Map([
	["\x07", "\\a"],
	["\b", "\\b"],
	["\t", "\\t"],
	["\n", "\\n"],
	["\v", "\\v"],
	["\f", "\\f"],
	["\r", "\\r"],
	['"', '\\"'],
	["\\", "\\\\"],
]);

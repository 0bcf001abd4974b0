/**
 * Trims strings, changes the case of their letters, reverses and quotes them (strings extension of CEL). Called
 * through the definitions in `strings.ts` and `lists.ts`.
 */
import { charge } from "../budget.ts";
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
/** between the two cases of a letter */
const CASE_BIT = 32;

export function lowerAscii(text: string): string {
	chargeCharacters(text.length, CASE_NS);
	if (!HAS_UPPER.test(text)) return text;
	return BEYOND_ASCII.test(text) ? turned(text, "A", "Z") : text.toLowerCase();
}

export function upperAscii(text: string): string {
	chargeCharacters(text.length, CASE_NS);
	if (!HAS_LOWER.test(text)) return text;
	return BEYOND_ASCII.test(text) ? turned(text, "a", "z") : text.toUpperCase();
}

/** With letters from `first` to `last` in the other case. */
function turned(text: string, first: string, last: string): string {
	chargeCharacters(text.length, TURN_NS);
	const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
	const units = Buffer.from(text, "utf16le");
	for (let at = 0; at < units.length; at += 2) {
		const unit = units[at] ?? 0;
		if (unit >= from && unit <= to && units[at + 1] === 0) units[at] = unit ^ CASE_BIT;
	}
	return units.toString("utf16le");
}
/** Nanoseconds a unit: to see whether there is anything to do, and to do it letter by letter. */
const CASE_NS = 2;
const TURN_NS = 6;
export const CASE_COST_NS = CASE_NS + TURN_NS;

export const reverse = (text: string): string => charactersOf(text).reverse().join("");

/** In double quotes, with escapes for what CEL's literals escape. */
export function quote(text: string): string {
	boundedText(text.length * 2 + 2);
	const sound = wellFormed(text);
	if (!HAS_ESCAPED.test(sound)) return `"${sound}"`;
	charge(sound.length * QUOTE_NS);
	return `"${sound.replace(ESCAPED, (character) => ESCAPES.get(character) ?? character)}"`;
}
/** Nanoseconds a character, at worst: all are escaped. */
const QUOTE_NS = 70;
export const QUOTE_COST_NS = QUOTE_NS + 30;
const HAS_ESCAPED = /["\\\p{Cc}]/u;
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

/**
 * Texts by characters: CEL counts code points where JavaScript counts UTF-16 units. Most texts have only
 * characters of one unit; for them every function here is one quick test and no more. Shared by the
 * functions over strings.
 */
import { charge } from "../budget.ts";
import { EvaluationFailure } from "../expression.ts";

/**
 * The platform keeps most texts without such characters in bytes, and knows at once that they have none. A part
 * of a text that has some is kept in units of two bytes, and looked at unit by unit.
 */
const BEYOND_LATIN = /[\u0100-\uffff]/;
const SURROGATE = /[\ud800-\udfff]/;

/** Nanoseconds to look at one unit, e.g. in search of surrogates (measured: 1 to 2). */
export const LOOK_NS = 2;
/** Nanoseconds a unit to find that a text is Latin (measured: 0.7 to 1 if its units have two bytes, else nothing). */
export const LATIN_NS = 1;
/** Texts up to this length are looked at without a charge of their own: within what a call costs anyway. */
const FREE_CHARACTERS = 32;

/** Charges for work on every character of a text, unless it is nothing to speak of. */
export function chargeCharacters(length: number, nanosecondsEach: number): void {
	if (length > FREE_CHARACTERS) charge(length * nanosecondsEach);
}

/** Is the text one that the platform keeps in bytes, or could? Charges. */
export function isLatin(text: string): boolean {
	chargeCharacters(text.length, LATIN_NS);
	return !BEYOND_LATIN.test(text);
}

/** Has every character one unit, so that indices need no translation? */
export function isPlain(text: string): boolean {
	if (isLatin(text)) return true;
	chargeCharacters(text.length, LOOK_NS);
	return !SURROGATE.test(text);
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Halves of characters, which JSON's escapes can make, become U+FFFD. */
export const wellFormed = (text: string): string =>
	isPlain(text) ? text : text.replace(LONE_SURROGATE, "\ufffd");

/** Does the unit at `unit` start a character of two units? */
const isPair = (text: string, unit: number): boolean => (text.codePointAt(unit) ?? 0) > 0xffff;

/** Number of characters. */
export function lengthOf(text: string): number {
	return isPlain(text) ? text.length : charactersBefore(text, text.length);
}

function charactersBefore(text: string, end: number): number {
	chargeCharacters(end, LOOK_NS);
	let characters = 0;
	for (let unit = 0; unit < end; unit += isPair(text, unit) ? 2 : 1) characters++;
	return characters;
}

/** The number of the character that starts at `unit`. */
export const characterAt = (text: string, unit: number): number =>
	isPlain(text) ? unit : charactersBefore(text, unit);

/** The unit where the character `index` starts; the index may be the text's length. @throws EvaluationFailure */
export function checkedUnit(text: string, index: number): number {
	if (isPlain(text)) {
		if (index < 0 || index > text.length) throw outside(index, text.length);
		return index;
	}
	chargeCharacters(text.length, LOOK_NS);
	let unit = 0;
	let character = 0;
	for (; character < index && unit < text.length; character++) unit += isPair(text, unit) ? 2 : 1;
	if (index < 0 || character < index) throw outside(index, lengthOf(text));
	return unit;
}

const outside = (index: number, length: number): EvaluationFailure =>
	new EvaluationFailure(
		`index ${index} is outside of the text's ${length} ${length === 1 ? "character" : "characters"}`,
	);

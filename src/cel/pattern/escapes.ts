/**
 * `\n`, `\x41`, `\x{1F600}`, `\101`, `\.`: escapes that stand for one character, inside and outside of
 * classes. Called by `syntax.ts` with the cursor behind the backslash.
 */
import type { PatternCursor } from "./cursor.ts";

const CONTROLS: ReadonlyMap<string, number> = new Map([
	["a", 0x07],
	["f", 0x0c],
	["n", 0x0a],
	["r", 0x0d],
	["t", 0x09],
	["v", 0x0b],
]);

/** a digit other than 0 begins an octal number only if another one follows; alone it would refer back */
const OCTAL = /0[0-7]{0,2}|[1-7][0-7]{1,2}/y;
const HEXADECIMAL = /x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))/y;
const CONTROL = /[afnrtv]/y;
const PUNCTUATION = /[!-/:-@[-`{-~ ]/y;

/** @returns the code point, or undefined for what is no such escape */
export function escapedCodePoint(cursor: PatternCursor): number | undefined {
	const octal = cursor.match(OCTAL);
	if (octal !== undefined) return Number.parseInt(octal[0], 8);
	const hexadecimal = cursor.match(HEXADECIMAL);
	if (hexadecimal !== undefined) {
		return Number.parseInt(hexadecimal[1] ?? hexadecimal[2] ?? "", 16);
	}
	const control = cursor.match(CONTROL);
	if (control !== undefined) return CONTROLS.get(control[0]);
	return cursor.match(PUNCTUATION)?.[0].charCodeAt(0);
}

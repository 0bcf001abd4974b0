/**
 * `(?i)` as a set: a class together with all characters that differ from its members in case only, by
 * Unicode's simple case folding. For ASCII only: its 26 letters, and the Kelvin sign and the long s, which fold
 * to k and s. Case folding beyond ASCII depends on the version of Unicode and is left to RE2.
 */
import { ALL, type CodePoints, codePoints } from "./code-points.ts";

const LAST_ASCII = 0x7f;
const CASE_BIT = 0x20;
/** `k` and `s` have a third form each: U+212A, the Kelvin sign, and U+017F, the long s */
const THIRD_FORMS: ReadonlyMap<number, number> = new Map([
	[0x6b, 0x212a],
	[0x73, 0x017f],
]);

/** @returns undefined if the set has some code points beyond ASCII, but not all code points */
export function caseFolded(set: CodePoints): CodePoints | undefined {
	const last = set.at(-1) ?? 0;
	if (set[0] === ALL[0] && last === ALL[1] && set.length === 2) return set;
	if (last > LAST_ASCII) return undefined;
	const folded = [...set];
	for (let letter = 0x61; letter <= 0x7a; letter++) {
		const upper = letter - CASE_BIT;
		if (!holds(set, letter) && !holds(set, upper)) continue;
		const third = THIRD_FORMS.get(letter) ?? letter;
		folded.push(letter, letter, upper, upper, third, third);
	}
	return codePoints(folded);
}

function holds(set: CodePoints, codePoint: number): boolean {
	for (let index = 0; index < set.length; index += 2) {
		if (codePoint < (set[index] ?? 0)) return false;
		if (codePoint <= (set[index + 1] ?? 0)) return true;
	}
	return false;
}

/**
 * Finds all matches of a pattern in a text by V8, from left to right and without an empty match directly behind
 * another match, as RE2 does it. Replaces the matches in a text, whichever engine has found them. Called by
 * `engines.ts` and `re2.ts`.
 */
import type { Matches, Replacement } from "../expression.ts";

/**
 * @param regexp global
 * @returns undefined if V8's stack of backtracks was full
 */
export function replaceAll(
	regexp: RegExp,
	text: string,
	replacement: Replacement,
): string | undefined {
	let replaced = "";
	let copied = 0;
	const isDone = eachMatch(regexp, text, (match) => {
		replaced += text.slice(copied, match.index) + replacement(match);
		copied = match.index + match[0].length;
		return true;
	});
	return isDone ? replaced + text.slice(copied) : undefined;
}

/**
 * @param regexp global, and with indices
 * @param most matches at which the search ends
 * @returns undefined if V8's stack of backtracks was full
 */
export function findAll(regexp: RegExp, text: string, most: number): Matches | undefined {
	const found: number[] = [];
	let left = most;
	const isDone = eachMatch(regexp, text, ({ indices }) => {
		for (const extent of indices ?? []) found.push(...(extent ?? NO_PART));
		return --left > 0;
	});
	return isDone ? found : undefined;
}

/** of a group that took no part in a match */
const NO_PART = [-1, -1] as const;

/** @param matches as `findAll` has them, of a pattern with so many groups */
export function replaceMatches(
	text: string,
	replacement: Replacement,
	matches: Matches,
	groupCount: number,
): string {
	let replaced = "";
	let copied = 0;
	const width = 2 * (groupCount + 1);
	for (let index = 0; index < matches.length; index += width) {
		const groups: (string | undefined)[] = [];
		for (let at = index; at < index + width; at += 2) {
			const start = matches[at] ?? -1;
			groups.push(start < 0 ? undefined : text.slice(start, matches[at + 1]));
		}
		replaced += text.slice(copied, matches[index]) + replacement(groups);
		copied = matches[index + 1] ?? copied;
	}
	return replaced + text.slice(copied);
}

/**
 * @param visit called with each match; false ends the search
 * @returns false if V8's stack of backtracks was full
 */
function eachMatch(
	regexp: RegExp,
	text: string,
	visit: (match: RegExpExecArray) => boolean,
): boolean {
	let previousEnd = -1;
	for (let from = 0; from <= text.length; ) {
		const match = executed(regexp, text, from);
		if (match === undefined) return false;
		if (match === null) break;
		const start = match.index;
		const end = start + match[0].length;
		from = end === start ? end + 1 : end;
		if (end === start && (start === previousEnd || isWithinPair(text, start))) continue;
		if (!visit(match)) break;
		previousEnd = end;
	}
	return true;
}

/** A replacement may have used the same RegExp: the place to go on from is told each time. */
function executed(regexp: RegExp, text: string, from: number): RegExpExecArray | null | undefined {
	regexp.lastIndex = from;
	try {
		return regexp.exec(text);
	} catch {
		return undefined;
	}
}

const isWithinPair = (text: string, index: number): boolean =>
	index > 0 && index < text.length && (text.codePointAt(index - 1) ?? 0) > 0xffff;

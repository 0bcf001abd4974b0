/**
 * An expression without its texts: what expressions that one tool wrote from a template have in common. Found without
 * reading the expression, so that one whose like was met before need not be parsed. Asked by `moulds.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";

export interface Skeleton {
	/** the source with `''` in place of each text */
	readonly source: string;
	/** the values of the literals, in their order, and where in the source each stands */
	readonly texts: readonly string[];
	readonly offsets: readonly number[];
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DOUBLE_QUOTE = 0x22;
const QUOTE = 0x27;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;

/**
 * One pass over the characters, without patterns, which took a third more: of what it takes to compile an expression whose
 * like is known, this is nearly half (350 of 780 ns; AMD EPYC, four expressions of `bench/routes-store.mjs` by themselves).
 * @returns undefined where it takes reading to tell where texts stand (comments, escapes), or if it is long
 */
export function skeletonOf(source: string): Skeleton | undefined {
	const { length } = source;
	if (length > LIMITS.mouldCharacters) return undefined;
	const texts: string[] = [];
	const offsets: number[] = [];
	let left = "";
	let from = 0;
	let before = 0;
	for (let at = 0; at < length; at++) {
		const code = source.charCodeAt(at);
		if (code === QUOTE || code === DOUBLE_QUOTE) {
			// Two that touch are one in three quotes.
			if (at > 0 && (at === from || isWord(before))) return undefined;
			const end = endOfText(source, at, code);
			if (end < 0) return undefined;
			texts.push(source.slice(at + 1, end));
			offsets.push(at);
			left += `${source.slice(from, at)}''`;
			from = end + 1;
			at = end;
		} else if ((code === SLASH && before === SLASH) || isRefused(code)) return undefined;
		before = code;
	}
	return { source: left + source.slice(from), texts, offsets };
}

/** @returns where it is closed; negative where its value is not just what stands between the quotes, on one line */
function endOfText(source: string, start: number, quote: number): number {
	for (let at = start + 1; at < source.length; at++) {
		const code = source.charCodeAt(at);
		if (code === quote) return at;
		const isPlain = code !== BACKSLASH && code !== LINE_FEED && code !== CARRIAGE_RETURN;
		if (!isPlain || isRefused(code)) return -1;
	}
	return -1;
}

/**
 * Half of a character is refused where it stands (`parse/literal.ts`), and whole ones are rare enough. NUL is what moulds
 * tell texts apart by.
 */
const isRefused = (code: number): boolean => code === 0 || (code >= 0xd800 && code <= 0xdfff);

/** What a text may begin with, or what a name ends with: as `\w` of a pattern. */
const isWord = (code: number): boolean =>
	(code >= 0x61 && code <= 0x7a) ||
	(code >= 0x41 && code <= 0x5a) ||
	(code >= 0x30 && code <= 0x39) ||
	code === 0x5f;

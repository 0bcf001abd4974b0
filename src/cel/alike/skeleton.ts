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

/** A literal without escapes on one line, whose value is what stands between its quotes. */
const PLAIN_TEXT = /'([^'\\\n\r]*)'|"([^"\\\n\r]*)"/g;
/** what a text may begin with, or what a name ends with */
const WORD = /\w/;
const QUOTE_OR_COMMENT = /['"]|\/\//;
/** half of a character is refused where it stands (`parse/literal.ts`) */
const SURROGATE = /[\ud800-\udfff]/;

/** @returns undefined where it takes reading to tell where texts stand (comments, escapes), or if it is long */
export function skeletonOf(source: string): Skeleton | undefined {
	if (source.length > LIMITS.mouldCharacters || SURROGATE.test(source)) return undefined;
	const texts: string[] = [];
	const offsets: number[] = [];
	let left = "";
	let at = 0;
	PLAIN_TEXT.lastIndex = 0;
	for (let match = PLAIN_TEXT.exec(source); match !== null; match = PLAIN_TEXT.exec(source)) {
		const { index } = match;
		// Two that touch are one in three quotes.
		if (index > 0 && (index === at || WORD.test(source.charAt(index - 1)))) return undefined;
		texts.push(match[1] ?? match[2] ?? "");
		offsets.push(index);
		left += `${source.slice(at, index)}''`;
		at = PLAIN_TEXT.lastIndex;
	}
	const rest = source.slice(at);
	left += rest;
	return QUOTE_OR_COMMENT.test(left.replaceAll("''", " "))
		? undefined
		: { source: left, texts, offsets };
}

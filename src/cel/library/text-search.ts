/**
 * Search for a part of a text in time that grows with text and part together, not with their product. The
 * platform's own search is linear for parts up to 250 units; for longer ones (measured: 300 ns a character
 * for a part of 1000) and backwards it compares again and again. Called by `string-parts.ts`.
 */
import { charge } from "../budget.ts";
import { isLatin, LATIN_NS } from "./characters.ts";

/** V8's Boyer-Moore tables cover this much of a part. */
const PLATFORM_PART = 250;
/** units of text times units of part up to which even comparing everything takes next to nothing */
const SMALL_PRODUCT = 2048;

/**
 * Nanoseconds a unit at worst, where every one may begin an occurrence (measured: 6.2); mostly it is 0.01,
 * but a client can send what is slow, even for a part of one unit: the platform looks for it byte by byte.
 */
const SEARCH_NS = 7;
/** a unit of Latin text, when one is looked for (measured: 0.01, backwards 0.6) */
const BYTE_NS = 0.6;
/** units of text times units of part that are searched within what a call costs anyway */
const UNCOUNTED_PRODUCT = 64;

/** Upper bound of a search, in nanoseconds, the look at what kind of text it is included. */
export const searchCost = (text: number, part: number): number =>
	150 + (SEARCH_NS + LATIN_NS) * text + SEARCH_NS * part;

function chargeSearch(text: string, part: string): void {
	if (text.length * part.length <= UNCOUNTED_PRODUCT) return;
	const isByte = part.length === 1 && isLatin(text);
	charge(isByte ? BYTE_NS * text.length : SEARCH_NS * (text.length + part.length));
}

/** Where `part` starts for the first time at or behind `from`, in units; -1 if nowhere. Charges. */
export function firstIndex(text: string, part: string, from: number): number {
	chargeSearch(text, part);
	if (part.length <= PLATFORM_PART || text.length * part.length <= SMALL_PRODUCT) {
		return text.indexOf(part, from);
	}
	return scan(text, part, bordersOf(part), { from, lastStart: text.length, wantsLast: false });
}

/** Where `part` starts for the last time at or before `from`, in units; -1 if nowhere. Charges. */
export function lastIndex(text: string, part: string, from: number): number {
	chargeSearch(text, part);
	if (part.length <= 1 || text.length * part.length <= SMALL_PRODUCT) {
		return text.lastIndexOf(part, from);
	}
	return scan(text, part, bordersOf(part), { from: 0, lastStart: from, wantsLast: true });
}

/** What stands between the occurrences of `part`, which is not empty. Charges for the search alone. */
export function pieces(text: string, part: string): string[] {
	chargeSearch(text, part);
	if (part.length <= PLATFORM_PART) return text.split(part);
	const borders = bordersOf(part);
	const found: string[] = [];
	let end = 0;
	const lastStart = text.length;
	let next = scan(text, part, borders, { from: 0, lastStart, wantsLast: false });
	while (next >= 0) {
		found.push(text.slice(end, next));
		end = next + part.length;
		next = scan(text, part, borders, { from: end, lastStart, wantsLast: false });
	}
	found.push(text.slice(end));
	return found;
}

/**
 * Knuth, Morris and Pratt: for each length of a start of `part`, the longest shorter start of `part` that
 * it ends with.
 */
function bordersOf(part: string): Int32Array {
	const borders = new Int32Array(part.length + 1);
	let matched = 0;
	for (let at = 1; at < part.length; at++) {
		while (matched > 0 && part.charCodeAt(at) !== part.charCodeAt(matched)) {
			matched = borders[matched] ?? 0;
		}
		if (part.charCodeAt(at) === part.charCodeAt(matched)) matched++;
		borders[at + 1] = matched;
	}
	return borders;
}

interface Range {
	readonly from: number;
	readonly lastStart: number;
	/** the last occurrence in the range instead of the first */
	readonly wantsLast: boolean;
}

/** Where an occurrence starts; -1 if there is none. */
function scan(text: string, part: string, borders: Int32Array, range: Range): number {
	const end = Math.min(text.length, range.lastStart + part.length);
	let found = -1;
	let matched = 0;
	for (let at = range.from; at < end; at++) {
		const unit = text.charCodeAt(at);
		while (matched > 0 && unit !== part.charCodeAt(matched)) matched = borders[matched] ?? 0;
		if (unit === part.charCodeAt(matched)) matched++;
		if (matched < part.length) continue;
		found = at - part.length + 1;
		if (!range.wantsLast) return found;
		matched = borders[matched] ?? 0;
	}
	return found;
}

/**
 * Sets of code points, for the character classes of patterns: sorted pairs `[first, last, first, last, …]` that
 * neither touch nor overlap. Used by the parser of patterns and by all readers of its tree.
 */

export type CodePoints = readonly number[];

export const LAST_CODE_POINT = 0x10ffff;
export const NONE: CodePoints = [];
export const ALL: CodePoints = [0, LAST_CODE_POINT];
export const SURROGATES: CodePoints = [0xd800, 0xdfff];

/** @param pairs in any order, possibly overlapping */
export function codePoints(pairs: readonly number[]): CodePoints {
	const ranges: [first: number, last: number][] = [];
	for (let index = 0; index + 1 < pairs.length; index += 2) {
		ranges.push([pairs[index] ?? 0, pairs[index + 1] ?? 0]);
	}
	ranges.sort(([one], [other]) => one - other);
	const sorted: number[] = [];
	for (const [first, last] of ranges) {
		const end = sorted.length - 1;
		const previous = sorted[end];
		if (previous !== undefined && first <= previous + 1) sorted[end] = Math.max(previous, last);
		else sorted.push(first, last);
	}
	return sorted;
}

export function union(one: CodePoints, other: CodePoints): CodePoints {
	if (one.length === 0) return other;
	return other.length === 0 ? one : codePoints([...one, ...other]);
}

export function complement(set: CodePoints): CodePoints {
	const rest: number[] = [];
	let next = 0;
	for (let index = 0; index < set.length; index += 2) {
		const first = set[index] ?? 0;
		if (next < first) rest.push(next, first - 1);
		next = (set[index + 1] ?? 0) + 1;
	}
	if (next <= LAST_CODE_POINT) rest.push(next, LAST_CODE_POINT);
	return rest;
}

export function intersection(one: CodePoints, other: CodePoints): CodePoints {
	const both: number[] = [];
	let left = 0;
	let right = 0;
	while (left < one.length && right < other.length) {
		const leftLast = one[left + 1] ?? 0;
		const rightLast = other[right + 1] ?? 0;
		const first = Math.max(one[left] ?? 0, other[right] ?? 0);
		const last = Math.min(leftLast, rightLast);
		if (first <= last) both.push(first, last);
		if (leftLast < rightLast) left += 2;
		else right += 2;
	}
	return both;
}

export function overlaps(one: CodePoints, other: CodePoints): boolean {
	let left = 0;
	let right = 0;
	while (left < one.length && right < other.length) {
		if ((one[left + 1] ?? 0) < (other[right] ?? 0)) left += 2;
		else if ((other[right + 1] ?? 0) < (one[left] ?? 0)) right += 2;
		else return true;
	}
	return false;
}

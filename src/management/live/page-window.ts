/**
 * A page of something in the order of a number, without sorting all of it: a list of 100,000 takes some 10 ms, of which
 * most is spent in the engine's own sort of numbers. Pure. Used by `route-search.ts`.
 */

/**
 * The places of the entries that a page shows, the largest first; of equal ones the first in the list is first.
 * @param values no NaN
 */
export function pageWindow(values: Float64Array, start: number, count: number): readonly number[] {
	const end = Math.min(start + count, values.length);
	if (start >= end) return [];
	const sorted = values.toSorted();
	const first = sorted[values.length - 1 - start] ?? 0;
	const last = sorted[values.length - end] ?? 0;
	const larger: number[] = [];
	const atFirst: number[] = [];
	const atLast: number[] = [];
	let before = 0;
	for (let place = 0; place < values.length; place++) {
		const value = values[place] ?? 0;
		if (value > first) before++;
		else if (value === first) atFirst.push(place);
		else if (value > last) larger.push(place);
		else if (value === last) atLast.push(place);
	}
	larger.sort((one, other) => (values[other] ?? 0) - (values[one] ?? 0) || one - other);
	const from = start - before;
	return [...atFirst, ...larger, ...atLast].slice(from, from + end - start);
}

/** Lists that are cut, flattened, sorted and turned round (lists extension of CEL). Called through the definitions in `lists.ts`. */
import { LIMITS } from "../../limits/limits.ts";
import { charge } from "../budget.ts";
import { EvaluationFailure, Overrun } from "../expression.ts";
import { compare } from "../values/order.ts";
import { isList, typeOf } from "../values/types.ts";
import type { Value } from "../values/value.ts";
import { ElementSet } from "./element-set.ts";

export type List = readonly Value[];

/** Nanoseconds for an element that is copied, and one that is made. */
export const COPY_NS = 10;
export const MAKE_NS = 40;
/** Nanoseconds for a comparison while sorting; long texts pay for themselves. */
export const COMPARISON_NS = 80;
/** Nanoseconds for an element of `distinct`, what it holds aside. */
export const DISTINCT_NS = 1000;

export function slice(list: List, start: number, end: number): List {
	if (start < 0 || end < start || end > list.length) {
		throw new EvaluationFailure(
			`slice(${start}, ${end}) is outside of the list's ${list.length} elements`,
		);
	}
	charge((end - start) * COPY_NS);
	return list.slice(start, end);
}

/** @param depth how many levels of lists in lists are taken away */
export function flatten(list: List, depth = 1): List {
	if (depth < 0) throw new EvaluationFailure(`flatten: the depth ${depth} is negative`);
	const flat: Value[] = [];
	append(flat, list, depth);
	return flat;
}

function append(flat: Value[], list: List, depth: number): void {
	charge(list.length * MAKE_NS);
	for (const element of list) {
		if (depth > 0 && isList(element)) append(flat, element, depth - 1);
		else flat.push(element);
	}
	if (flat.length > LIMITS.flatListElements) {
		throw new Overrun(`flatten: the list would have more than ${LIMITS.flatListElements} elements`);
	}
}

export const sort = (list: List): List => sortByKeys(list, list);

/** Stable. @throws EvaluationFailure unless all keys are of one kind that has an order */
export function sortByKeys(list: List, keys: List): List {
	if (list.length !== keys.length) {
		throw new EvaluationFailure(`${list.length} elements cannot be sorted by ${keys.length} keys`);
	}
	const [first] = keys;
	if (first === undefined) return list;
	compare(first, first);
	const type = typeOf(first);
	charge(list.length * COMPARISON_NS * Math.log2(list.length + 1));
	for (const key of keys) {
		if (typeOf(key) !== type) {
			const other = typeOf(key).name;
			throw new EvaluationFailure(`${type.name} and ${other} cannot be sorted together`);
		}
		if (Number.isNaN(key)) throw new EvaluationFailure("NaN cannot be sorted");
	}
	const pairs = list.map((element, at): readonly [Value, Value] => [element, keys[at] ?? null]);
	pairs.sort(([, a], [, b]) => compare(a, b));
	return pairs.map(([element]) => element);
}

/** The first of equal elements stays. */
export function distinct(list: List): List {
	const seen = new ElementSet();
	return list.filter((element) => seen.add(element));
}

export function reverse(list: List): List {
	charge(list.length * COPY_NS);
	return list.toReversed();
}

/** 0 to `end` − 1. */
export function range(end: number): List {
	if (end < 0 || end > LIMITS.rangeElements) {
		const message = `lists.range(${end}): a range has 0 to ${LIMITS.rangeElements} elements`;
		throw end < 0 ? new EvaluationFailure(message) : new Overrun(message);
	}
	charge(end * MAKE_NS);
	const list: Value[] = [];
	for (let at = 0; at < end; at++) list.push(BigInt(at));
	return list;
}

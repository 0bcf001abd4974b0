/** The lists extension of CEL. Joined by `table.ts`; `sortBy` is a macro that ends here. */
import { LIMITS } from "../../limits/limits.ts";
import { charge } from "../budget.ts";
import { EvaluationFailure, Overrun } from "../expression.ts";
import { compare } from "../values/order.ts";
import { isList, typeOf } from "../values/types.ts";
import { Optional, type Value } from "../values/value.ts";
import { ElementSet } from "./element-set.ts";
import type { Implementation, Implementations } from "./implementation.ts";

type List = readonly Value[];

/** Nanoseconds for an element that is copied, and one that is made. */
const COPY_NS = 10;
const MAKE_NS = 40;
/** Nanoseconds for a comparison while sorting; long texts pay for themselves. */
const COMPARISON_NS = 80;
/** Nanoseconds for an element of `distinct`, what it holds aside. */
const DISTINCT_NS = 1000;

function slice(list: List, start: number, end: number): List {
	if (start < 0 || end < start || end > list.length) {
		throw new EvaluationFailure(
			`slice(${start}, ${end}) is outside of the list's ${list.length} elements`,
		);
	}
	charge((end - start) * COPY_NS);
	return list.slice(start, end);
}

/** @param depth how many levels of lists in lists are taken away */
function flatten(list: List, depth = 1): List {
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

const sort = (list: List): List => sortByKeys(list, list);

/** Stable. @throws EvaluationFailure unless all keys are of one kind that has an order */
function sortByKeys(list: List, keys: List): List {
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
function distinct(list: List): List {
	const seen = new ElementSet();
	return list.filter((element) => seen.add(element));
}

function reverse(list: List): List {
	charge(list.length * COPY_NS);
	return list.toReversed();
}

/** 0 to `end` − 1. */
function range(end: number): List {
	if (end < 0 || end > LIMITS.rangeElements) {
		const message = `lists.range(${end}): a range has 0 to ${LIMITS.rangeElements} elements`;
		throw end < 0 ? new EvaluationFailure(message) : new Overrun(message);
	}
	charge(end * MAKE_NS);
	const list: Value[] = [];
	for (let at = 0; at < end; at++) list.push(BigInt(at));
	return list;
}

const optionalOf = (value: Value | undefined): Optional =>
	value === undefined ? Optional.NONE : new Optional(value);

const flattening = (call: Implementation["call"]): Implementation => ({
	call,
	smallInts: true,
	fails: true,
	base: 200,
	cost: (elements = 0) => 200 + MAKE_NS * (elements + 2 * LIMITS.flatListElements),
	resultSize: () => LIMITS.flatListElements,
});
const sorting = (call: Implementation["call"]): Implementation => ({
	call,
	fails: true,
	cost: (elements = 0) => 500 + elements * (200 + 2 * COMPARISON_NS * Math.log2(elements + 1)),
	resultSize: (elements = 0) => elements,
});
const element = (call: (list: List) => Optional): Implementation => ({
	call,
	fails: false,
	resultSize: () => 1,
});

const ORDERED = ["bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint"];

export const LISTS: Implementations = {
	"list<A>.first() -> optional<A>": element((list) => optionalOf(list[0])),
	"list<A>.last() -> optional<A>": element((list) => optionalOf(list.at(-1))),
	"list<A>.slice(int, int) -> list<A>": {
		call: slice,
		smallInts: true,
		fails: true,
		cost: (elements = 0) => 100 + COPY_NS * elements,
		resultSize: (elements = 0) => elements,
	},
	"list<list<A>>.flatten() -> list<A>": flattening((list: List) => flatten(list)),
	"list<dyn>.flatten(int) -> list<dyn>": flattening(flatten),
	"list<A>.distinct() -> list<A>": {
		call: distinct,
		fails: false,
		cost: (elements = 0) => 200 + DISTINCT_NS * elements,
		resultSize: (elements = 0) => elements,
	},
	"list<A>.reverse() -> list<A>": {
		call: reverse,
		fails: false,
		cost: (elements = 0) => 100 + COPY_NS * elements,
		resultSize: (elements = 0) => elements,
	},
	"lists.range(int) -> list<int>": {
		call: range,
		smallInts: true,
		fails: true,
		base: 100,
		cost: () => 100 + MAKE_NS * LIMITS.rangeElements,
		resultSize: () => LIMITS.rangeElements,
	},
	...Object.fromEntries(
		ORDERED.flatMap((type) => [
			[`list<${type}>.sort() -> list<${type}>`, sorting(sort)],
			[`list<A>.@sortByAssociatedKeys(list<${type}>) -> list<A>`, sorting(sortByKeys)],
		]),
	),
};

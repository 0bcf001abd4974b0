/**
 * The lists extension of CEL, and `reverse`, which texts have too. The functions stand in `list-changes.ts`. Joined by
 * `table.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import {
	distinctElements,
	firstElement,
	flattened,
	rangeElements,
	sameElements,
	slicedElements,
	sorted,
} from "../cost/estimates.ts";
import { Optional, type Value } from "../values/value.ts";
import type { FunctionDefinition, Implementation, Overloads } from "./definition.ts";
import {
	COMPARISON_NS,
	COPY_NS,
	DISTINCT_NS,
	distinct,
	flatten,
	type List,
	MAKE_NS,
	range,
	reverse,
	slice,
	sort,
	sortByKeys,
} from "./list-changes.ts";
import { reverse as reverseText } from "./string-changes.ts";
import { ELEMENT_NS } from "./string-parts.ts";

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

/** Types whose values have an order, so that lists of them can be sorted. */
const ORDERED = ["bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint"];

const forOrdered = (signature: (type: string) => string, call: Implementation): Overloads =>
	Object.fromEntries(ORDERED.map((type) => [signature(type), call]));

export const LISTS: readonly FunctionDefinition[] = [
	{
		name: "distinct",
		doc: "The list without elements that equal one before.",
		examples: [["[1, 2, 1].distinct()", "[1, 2]"]],
		overloads: {
			"list<A>.distinct() -> list<A>": {
				call: distinct,
				fails: false,
				cost: (elements = 0) => 200 + DISTINCT_NS * elements,
				resultSize: (elements = 0) => elements,
			},
		},
		estimate: distinctElements,
	},
	{
		name: "first",
		doc: "An optional of the first element; without a value if the list is empty.",
		examples: [["getReqHeader('accept').first().orValue('')", "'text/html'"]],
		overloads: {
			"list<A>.first() -> optional<A>": element((list) => optionalOf(list[0])),
		},
		estimate: firstElement,
	},
	{
		name: "flatten",
		doc: "A list with the elements of its lists in their place, or so many levels deep.",
		examples: [
			["[[1, 2], [3]].flatten()", "[1, 2, 3]"],
			["[[[1]], [2]].flatten(2)", "[1, 2]"],
		],
		overloads: {
			"list<list<A>>.flatten() -> list<A>": flattening((list: List) => flatten(list)),
			"list<dyn>.flatten(int) -> list<dyn>": flattening(flatten),
		},
		estimate: flattened,
	},
	{
		name: "last",
		doc: "An optional of the last element; without a value if the list is empty.",
		examples: [["req.url.path.split('/').last()", "optional.of('42')"]],
		overloads: {
			"list<A>.last() -> optional<A>": element((list) => optionalOf(list.at(-1))),
		},
		estimate: firstElement,
	},
	{
		name: "reverse",
		doc: "The elements of a list, or the characters of a text, from the last to the first.",
		examples: [
			["[1, 2, 3].reverse()", "[3, 2, 1]"],
			["'abc'.reverse()", "'cba'"],
		],
		overloads: {
			"string.reverse() -> string": {
				call: reverseText,
				fails: false,
				cost: (text = 0) => 400 + 2 * ELEMENT_NS * text,
			},
			"list<A>.reverse() -> list<A>": {
				call: reverse,
				fails: false,
				cost: (elements = 0) => 100 + COPY_NS * elements,
				resultSize: (elements = 0) => elements,
			},
		},
		estimate: sameElements,
	},
	{
		name: "slice",
		doc: "The elements from one place up to before another. Fails outside of the list.",
		examples: [["[1, 2, 3, 4].slice(1, 3)", "[2, 3]"]],
		overloads: {
			"list<A>.slice(int, int) -> list<A>": {
				call: slice,
				smallInts: true,
				fails: true,
				cost: (elements = 0) => 100 + COPY_NS * elements,
				resultSize: (elements = 0) => elements,
			},
		},
		estimate: slicedElements(COPY_NS),
	},
	{
		name: "sort",
		doc: "The elements in ascending order. They are of one type that has an order; `sortBy` sorts others.",
		examples: [["[3, 1, 2].sort()", "[1, 2, 3]"]],
		overloads: forOrdered((type) => `list<${type}>.sort() -> list<${type}>`, sorting(sort)),
		estimate: sorted,
	},
	{
		name: "@sortByAssociatedKeys",
		doc: "What the macro `sortBy` makes of a list and the list of its elements' keys.",
		examples: [],
		overloads: forOrdered(
			(type) => `list<A>.@sortByAssociatedKeys(list<${type}>) -> list<A>`,
			sorting(sortByKeys),
		),
		estimate: sorted,
	},
	{
		name: "lists.range",
		doc: `The ints from 0 up to before a number, at most ${LIMITS.rangeElements} of them.`,
		examples: [["lists.range(3)", "[0, 1, 2]"]],
		overloads: {
			"lists.range(int) -> list<int>": {
				call: range,
				smallInts: true,
				fails: true,
				base: 100,
				cost: () => 100 + MAKE_NS * LIMITS.rangeElements,
				resultSize: () => LIMITS.rangeElements,
			},
		},
		estimate: rangeElements(MAKE_NS),
	},
];

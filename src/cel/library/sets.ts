/** The sets extension of CEL: lists taken as sets of their elements. Joined by `table.ts`. */
import { asSets } from "../cost/estimates.ts";
import type { Value } from "../values/value.ts";
import type { FunctionDefinition, Implementation } from "./definition.ts";
import { ElementSet } from "./element-set.ts";

function setOf(list: readonly Value[]): ElementSet {
	const set = new ElementSet();
	for (const element of list) set.add(element);
	return set;
}

function contains(list: readonly Value[], part: readonly Value[]): boolean {
	const set = setOf(list);
	return part.every((element) => set.has(element));
}

const equivalent = (a: readonly Value[], b: readonly Value[]): boolean =>
	contains(a, b) && contains(b, a);

function intersects(a: readonly Value[], b: readonly Value[]): boolean {
	const set = setOf(a);
	return b.some((element) => set.has(element));
}

/** Nanoseconds for an element, what it holds aside. */
const ELEMENT_NS = 1000;

const relation = (call: Implementation["call"]): Implementation => ({
	call,
	fails: false,
	cost: (a = 0, b = 0) => 500 + ELEMENT_NS * (a + b),
	resultSize: () => 1,
});

export const SETS: readonly FunctionDefinition[] = [
	{
		name: "sets.contains",
		doc: "Are all elements of the second list in the first?",
		examples: [["sets.contains(getQueryParam('tag'), ['new'])", "true"]],
		overloads: { "sets.contains(list<A>, list<A>) -> bool": relation(contains) },
		estimate: asSets,
	},
	{
		name: "sets.equivalent",
		doc: "Has each list all elements of the other?",
		examples: [["sets.equivalent([1, 2, 2], [2, 1])", "true"]],
		overloads: { "sets.equivalent(list<A>, list<A>) -> bool": relation(equivalent) },
		estimate: asSets,
	},
	{
		name: "sets.intersects",
		doc: "Is any element of one list in the other?",
		examples: [["sets.intersects(req.content_encoding, ['br', 'zstd'])", "false"]],
		overloads: { "sets.intersects(list<A>, list<A>) -> bool": relation(intersects) },
		estimate: asSets,
	},
];

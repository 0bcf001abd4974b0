/** The sets extension of CEL: lists taken as sets of their elements. Joined by `table.ts`. */
import type { Value } from "../values/value.ts";
import { ElementSet } from "./element-set.ts";
import type { Implementation, Implementations } from "./implementation.ts";

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

export const SETS: Implementations = {
	"sets.contains(list<A>, list<A>) -> bool": relation(contains),
	"sets.equivalent(list<A>, list<A>) -> bool": relation(equivalent),
	"sets.intersects(list<A>, list<A>) -> bool": relation(intersects),
};

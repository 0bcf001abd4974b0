/**
 * What calls of library functions take, and how large their results are: from the library's own tables, and by
 * rules where the size of the result as a whole says too little of what is in it. Used by `cost-calls.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Overload } from "../check/signatures.ts";
import { resolve, type Type } from "../check/types.ts";
import { NUMBER_NS } from "../library/format-numbers.ts";
import { IMPLEMENTATIONS } from "../library/table.ts";
import {
	isPatternFault,
	matchCost,
	type PatternFault,
	type PatternProgram,
} from "../pattern/pattern.ts";
import { type Bound, either, largest, product, scaled, smaller, sum } from "./bound.ts";
import { applied } from "./majorant.ts";
import { eitherSize, merged, oneOf, SCALAR, type Size, sized, tree, weight } from "./size.ts";
import {
	AS_FORMATTED,
	AS_SET_MEMBER,
	COPIED_CHARACTER,
	DISPATCH,
	ELEMENT,
	KEY_CHARACTER,
	NODE,
	type Walk,
} from "./table.ts";

export interface Part {
	readonly cost: Bound;
	readonly size: Size;
}

/** What a function does that its implementation has told nothing of. */
const DEFAULT_COST = 50;
const TEXT_MAX = LIMITS.evaluationTextCharacters;

/** Characters, bytes, elements, entries of one value. */
export const countOf = (size: Size | undefined): Bound =>
	size === undefined ? 0 : smaller(size.each, size.all);

/** times that a key is looked up, in either of two maps, while both are looked at */
const KEY_LOOK_UPS = 3;

/** What it takes to look at all of a value. */
export function walkCost(size: Size | undefined, { element, character }: Walk): Bound {
	if (size === undefined) return 0;
	if (size.isTree) return scaled(size.all, element + character + KEY_LOOK_UPS * KEY_CHARACTER);
	if (size.element === undefined && size.key === undefined) return scaled(size.all, character);
	const below = [size.element, size.key].map((inside) => walkCost(inside, { element, character }));
	const keys = scaled(size.key?.all ?? 0, KEY_LOOK_UPS * KEY_CHARACTER);
	return sum(scaled(size.all, element), keys, ...below);
}

/** @param overloads those that may be called @param operands the receiver first */
export function functionCall(
	name: string,
	overloads: readonly Overload[],
	operands: readonly Size[],
	type: Type,
): Part {
	const counts = operands.map(countOf);
	let cost: Bound = 0;
	for (const { signature } of overloads) {
		const own = IMPLEMENTATIONS.get(signature)?.cost;
		cost = either(cost, own === undefined ? DEFAULT_COST : applied(own, counts));
	}
	const rule = RULES[name]?.(operands, cost);
	return {
		// a choice may be left to be made even where there is one overload, which null does not fit
		cost: sum(NODE + DISPATCH, rule?.cost ?? cost),
		size: rule?.size ?? resultOf(type, overloads, operands, counts),
	};
}

/** A search for a pattern that was written, and is valid therefore. */
export function patternCost(program: PatternProgram | PatternFault, text: Size): Bound {
	if (isPatternFault(program)) return 0;
	return applied((characters = 0) => matchCost(program, characters), [countOf(text)]);
}

const PLAIN: ReadonlySet<Type["kind"]> = new Set([
	"bool",
	"double",
	"duration",
	"int",
	"null_type",
	"timestamp",
	"type",
	"uint",
]);

/** Of results that hold others, nothing is known but that these come from the operands. */
function resultOf(
	type: Type,
	overloads: readonly Overload[],
	operands: readonly Size[],
	counts: readonly Bound[],
): Size {
	const { kind } = resolve(type);
	if (PLAIN.has(kind)) return SCALAR;
	let count: Bound = 1;
	for (const { signature } of overloads) {
		const makes = IMPLEMENTATIONS.get(signature)?.resultSize;
		const own = makes === undefined ? counts.reduce(either, 1) : applied(makes, counts);
		count = either(count, own);
	}
	if (kind === "string" || kind === "bytes") return sized(count);
	const everything = sum(count, ...operands.map(weight));
	return tree(everything, everything);
}

type Rule = (operands: readonly Size[], cost: Bound) => Partial<Part>;

const textsOf = (all: Bound): Size => ({ each: all, all });

/** Of a value of the same elements as the first operand, or some of them. */
const sameElements: Rule = ([list = SCALAR]) => ({ size: list });

const elementOf: Rule = ([list = SCALAR]) => ({ size: oneOf(list.element) });

const sorted: Rule = ([list = SCALAR, keys = list], cost) => ({
	size: list,
	// each element is compared about twice for each doubling of their number
	cost: sum(
		cost,
		scaled(walkCost(keys, { element: 0, character: 18 }), Math.log2(largest(countOf(list)) + 2)),
	),
});

const asSets: Rule = (operands) => ({
	cost: sum(500, ...operands.map((operand) => walkCost(operand, AS_SET_MEMBER))),
	size: SCALAR,
});

const joined: Rule = ([list = SCALAR, separator = sized(0)]) => {
	const parts = countOf(list);
	const length = sum(list.element?.all ?? list.all, product(parts, countOf(separator)));
	const bounded = smaller(length, TEXT_MAX);
	const each = 2 * ELEMENT;
	return {
		cost: sum(200, product(parts, each), scaled(bounded, COPIED_CHARACTER)),
		size: sized(bounded),
	};
};

const split: Rule = ([whole = SCALAR]) => {
	const count = countOf(whole);
	return { size: sized(sum(count, 1), textsOf(count)) };
};

const formatted: Rule = ([clauses = SCALAR, values = SCALAR]) => ({
	cost: sum(
		500,
		scaled(countOf(clauses), 200),
		scaled(countOf(values), NUMBER_NS),
		walkCost(values, AS_FORMATTED),
		scaled(TEXT_MAX, COPIED_CHARACTER),
	),
	size: sized(TEXT_MAX),
});
/** Elements of all levels come to stand side by side. */
const flattened: Rule = ([list = SCALAR]) => {
	const all = weight(list);
	let elements = list.element ?? SCALAR;
	if (list.isTree) return { size: tree(all, all) };
	for (let level = elements.element; level !== undefined; level = level.element) {
		if (level.isTree) return { size: tree(all, all) };
		elements = merged(elements, level, sum);
	}
	const count = smaller(all, LIMITS.flatListElements);
	return { size: sized(count, elements) };
};

const range: Rule = (_operands, cost) => {
	const count = LIMITS.rangeElements;
	return { cost, size: sized(count, { each: 1, all: count }) };
};

/** An optional has the size of what is in it. */
const held: Rule = ([value = SCALAR]) => ({ size: value });
const heldOr: Rule = ([value = SCALAR, other = SCALAR]) => ({ size: eitherSize(value, other) });

const decoded: Rule = ([json = SCALAR]) => {
	const count = sum(countOf(json), 1);
	return { size: tree(count, count) };
};

/** By function name; what a rule leaves out is as the library says. */
const RULES: Readonly<Record<string, Rule>> = {
	"@firstCookie": elementOf,
	"@firstSetCookie": elementOf,
	"@sortByAssociatedKeys": sorted,
	distinct: (operands, cost) => ({ ...asSets(operands, cost), ...sameElements(operands, cost) }),
	dyn: sameElements,
	first: elementOf,
	flatten: flattened,
	format: formatted,
	join: joined,
	"json.decode": decoded,
	last: elementOf,
	"lists.range": range,
	"optional.none": () => ({ size: SCALAR }),
	"optional.of": held,
	"optional.ofNonZeroValue": held,
	"optional.unwrap": held,
	or: heldOr,
	orValue: heldOr,
	reverse: sameElements,
	"sets.contains": asSets,
	"sets.equivalent": asSets,
	"sets.intersects": asSets,
	slice: sameElements,
	sort: sorted,
	split,
	unwrapOpt: held,
	value: held,
};

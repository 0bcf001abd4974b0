/**
 * Estimates that several functions of the library have in common: what a result holds of the operands, and what is
 * spent on characters and elements within them. The definitions in `library/` name them; `cost/functions.ts` asks.
 */
import { LIMITS } from "../../limits/limits.ts";
import { type Bound, largest, product, scaled, smaller, sum } from "./bound.ts";
import { countOf, type Part, walkCost } from "./part.ts";
import {
	eitherSize,
	merged,
	oneOf,
	SCALAR,
	type Size,
	sized,
	someOf,
	tree,
	weight,
} from "./size.ts";
import { AS_FORMATTED, AS_SET_MEMBER, COPIED_CHARACTER, ELEMENT } from "./table.ts";

/**
 * @param operands the receiver first
 * @param cost what the implementations say of operands of these sizes
 * @param ints the operands that are int literals, by their places
 * @returns what it leaves out is as the implementations say
 */
export type Estimate = (
	operands: readonly Size[],
	cost: Bound,
	ints: readonly (number | undefined)[],
) => Partial<Part>;

const TEXT_MAX = LIMITS.evaluationTextCharacters;

/** Of a value of the same elements as the first operand, or some of them; of an optional, what is in it. */
export const sameElements: Estimate = ([list = SCALAR]) => ({ size: list });

/** Of the elements from one place up to before another. @param copyNanoseconds for each of them */
export const slicedElements =
	(copyNanoseconds: number): Estimate =>
	([list = SCALAR], _cost, [, start = 0, end]) => {
		// a slice that would end before it starts fails
		const size = end === undefined ? list : someOf(list, Math.max(end - start, 0));
		return { cost: sum(100, scaled(countOf(size), copyNanoseconds)), size };
	};

export const firstElement: Estimate = ([list = SCALAR]) => ({ size: oneOf(list.element) });

export const sorted: Estimate = ([list = SCALAR, keys = list], cost) => ({
	size: list,
	// each element is compared about twice for each doubling of their number
	cost: sum(
		cost,
		scaled(walkCost(keys, { element: 0, character: 18 }), Math.log2(largest(countOf(list)) + 2)),
	),
});

/** Lists whose elements are looked for in sets. */
export const asSets: Estimate = (operands) => ({
	cost: sum(500, ...operands.map((operand) => walkCost(operand, AS_SET_MEMBER))),
	size: SCALAR,
});

export const distinctElements: Estimate = (operands, cost, ints) => ({
	...asSets(operands, cost, ints),
	...sameElements(operands, cost, ints),
});

export const joined: Estimate = ([list = SCALAR, separator = sized(0)]) => {
	const parts = countOf(list);
	const length = sum(list.element?.all ?? list.all, product(parts, countOf(separator)));
	const bounded = smaller(length, TEXT_MAX);
	const each = 2 * ELEMENT;
	return {
		cost: sum(200, product(parts, each), scaled(bounded, COPIED_CHARACTER)),
		size: sized(bounded),
	};
};

export const splitParts: Estimate = ([whole = SCALAR], _cost, [, , most = -1]) => {
	const count = countOf(whole);
	const parts = sum(count, 1);
	// the last part may be almost the whole
	return { size: sized(most < 0 ? parts : smaller(parts, most), { each: count, all: count }) };
};

/** @param valueNanoseconds for each value that is put in */
export const formatted =
	(valueNanoseconds: number): Estimate =>
	([clauses = SCALAR, values = SCALAR]) => ({
		cost: sum(
			500,
			scaled(countOf(clauses), 200),
			scaled(countOf(values), valueNanoseconds),
			walkCost(values, AS_FORMATTED),
			scaled(TEXT_MAX, COPIED_CHARACTER),
		),
		size: sized(TEXT_MAX),
	});

/** Elements of all levels come to stand side by side. */
export const flattened: Estimate = ([list = SCALAR]) => {
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

/** @param makeNanoseconds for each element */
export const rangeElements =
	(makeNanoseconds: number): Estimate =>
	(_operands, _cost, [end = LIMITS.rangeElements]) => {
		// other ranges fail
		const count = Math.max(0, Math.min(end, LIMITS.rangeElements));
		return {
			cost: 100 + count * makeNanoseconds,
			size: sized(count, { each: 1, all: count }),
		};
	};

/** Of a single value that no text is in. */
export const scalar: Estimate = () => ({ size: SCALAR });

/** The first operand, or what is in it, or the second. */
export const eitherOperand: Estimate = ([value = SCALAR, other = SCALAR]) => ({
	size: eitherSize(value, other),
});

/** JSON may hold anything, but no more than it has characters. */
export const decoded: Estimate = ([json = SCALAR]) => {
	const count = sum(countOf(json), 1);
	return { size: tree(count, count) };
};

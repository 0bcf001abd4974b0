/**
/**
 * The time that an operator takes, and the size of its result, from the sizes of its operands. The definitions of
 * operators in `library/` name the estimates; `walk.ts` calls them, and adds the time that evaluating the operands
 * takes.
 */
import { LIMITS } from "../../limits/limits.ts";
import { type Bound, either, isConstant, largest, product, scaled, smaller, sum } from "./bound.ts";
import { countOf, type Part, walkCost } from "./part.ts";
import { eitherSize, oneOf, SCALAR, type Size, sized, together } from "./size.ts";
import {
	ARITHMETIC,
	COPIED_CHARACTER,
	COPIED_ELEMENT,
	EQUALITY,
	HASHED_CHARACTERS,
	KEY_CHARACTER,
	LOOK_UP,
	MEMBER_CHARACTER,
	MEMBERSHIP,
	NODE,
	ORDER,
} from "./table.ts";

export type OperatorEstimate = (left: Size, right: Size) => Part;

const fixed = (nanoseconds: number): Part => ({ cost: nanoseconds, size: SCALAR });

/** Values of different lengths differ at once. */
export const equality: OperatorEstimate = (left, right) => ({
	cost: sum(NODE, smaller(walkCost(left, EQUALITY), walkCost(right, EQUALITY))),
	size: SCALAR,
});

export const order: OperatorEstimate = (left, right) => ({
	cost: sum(ARITHMETIC, walkCost(left, ORDER), walkCost(right, ORDER)),
	size: SCALAR,
});

export const arithmetic: OperatorEstimate = () => fixed(ARITHMETIC);

/** Texts, bytes and lists put together; numbers are values of size 1. */
export const addition: OperatorEstimate = (left, right) => {
	const size = together(left, right);
	const count = countOf(size);
	const isList = size.element !== undefined;
	const perItem = isList ? COPIED_ELEMENT : 2 * COPIED_CHARACTER;
	return {
		cost: sum(ARITHMETIC, scaled(count, perItem)),
		size: isList ? size : sized(smaller(count, TEXT_MAX)),
	};
};
const TEXT_MAX = LIMITS.evaluationTextCharacters;

/** Looking for a key in a map. */
export function lookUp(key: Size): Bound {
	const characters = countOf(key);
	const isShort = largest(characters) <= HASHED_CHARACTERS || !isConstant(characters);
	const hashed = isShort ? characters : HASHED_CHARACTERS;
	return sum(LOOK_UP, scaled(hashed, KEY_CHARACTER));
}

export const index: OperatorEstimate = (container, key) => ({
	cost: sum(NODE, container.key === undefined ? ARITHMETIC : lookUp(key)),
	size: oneOf(container.element),
});

/** `map[?key]` and `map.?key` ask first whether there is such a key. */
export const optionalIndex: OperatorEstimate = (container, key) => {
	const { cost, size } = index(container, key);
	return { cost: scaled(cost, 2), size };
};

/** An element of a list is compared with each; a key of a map is looked up. */
export const membership: OperatorEstimate = (element, container) => {
	const count = countOf(container);
	// texts of one length may differ in the end only
	const compared = smaller(
		walkCost(container.element, MEMBERSHIP),
		product(count, walkCost(element, MEMBERSHIP)),
	);
	const cost = sum(
		NODE,
		scaled(count, MEMBERSHIP.element),
		scaled(product(count, countOf(element)), MEMBER_CHARACTER),
		compared,
		container.key === undefined ? 0 : lookUp(element),
	);
	return { cost, size: SCALAR };
};

/** `x in [literals]`, which is lowered to a few comparisons, or to a look-up in a set of many. */
export function literalMembership(element: Size, literals: Size): Bound {
	const compared = walkCost(literals.element, EQUALITY);
	return sum(NODE, scaled(countOf(literals), NODE), compared, lookUp(element));
}

/** `condition ? whenTrue : whenFalse`, its operands included: one of the two outcomes is evaluated. */
export const conditional = (condition: Part, whenTrue: Part, whenFalse: Part): Part => ({
	cost: sum(condition.cost, either(whenTrue.cost, whenFalse.cost), NODE),
	size: eitherSize(whenTrue.size, whenFalse.size),
});

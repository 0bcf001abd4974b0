/**
 * How large a value can be, as far as time depends on it: characters, elements, and the sum of these over all
 * elements of a list or map. The sizes of variables come from `input-sizes.ts`; `walk.ts` and the files that it
 * calls work out the sizes of all other values.
 */
import {
	type Bound,
	boundOf,
	either,
	forLargest,
	isConstant,
	largest,
	type Quantity,
	quantity,
	scaled,
	smaller,
	sum,
	summedUp,
} from "./bound.ts";

/**
 * Of a value, or of the values that stand at one place in all elements of another: the values of a header map
 * are one `Size`, as are their texts.
 */
export interface Size {
	/** characters, bytes, elements or entries of the largest of the values; 1 for a number and the like */
	readonly each: Bound;
	/** the same of all values together */
	readonly all: Bound;
	/** of the values in a list, map, record or optional */
	readonly element?: Size | undefined;
	readonly key?: Size | undefined;
	/** set for decoded JSON: it may hold values of any kind and depth, which are no larger all together */
	readonly isTree?: true;
}

export const sized = (count: Bound, element?: Size, key?: Size): Size => ({
	each: count,
	all: count,
	element,
	key,
});

export const SCALAR: Size = sized(1);

export const text = (characters: number): Size => sized(characters);

/** The texts in a list or map, with so many characters each and together. */
export const texts = (each: number, all: number): Size => ({
	each: each,
	all: all,
});

/** Unknown structure over so many characters of JSON. */
export function tree(each: Bound, all: Bound): Size {
	const size: Size = {
		each,
		all,
		isTree: true,
		get element() {
			return size;
		},
		get key() {
			return size;
		},
	};
	return size;
}

/** One of the values that a size speaks of. */
export function oneOf(size: Size | undefined): Size {
	if (size === undefined) return SCALAR;
	const count = smaller(size.each, size.all);
	if (size.isTree) return tree(count, count);
	return { each: count, all: count, element: size.element, key: size.key };
}

/** A list of at most so many of a list's elements. */
export function someOf(list: Size, most: number): Size {
	const { element, key, isTree } = list;
	if (isTree || element === undefined) return list;
	const count = smaller(smaller(list.each, list.all), most);
	const all = smaller(element.all, scaled(element.each, most));
	const kept = element.isTree ? tree(element.each, all) : { ...element, all };
	return sized(count, kept, key);
}

/** At least each of the two, for a value that is one or the other. */
export function eitherSize(left: Size, right: Size): Size {
	return merged(left, right, either);
}

/** Of a value that holds what both hold. */
export function together(left: Size, right: Size): Size {
	return { ...merged(left, right, sum), each: sum(left.each, right.each) };
}

type Join = (left: Bound, right: Bound) => Bound;

/** @param join combines the sums over all values */
export function merged(left: Size, right: Size, join: Join): Size {
	const each = either(left.each, right.each);
	const all = join(left.all, right.all);
	// a tree has room for everything that is as deep
	if (left.isTree || right.isTree) {
		const both = join(weight(left), weight(right));
		return tree(both, both);
	}
	const inside = (a: Size | undefined, b: Size | undefined): Size | undefined =>
		a === undefined || b === undefined ? (a ?? b) : merged(a, b, join);
	return {
		each,
		all,
		element: inside(left.element, right.element),
		key: inside(left.key, right.key),
	};
}

/** Characters, elements and entries on all levels. */
export function weight(size: Size | undefined): Bound {
	if (size === undefined) return 0;
	return size.isTree ? size.all : sum(size.all, weight(size.key), weight(size.element));
}

/** The element, or key and value, that a loop's turn works on. */
export interface Turn {
	readonly quantities: ReadonlySet<Quantity>;
	readonly key: Size | undefined;
	readonly element: Size | undefined;
	/** how many turns there are */
	readonly turns: Bound;
}

/** @param isFollowed else each element counts as the largest, which takes less time to work out */
export function turnOf(range: Size, isFollowed: boolean): Turn {
	const quantities = new Set<Quantity>();
	const fresh = (max: Bound, total: Bound): Bound => {
		// nothing is to be gained by summing up what is one for each element
		const isUnit = isConstant(max) && max <= 1 && largest(total) >= largest(range.all);
		if (!isFollowed || isUnit) return largest(max);
		const made = quantity(max, total);
		quantities.add(made);
		return boundOf(made);
	};
	/** of the values inside one element, whose own elements keep their bounds */
	const within = (size: Size | undefined): Size | undefined => {
		if (size === undefined) return undefined;
		const all = fresh(size.all, size.all);
		if (size.isTree) return tree(size.each, all);
		const { each, element, key } = size;
		return { each, all, element: within(element), key: within(key) };
	};
	const own = (size: Size | undefined): Size | undefined => {
		if (size === undefined) return undefined;
		const count = fresh(smaller(size.each, size.all), size.all);
		if (size.isTree) return tree(count, count);
		return { each: count, all: count, element: within(size.element), key: within(size.key) };
	};
	return { quantities, key: own(range.key), element: own(range.element), turns: range.all };
}

/** Of all the values that a loop makes, one each turn. */
export function collectedSize(made: Size, turn: Turn): Size {
	const each = forLargest(made.each, turn.quantities);
	const all = summedUp(made.all, turn.quantities, turn.turns);
	if (made.isTree) return tree(each, all);
	return {
		each,
		all,
		element: made.element && collectedSize(made.element, turn),
		key: made.key && collectedSize(made.key, turn),
	};
}

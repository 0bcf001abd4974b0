/** What one node of an expression takes, and the size of its value; and walks through values. Used throughout this folder. */
import { type Bound, scaled, smaller, sum } from "./bound.ts";
import type { Size } from "./size.ts";
import { KEY_CHARACTER, type Walk } from "./table.ts";

export interface Part {
	readonly cost: Bound;
	readonly size: Size;
}

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

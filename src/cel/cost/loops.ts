/**
 * What macros make of what their turns make, and what it takes to keep that. Used by `cost/walk.ts`.
 */

import type { Macro } from "../tree/macros.ts";
import { type Bound, scaled, sum, summedUp } from "./bound.ts";
import { countOf } from "./part.ts";
import { collectedSize, SCALAR, type Size, sized, type Turn } from "./size.ts";
import { ELEMENT, ENTRY, KEY_CHARACTER, LOOP_TURN } from "./table.ts";

/** @param key what one turn makes, if it makes a key @param element and its element, or map of entries */
export function turnCost(macro: Macro, key: Size | undefined, element: Size | undefined): Bound {
	switch (macro) {
		case "all":
		case "exists":
		case "exists_one":
		case "bind":
			return LOOP_TURN;
		case "transform_map":
		case "transform_map_filter":
			return sum(LOOP_TURN + 2 * ENTRY, scaled(countOf(key), KEY_CHARACTER));
		case "transform_map_entry":
		case "transform_map_entry_filter":
			// each key is looked up where it comes from, and put in
			return sum(
				LOOP_TURN,
				scaled(countOf(element), 2 * ENTRY),
				scaled(element?.key?.all ?? 0, 2 * KEY_CHARACTER),
			);
		default:
			return LOOP_TURN + ELEMENT;
	}
}

/** The value of a macro. */
export function madeBy(
	macro: Macro,
	turn: Turn,
	key: Size | undefined,
	element: Size | undefined,
): Size {
	const all = (size: Size | undefined): Size => collectedSize(size ?? SCALAR, turn);
	switch (macro) {
		case "all":
		case "exists":
		case "exists_one":
		case "bind":
			return SCALAR;
		case "transform_map":
		case "transform_map_filter":
			return sized(turn.turns, all(element), all(key));
		case "transform_map_entry":
		case "transform_map_entry_filter": {
			const entries = summedUp(element?.all ?? 0, turn.quantities, turn.turns);
			return sized(entries, all(element?.element), all(element?.key));
		}
		default:
			return sized(turn.turns, all(element));
	}
}

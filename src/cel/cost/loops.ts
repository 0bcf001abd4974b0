/**
 * Time and result of macros that run over a list or a map: the parts that one turn evaluates, the time that the
 * loop itself takes for a turn, and the size of the list, map or bool that comes out. Called by `walk.ts`.
 */

import type { LoopNode, Node } from "../tree/node.ts";
import { type Bound, scaled, sum, summedUp } from "./bound.ts";
import { countOf, type Part } from "./part.ts";
import { collectedSize, SCALAR, type Size, sized, type Turn } from "./size.ts";
import { ELEMENT, ENTRY, KEY_CHARACTER, LOOP_TURN } from "./table.ts";

/** The parts that one turn evaluates. */
export interface Made {
	readonly condition: Part | undefined;
	/** of `transformMap` */
	readonly key: Part | undefined;
	/** an element, or a map of entries; quantifiers make none */
	readonly element: Part | undefined;
}

/** @param part looks at a node, in the order in which they are evaluated */
export function madeEachTurn(node: LoopNode, part: (node: Node) => Part): Made {
	const condition = node.condition && part(node.condition);
	if (node.kind === "quantifier") return { condition, key: undefined, element: undefined };
	const key = "key" in node ? part(node.key) : undefined;
	return { condition, key, element: part(node.element) };
}

export const costsOf = ({ condition, key, element }: Made): readonly Bound[] =>
	[condition, key, element].map((part) => part?.cost ?? 0);

/** Nanoseconds of one turn beside its parts. */
export function turnCost({ macro }: Pick<LoopNode, "macro">, { key, element }: Made): Bound {
	switch (macro) {
		case "all":
		case "exists":
		case "exists_one":
			return LOOP_TURN;
		case "transform_map":
			return sum(LOOP_TURN + 2 * ENTRY, scaled(countOf(key?.size), KEY_CHARACTER));
		case "transform_map_entry":
			// each key is looked up where it comes from, and put in
			return sum(
				LOOP_TURN,
				scaled(countOf(element?.size), 2 * ENTRY),
				scaled(element?.size.key?.all ?? 0, 2 * KEY_CHARACTER),
			);
		default:
			return LOOP_TURN + ELEMENT;
	}
}

/** The size of a macro's value. */
export function madeBy(
	{ macro }: Pick<LoopNode, "macro">,
	turn: Turn,
	{ key, element }: Made,
): Size {
	const all = (size: Size | undefined): Size => collectedSize(size ?? SCALAR, turn);
	switch (macro) {
		case "all":
		case "exists":
		case "exists_one":
			return SCALAR;
		case "transform_map":
			return sized(turn.turns, all(element?.size), all(key?.size));
		case "transform_map_entry": {
			const entries = summedUp(element?.size.all ?? 0, turn.quantities, turn.turns);
			return sized(entries, all(element?.size.element), all(element?.size.key));
		}
		default:
			return sized(turn.turns, all(element?.size));
	}
}

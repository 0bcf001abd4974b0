/** What macros make, and what keeping it takes. */
import { describe, expect, it } from "vitest";
import { largest } from "../../../src/cel/cost/bound.ts";
import { type Made, madeBy, madeEachTurn, turnCost } from "../../../src/cel/cost/loops.ts";
import {
	oneOf,
	type Size,
	sized,
	text,
	texts,
	turnOf,
	weight,
} from "../../../src/cel/cost/size.ts";
import { LOOP_TURN } from "../../../src/cel/cost/table.ts";
import type { LoopNode } from "../../../src/cel/tree/node.ts";
import { checkedTree, shapeOf } from "../checked.ts";

/** Ten entries: keys with 60 characters together, texts with 100. */
const turn = turnOf(sized(10, texts(50, 100), texts(20, 60)), true);
const [key, element] = [oneOf(turn.key), oneOf(turn.element)];

const MACROS: readonly LoopNode["macro"][] = [
	"all",
	"exists",
	"exists_one",
	"filter",
	"map",
	"transform_list",
	"transform_map",
	"transform_map_entry",
];

const partOf = (size: Size | undefined) => size && { cost: 0, size };
const made = (element?: Size, key?: Size): Made => ({
	condition: undefined,
	key: partOf(key),
	element: partOf(element),
});

const weightOf = (macro: LoopNode["macro"], of: Made): number =>
	largest(weight(madeBy({ macro }, turn, of)));

describe("macros", () => {
	it("make lists and maps of what their turns make, with all of it together", () => {
		expect(weightOf("map", made(element))).toBe(10 + 100);
		expect(weightOf("transform_map", made(element, key))).toBe(10 + 60 + 100);
		expect(weightOf("map", made(text(7)))).toBe(10 + 70);
		const entries = sized(3, texts(5, 15), texts(2, 6));
		expect(weightOf("transform_map_entry", made(entries))).toBe(10 * (3 + 15 + 6));
	});

	it("that ask make a bool", () => {
		for (const macro of ["all", "exists", "exists_one"] as const) {
			expect(weightOf(macro, made())).toBe(1);
		}
	});

	it("take a turn's time each turn, and more if they keep something", () => {
		for (const macro of MACROS) {
			const cost = turnCost({ macro }, made(sized(3, text(1), text(1)), text(1)));
			expect(largest(cost)).toBeGreaterThanOrEqual(LOOP_TURN);
		}
		expect(largest(turnCost({ macro: "exists" }, made()))).toBeLessThan(
			largest(turnCost({ macro: "map" }, made())),
		);
	});

	it("are looked at in the order in which a turn evaluates them", () => {
		const node = checkedTree("['a'].transformMap(i, v, v == 'b', v + 'c')").expr;
		if (node.kind !== "mapMacro") throw new Error(node.kind);
		const seen: string[] = [];
		madeEachTurn(node, (part) => {
			seen.push(shapeOf(part));
			return { cost: 1, size: text(1) };
		});
		expect(seen).toEqual(['_==_(v, stringValue "b")', "i", '_+_(v, stringValue "c")']);
	});
});

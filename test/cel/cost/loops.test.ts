/** What macros make, and what keeping it takes. */
import { describe, expect, it } from "vitest";
import { largest } from "../../../src/cel/cost/bound.ts";
import { madeBy, turnCost } from "../../../src/cel/cost/loops.ts";
import { oneOf, sized, text, texts, turnOf, weight } from "../../../src/cel/cost/size.ts";
import { LOOP_TURN } from "../../../src/cel/cost/table.ts";
import type { Macro } from "../../../src/cel/tree/macros.ts";

/** Ten entries: keys with 60 characters together, texts with 100. */
const turn = turnOf(sized(10, texts(50, 100), texts(20, 60)), true);
const [key, element] = [oneOf(turn.key), oneOf(turn.element)];

const MACROS: readonly Macro[] = [
	"all",
	"exists",
	"exists_one",
	"filter",
	"map",
	"map_filter",
	"transform_list",
	"transform_list_filter",
	"transform_map",
	"transform_map_filter",
	"transform_map_entry",
	"transform_map_entry_filter",
	"bind",
];

describe("macros", () => {
	it("make lists and maps of what their turns make, with all of it together", () => {
		expect(largest(weight(madeBy("map", turn, undefined, element)))).toBe(10 + 100);
		expect(largest(weight(madeBy("transform_map", turn, key, element)))).toBe(10 + 60 + 100);
		expect(largest(weight(madeBy("map", turn, undefined, text(7))))).toBe(10 + 70);
		const entries = sized(3, texts(5, 15), texts(2, 6));
		const made = madeBy("transform_map_entry", turn, undefined, entries);
		expect(largest(weight(made))).toBe(10 * (3 + 15 + 6));
	});

	it("that ask make a bool", () => {
		for (const macro of ["all", "exists", "exists_one"] as const) {
			expect(largest(weight(madeBy(macro, turn, undefined, undefined)))).toBe(1);
		}
	});

	it("take a turn's time each turn, and more if they keep something", () => {
		for (const macro of MACROS) {
			expect(largest(turnCost(macro, text(1), sized(3, text(1), text(1))))).toBeGreaterThanOrEqual(
				LOOP_TURN,
			);
		}
		expect(turnCost("exists", undefined, undefined)).toBeLessThan(
			largest(turnCost("map", undefined, undefined)),
		);
	});
});

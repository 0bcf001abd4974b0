/** A page of a list in the order of a number is what sorting all of it would have there. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { pageWindow } from "../../../src/management/live/page-window.ts";

it("has what sorting has there, the first of equal ones first", () => {
	fc.assert(
		fc.property(
			fc.array(fc.oneof(fc.constant(0), fc.integer({ min: -3, max: 3 }), fc.constant(-0))),
			fc.nat(12),
			fc.nat(5),
			(list, start, count) => {
				const sorted = [...list.keys()].sort(
					(one, other) => (list[other] ?? 0) - (list[one] ?? 0) || one - other,
				);
				const page = pageWindow(Float64Array.from(list), start, count);
				expect(page).toEqual(sorted.slice(start, start + count));
			},
		),
	);
});

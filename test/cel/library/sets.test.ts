/** Relations of lists taken as sets, held against their definitions. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { equals } from "../../../src/cel/values/equality.ts";
import { Uint, type Value } from "../../../src/cel/values/value.ts";
import { call } from "./calls.ts";

const element = fc.constantFrom<Value>(
	1n,
	new Uint(1n),
	1,
	2n,
	"a",
	Number.NaN,
	[1n],
	[1, "a"],
	null,
);
const list = fc.array(element, { maxLength: 5 });

test("property: contains, equivalent and intersects are what they are defined as", () => {
	const isIn = (each: Value, other: readonly Value[]): boolean =>
		other.some((member) => equals(member, each));
	fc.assert(
		fc.property(list, list, (a, b) => {
			const within = (part: Value[], whole: Value[]): boolean =>
				part.every((each) => isIn(each, whole));
			expect(call("sets.contains(list<A>, list<A>) -> bool", a, b)).toBe(within(b, a));
			expect(call("sets.equivalent(list<A>, list<A>) -> bool", a, b)).toBe(
				within(a, b) && within(b, a),
			);
			expect(call("sets.intersects(list<A>, list<A>) -> bool", a, b)).toBe(
				a.some((each) => isIn(each, b)),
			);
		}),
	);
});

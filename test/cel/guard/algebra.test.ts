/** Guards put together hold wherever they must: exactly for `&&`, at least for `||`. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Guard } from "../../../src/cel/expression.ts";
import { bothOf, eitherOf, guardHolds, oneGuard } from "../../../src/cel/guard/algebra.ts";
import { LIMITS } from "../../../src/limits/limits.ts";

const ATTRIBUTES = ["method", "host", "path"] as const;
const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 4 });
const guards: fc.Arbitrary<readonly Guard[]> = fc
	.tuple(
		...ATTRIBUTES.map((attribute) =>
			fc.option(
				fc.record({
					attribute: fc.constant(attribute),
					test: fc.constantFrom("equals" as const, "starts_with" as const),
					values: fc.array(text, { maxLength: 3 }),
				}),
				{ nil: undefined },
			),
		),
	)
	.map((all) => all.filter((guard) => guard !== undefined));
const request = fc.record({ method: text, host: text, path: text });

const hold = (all: readonly Guard[], of: Readonly<Record<Guard["attribute"], string>>): boolean =>
	all.every((guard) => guardHolds(guard, of[guard.attribute]));
const attributesOf = (all: readonly Guard[]) => all.map(({ attribute }) => attribute);

describe("guards", () => {
	it("of both hold exactly where both do", () => {
		fc.assert(
			fc.property(guards, guards, request, (left, right, of) => {
				const both = bothOf(left, right);
				expect(hold(both, of)).toBe(hold(left, of) && hold(right, of));
				expect(new Set(attributesOf(both)).size).toBe(both.length);
			}),
		);
	});

	it("of either hold wherever one does, and say nothing of what only one speaks of", () => {
		fc.assert(
			fc.property(guards, guards, request, (left, right, of) => {
				const either = eitherOf(left, right);
				if (hold(left, of) || hold(right, of)) expect(hold(either, of)).toBe(true);
				const shared = attributesOf(left).filter((each) => attributesOf(right).includes(each));
				expect(attributesOf(either)).toEqual(shared);
			}),
		);
	});

	it("of either on one attribute by one test hold exactly where one does", () => {
		const values = fc.array(text, { maxLength: 3 });
		const test = fc.constantFrom("equals" as const, "starts_with" as const);
		fc.assert(
			fc.property(values, values, test, text, (left, right, kind, path) => {
				const holds = (of: readonly Guard[]): boolean => hold(of, { method: "", host: "", path });
				const [a, b] = [oneGuard("path", kind, left), oneGuard("path", kind, right)];
				expect(holds(eitherOf(a, b))).toBe(holds(a) || holds(b));
			}),
		);
	});

	it("are given up beyond the bound of values", () => {
		const values = Array.from({ length: LIMITS.guardValues + 1 }, (_, n) => `${n}`);
		expect(oneGuard("path", "equals", values)).toEqual([]);
		const [most, one] = [values.slice(1), values.slice(0, 1)].map((some) =>
			oneGuard("path", "equals", some),
		);
		expect(most).toHaveLength(1);
		expect(eitherOf(most ?? [], one ?? [])).toEqual([]);
	});
});

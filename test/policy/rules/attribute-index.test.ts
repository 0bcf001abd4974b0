/** One attribute's rules: by equality, by prefix, and those that any text will do for. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Guard } from "../../../src/cel/expression.ts";
import { guardHolds } from "../../../src/cel/guard/algebra.ts";
import { AttributeIndex } from "../../../src/policy/rules/attribute-index.ts";

// few letters, so that prefixes of prefixes are common
const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "\u{1f600}"), maxLength: 6 });
const guard: fc.Arbitrary<Guard> = fc.record({
	attribute: fc.constant("path" as const),
	test: fc.constantFrom("equals" as const, "starts_with" as const),
	values: fc.array(text, { maxLength: 4 }),
});

it("takes out the rules whose guard does not hold, and no others", () => {
	fc.assert(
		fc.property(
			fc.array(fc.option(guard, { nil: undefined }), { minLength: 1, maxLength: 70 }),
			text,
			(guards, path) => {
				const selected = new Uint32Array(Math.ceil(guards.length / 32)).fill(0xffff_ffff);
				const isLeft = new AttributeIndex(guards).narrow(selected, path);
				expect(isLeft).toBe(selected.some((word) => word !== 0));
				const bit = (rule: number): boolean =>
					(((selected[rule >>> 5] ?? 0) >>> (rule & 31)) & 1) === 1;
				expect(guards.map((_, rule) => bit(rule))).toEqual(
					guards.map((each) => each === undefined || guardHolds(each, path)),
				);
			},
		),
	);
});

it("narrows what others left, and brings nothing back", () => {
	const selected = new Uint32Array([0b10]);
	new AttributeIndex([undefined, undefined]).narrow(selected, "x");
	expect([...selected]).toEqual([0b10]);
});

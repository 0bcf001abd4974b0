/** What is charged for a call from outside is part of its cost, and of a size that doesn't depend on operands. */
import { expect, test } from "vitest";
import { baseCost, type Implementation } from "../../../src/cel/library/definition.ts";
import { IMPLEMENTATIONS } from "../../../src/cel/library/table.ts";

const of = (rest: Partial<Implementation>): Implementation => ({
	call: () => true,
	fails: false,
	...rest,
});

test("what is said, else the cost of operands without size, else a little", () => {
	expect(baseCost(of({ base: 7, cost: () => 9 }), 1)).toBe(7);
	expect(baseCost(of({ cost: (...sizes) => 9 + sizes.length + (sizes[0] ?? 5) }), 2)).toBe(11);
	expect(baseCost(of({}), 1)).toBe(50);
});

test.each([...IMPLEMENTATIONS])("%s has one that is no more than its cost", (_, implementation) => {
	const base = baseCost(implementation, 3);
	expect(base).toBeGreaterThan(0);
	expect(base).toBeLessThanOrEqual(implementation.cost?.(0, 0, 0) ?? 50);
	// what is more grows with operands, or is bounded by a limit, and charged where it is done
	expect(base).toBeLessThanOrEqual(5000);
});

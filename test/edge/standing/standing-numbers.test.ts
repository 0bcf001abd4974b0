/** A number is nobody else's while it is taken, and there are never more of them than were taken at once. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Numbers } from "../../../src/edge/standing/standing-numbers.ts";

it("gives each number to one at a time, the freed before new ones", () => {
	const step = fc.oneof(
		{ weight: 6, arbitrary: fc.constant("take" as const) },
		{ weight: 4, arbitrary: fc.nat(50) },
		{ weight: 1, arbitrary: fc.constant("clear" as const) },
	);
	fc.assert(
		fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
			const numbers = new Numbers();
			const taken = new Set<number>();
			let most = 0;
			for (const next of steps) {
				if (next === "take") {
					const number = numbers.take();
					expect(taken.has(number)).toBe(false);
					taken.add(number);
					most = Math.max(most, taken.size);
					expect(number).toBeLessThan(most);
				} else if (next === "clear") {
					numbers.clear();
					taken.clear();
					most = 0;
				} else if (taken.size > 0) {
					const number = [...taken][next % taken.size] ?? 0;
					taken.delete(number);
					numbers.free(number);
				}
			}
		}),
	);
});

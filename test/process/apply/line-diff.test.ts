/** Differences lead from one text to the other, and show only what is near a change. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { lineDiff } from "../../../src/process/apply/line-diff.ts";

it("leads from one text to the other", () => {
	const text = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
	fc.assert(
		fc.property(text, text, (old, now) => {
			const lines = lineDiff(old.join("\n"), now.join("\n"));
			const left = (kind: string) =>
				lines.filter((line) => line.kind === kind).map((line) => line.text);
			const gone = old.length - left("gone").length;
			const fresh = now.length - left("new").length;
			// as many lines stay on both sides
			expect(gone).toBe(fresh);
			if (!lines.some(({ kind }) => kind === "gap")) {
				const without = (kind: string) =>
					lines.filter((line) => line.kind !== kind).map((line) => line.text);
				expect(without("new")).toEqual(old);
				expect(without("gone")).toEqual(now);
			}
		}),
	);
});

it("leaves out what is far from a change, and tells long texts as a whole", () => {
	const numbers = Array.from({ length: 40 }, (_, index) => `${index}`);
	const changed = numbers.with(20, "x");
	expect(lineDiff(numbers.join("\n"), changed.join("\n")).map(({ text }) => text)).toEqual([
		...["", "18", "19", "20", "x", "21", "22", ""],
	]);
	const long = Array.from({ length: LIMITS.diffLines }, (_, index) => `${index}`);
	const other = long.map((text) => `${text}!`);
	expect(lineDiff(long.join("\n"), other.join("\n"))).toHaveLength(2 * LIMITS.diffLines);
	expect(lineDiff("", "a\n")).toEqual([{ kind: "new", text: "a" }]);
});

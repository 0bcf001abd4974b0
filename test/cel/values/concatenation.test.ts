/** `+` of texts, bytes and lists changes neither operand, and is bounded and paid for. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BUDGET } from "../../../src/cel/budget.ts";
import { addBytes, addLists, addText, boundedText } from "../../../src/cel/values/concatenation.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { outcome } from "./samples.ts";

test("property: first one, then the other", () => {
	fc.assert(
		fc.property(fc.uint8Array(), fc.uint8Array(), (a, b) => {
			const [left, right] = [[...a], [...b]];
			expect([...addBytes(a, b)]).toEqual([...left, ...right]);
			expect(addLists(left, right)).toEqual([...left, ...right]);
			expect([...a, ...b]).toEqual([...left, ...right]);
			expect(addText(left.join(), right.join())).toBe(left.join() + right.join());
		}),
	);
});

test("texts and bytes are bounded", () => {
	const most = "x".repeat(LIMITS.evaluationTextCharacters);
	expect(addText(most, "")).toBe(most);
	expect(outcome(() => addText(most, "x"))).toBe("failure");
	expect(
		outcome(() => addBytes(new Uint8Array(LIMITS.evaluationTextCharacters), Uint8Array.of(1))),
	).toBe("failure");
	expect(() => boundedText(LIMITS.evaluationTextCharacters + 1)).toThrow(
		expect.objectContaining({ message: "a text of more than 1048576 characters" }),
	);
});

test("what is copied is paid for", () => {
	const list = Array.from({ length: 1000 }, () => 1n);
	const bytes = new Uint8Array(1000);
	for (const copy of [
		() => addLists(list, list),
		() => addBytes(bytes, bytes),
		() => addText("x".repeat(1000), "y"),
	]) {
		BUDGET.left = 100;
		try {
			expect(copy).toThrow("takes too long");
		} finally {
			BUDGET.left = Number.POSITIVE_INFINITY;
		}
	}
	expect(addLists(list, [])).toBe(list);
	expect(addLists([], list)).toBe(list);
});

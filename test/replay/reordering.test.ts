/** Lines wait for earlier ones, within both bounds. */
import { expect, it } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { Reordering } from "../../src/replay/reordering.ts";

const timed = (startMs: number, endMs = startMs) => ({ startMs, endMs });

it("hands lines on in the order of starts, and late ones at once", () => {
	const passed: number[] = [];
	const reordering = new Reordering((item: ReturnType<typeof timed>) => passed.push(item.startMs));
	reordering.add(timed(10));
	reordering.add(timed(5, 11));
	expect(passed).toEqual([]);
	reordering.add(timed(LIMITS.replayReorderMs + 10));
	expect(passed).toEqual([5, 10]);
	reordering.add(timed(7));
	expect([passed, reordering.late]).toEqual([[5, 10, 7], 1]);
	reordering.end();
	expect(passed.at(-1)).toBe(LIMITS.replayReorderMs + 10);
});

it("holds so many lines and no more", () => {
	let passed = 0;
	const reordering = new Reordering(() => passed++);
	for (let at = 0; at < LIMITS.replayReorderLines + 3; at++) reordering.add(timed(1));
	expect(passed).toBe(3);
});

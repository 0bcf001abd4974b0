import { expect, it } from "vitest";
import { followsOn, newIncarnation, nextIncarnation } from "../../src/fleet/incarnation.ts";

it("a log that is begun again is of the same birth, and later", () => {
	const first = newIncarnation();
	const second = nextIncarnation(first);
	expect(first).toMatch(/^[\w-]{16}\.1$/);
	expect(followsOn(first, second)).toBe(true);
	expect(followsOn(first, nextIncarnation(second))).toBe(true);
	expect(followsOn(second, first)).toBe(false);
	expect(followsOn(first, first)).toBe(false);
});

it("every other log is another fleet's", () => {
	expect(followsOn(newIncarnation(), nextIncarnation(newIncarnation()))).toBe(false);
	expect(followsOn("", "born.2")).toBe(false);
	expect(followsOn("born.x", "born.2")).toBe(false);
});

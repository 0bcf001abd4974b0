/** The share of time that candidates may take: it comes in as time passes, and what was taken too much is waited for. */
import { expect, it } from "vitest";
import { TimeShare } from "../../../src/edge/candidates/time-share.ts";

it("gives a share of the time that passes, and saves up so much", () => {
	const time = new TimeShare(0.1, 50, 0);
	expect(time.hasSome(0)).toBe(true);
	time.take(70);
	expect(time.hasSome(100)).toBe(false);
	expect(time.hasSome(201)).toBe(true);
	expect(time.hasSome(100_000)).toBe(true);
	time.take(50);
	expect(time.hasSome(100_000)).toBe(false);
});

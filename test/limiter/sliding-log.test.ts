/** The oracle itself, held against the definition. */
import { expect, it } from "vitest";
import { describeExactAdmission } from "./admission-suite.ts";
import { SlidingLog } from "./sliding-log.ts";

describeExactAdmission("SlidingLog", (capacity, windowMs) => {
	const log = new SlidingLog(capacity, windowMs);
	return (now) => log.admit(now);
});

it("takes a clock that runs back for one that stands still", () => {
	const log = new SlidingLog(1, 10);
	expect(log.admit(1000)).toBe(0);
	expect(log.admit(900)).toBe(10);
	expect(log.admit(1009)).toBe(1);
	expect(log.admit(1000)).toBe(1);
	expect(log.admit(1010)).toBe(0);
});

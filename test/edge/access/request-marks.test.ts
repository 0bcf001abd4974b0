/** The moments of a request. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { RequestMarks } from "../../../src/edge/access/request-marks.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("knows nothing of what did not happen", () => {
	const marks = new RequestMarks();
	marks.phaseEnds();
	marks.answered();
	expect(marks).toMatchObject({ policyMs: -1, policyAtMs: -1, sentAtMs: -1, responseMs: -1 });
});

it("adds up both phases, with the time in which they waited", () => {
	const marks = new RequestMarks();
	marks.phaseBegins();
	vi.advanceTimersByTime(10);
	marks.phaseEnds();
	vi.advanceTimersByTime(5);
	marks.sent();
	vi.advanceTimersByTime(20);
	marks.answered();
	vi.advanceTimersByTime(1);
	marks.answered();
	marks.phaseBegins();
	vi.advanceTimersByTime(3);
	marks.phaseEnds();
	marks.phaseEnds();
	expect([marks.policyMs, marks.responseMs, marks.totalMs]).toEqual([13, 20, 39]);
	expect([marks.policyAtMs - marks.begunAtMs, marks.sentAtMs - marks.begunAtMs]).toEqual([0, 15]);
});

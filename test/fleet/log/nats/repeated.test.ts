/** What nobody answers is asked again while the first question still waits, and the first answer counts. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AGAIN_MS, repeated } from "../../../../src/fleet/log/nats/repeated.ts";

const SILENCE = new Error("no answer in time");
const isSilence = (error: unknown) => error === SILENCE;
const after = <T>(ms: number, settle: () => Promise<T>) =>
	new Promise<void>((resolve) => setTimeout(resolve, ms)).then(settle);

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

/** @param answers what each question comes to, in order @returns what was asked, with the time that each had */
function asked(answers: readonly ((leftMs: number) => Promise<string>)[], timeoutMs = 5000) {
	const lefts: number[] = [];
	const promise = repeated(
		(leftMs) => {
			lefts.push(Math.round(leftMs));
			const answer = answers[lefts.length - 1];
			return answer === undefined ? after(leftMs, () => Promise.reject(SILENCE)) : answer(leftMs);
		},
		timeoutMs,
		isSilence,
	);
	promise.catch(() => undefined);
	return { lefts, promise };
}

const silent = (leftMs: number) => after(leftMs, () => Promise.reject<string>(SILENCE));

it("asks once where there is an answer", async () => {
	const { lefts, promise } = asked([() => after(20, async () => "here")]);
	await vi.advanceTimersByTimeAsync(20_000);
	expect(await promise).toBe("here");
	expect(lefts).toEqual([5000]);
});

it("takes the answer to the second question where the first is lost", async () => {
	const { lefts, promise } = asked([silent, () => after(10, async () => "there")]);
	await vi.advanceTimersByTimeAsync(AGAIN_MS + 10);
	expect(await promise).toBe("there");
	await vi.advanceTimersByTimeAsync(20_000);
	expect(lefts).toEqual([5000, 5000 - AGAIN_MS]);
});

it("takes a late answer to the first", async () => {
	const { promise } = asked([() => after(AGAIN_MS + 100, async () => "late"), silent]);
	await vi.advanceTimersByTimeAsync(AGAIN_MS + 100);
	expect(await promise).toBe("late");
});

it("asks less and less often, and gives up when the time is over", async () => {
	const { lefts, promise } = asked([]);
	await vi.advanceTimersByTimeAsync(4999);
	expect(lefts).toEqual([5000, 4250, 2750]);
	await vi.advanceTimersByTimeAsync(1);
	await expect(promise).rejects.toBe(SILENCE);
	await vi.advanceTimersByTimeAsync(20_000);
	expect(lefts.length).toBe(3);
});

it("gives up in whatever order they run out of time", async () => {
	const late = (leftMs: number) => silent(leftMs + 3);
	const { promise } = asked([late, silent, () => silent(1)]);
	await vi.advanceTimersByTimeAsync(5010);
	await expect(promise).rejects.toBe(SILENCE);
});

it("a refusal is an answer", async () => {
	const refusal = new Error("not permitted");
	const { lefts, promise } = asked([silent, () => Promise.reject(refusal)]);
	await vi.advanceTimersByTimeAsync(AGAIN_MS);
	await expect(promise).rejects.toBe(refusal);
	await vi.advanceTimersByTimeAsync(20_000);
	expect(lefts.length).toBe(2);
});

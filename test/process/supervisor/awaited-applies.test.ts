/** Who announces a change waits until the worker acknowledges it, and decides how long. */
import { expect, it, vi } from "vitest";
import { AwaitedApplies } from "../../../src/process/supervisor/awaited-applies.ts";

it("waits for the acknowledgement of this very change, or for the worker's end", async () => {
	const awaited = new AwaitedApplies(60_000);
	const done: number[] = [];
	const wait = (id: number): Promise<unknown> =>
		awaited.wait(id, () => false).then(() => done.push(id));
	const all = [wait(1), wait(2), wait(-1)];
	awaited.acknowledged(2);
	awaited.acknowledged(7);
	await all[1];
	expect(done).toEqual([2]);
	awaited.releaseAll();
	await Promise.all(all);
	expect(done.toSorted()).toEqual([-1, 1, 2]);
});

it("asks when a change takes long, and counts anew from each sign of life", () => {
	vi.useFakeTimers();
	try {
		const awaited = new AwaitedApplies(1000);
		const late = vi.fn(() => true);
		void awaited.wait(1, late);
		vi.advanceTimersByTime(900);
		awaited.aliveAgain();
		vi.advanceTimersByTime(900);
		expect(late).not.toHaveBeenCalled();
		vi.advanceTimersByTime(1100);
		expect(late).toHaveBeenCalledTimes(2);
		awaited.acknowledged(1);
		vi.advanceTimersByTime(5000);
		expect(late, "nothing is awaited").toHaveBeenCalledTimes(2);
		void awaited.wait(2, late);
		vi.advanceTimersByTime(900);
		expect(late, "counted from here").toHaveBeenCalledTimes(2);
		vi.advanceTimersByTime(100);
		expect(late).toHaveBeenCalledTimes(3);
	} finally {
		vi.useRealTimers();
	}
});

import { describe, expect, it } from "vitest";
import { ExpressionThreads } from "../../../src/edge/policies/expression-threads.ts";

/** Counts who keeps, and says that threads are up when told. */
const scripted = () => {
	const starts: (() => void)[] = [];
	const counts = { keepers: 0 };
	const threads = new ExpressionThreads({
		keep() {
			counts.keepers += 1;
			return () => {
				counts.keepers -= 1;
			};
		},
		ready: () => new Promise((resolve) => starts.push(resolve)),
	});
	return { counts, starts, threads };
};

describe("ExpressionThreads", () => {
	it("are ready once one has answered, as long as somebody keeps them", async () => {
		const { counts, starts, threads } = scripted();
		expect(threads.areReady).toBe(false);
		threads.keep();
		threads.keep();
		expect([counts.keepers, starts.length, threads.areReady]).toEqual([1, 1, false]);
		starts[0]?.();
		await threads.ready();
		expect(threads.areReady).toBe(true);
		threads.release();
		expect([counts.keepers, threads.areReady]).toEqual([1, true]);
		threads.release();
		expect([counts.keepers, threads.areReady]).toEqual([0, false]);
	});

	it("are not ready by the answer of those that were let go", async () => {
		const { starts, threads } = scripted();
		const first = threads.ready();
		threads.keep();
		threads.release();
		threads.keep();
		starts[0]?.();
		await first;
		await new Promise((resolve) => setImmediate(resolve));
		expect(threads.areReady).toBe(false);
		starts[1]?.();
		await threads.ready();
		expect(threads.areReady).toBe(true);
	});

	it("keep nobody waiting when nobody keeps them", async () => {
		await expect(scripted().threads.ready()).resolves.toBeUndefined();
	});
});

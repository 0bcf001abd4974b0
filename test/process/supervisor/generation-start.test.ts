import { expect, it } from "vitest";
import {
	type StartEvents,
	startGeneration,
} from "../../../src/process/supervisor/generation-start.ts";

it("resolves when all listen", async () => {
	const indexes: number[] = [];
	await startGeneration(3, (index, events) => {
		indexes.push(index);
		setImmediate(() => events.onListening({ pid: 1 }));
	});
	expect(indexes).toEqual([0, 1, 2]);
});

it("fails with what a worker said before its end, once the others have started or ended", async () => {
	const all: StartEvents[] = [];
	const started = startGeneration(2, (_index, events) => all.push(events));
	all[0]?.onFatal("the port is taken");
	all[0]?.onEarlyExit({ code: 1, signal: null });
	let isOver = false;
	started.catch(() => {
		isOver = true;
	});
	await new Promise((resolve) => setImmediate(resolve));
	expect(isOver).toBe(false);
	all[1]?.onListening({ pid: 1 });
	await expect(started).rejects.toThrow("the port is taken");
});

it("says which worker ended without a word", async () => {
	const started = startGeneration(1, (_index, events) =>
		events.onEarlyExit({ code: 1, signal: null }),
	);
	await expect(started).rejects.toThrow("worker 0 ended while starting");
});

/** The queue as a worker opens it has the bounds that are written down. */
import { expect, it } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { openExpressionThreads } from "../../src/threads/expression-threads.ts";

it("runs as many as it has threads for, lets as many wait as are allowed, and serves them", async () => {
	const options = { threads: 3, deadlineMs: 1000, onLost: () => {}, onReplaced: () => {} };
	const queue = openExpressionThreads(options, new URL("./scripted-task.mjs", import.meta.url));
	const task = { kind: "evaluate", source: "true", phase: "inbound", wants: "bool" } as const;
	const attributes = {
		values: {},
		requestHeaders: { complete: false, lines: [] },
		responseHeaders: { complete: false, lines: [] },
	};
	const ends: Promise<boolean>[] = [];
	const fill = (client: string, most: number): number => {
		let count = 0;
		for (; count < most && queue.hasRoom("first", client); count++) {
			const end = new Promise<boolean>((resolve) => {
				queue.submit("first", { ...task, attributes }, ({ ok }) => resolve(ok), client);
			});
			ends.push(end);
		}
		return count;
	};
	// of three threads one is left for others
	expect(fill("a", 1000)).toBe(2 + LIMITS.heavyQueuePerClient);
	expect(fill("b", 1)).toBe(1);
	const clients = LIMITS.heavyQueue / LIMITS.heavyQueuePerClient - 1;
	for (let client = 0; client < clients; client++) fill(`${client}`, LIMITS.heavyQueuePerClient);
	expect(queue.waiting("first")).toBe(LIMITS.heavyQueue);
	expect(await Promise.all(ends)).toEqual(ends.map(() => true));
	await queue.close();
});

/** The queue as a worker opens it has the bounds that are written down. */
import { expect, it } from "vitest";
import { openHeavyQueue } from "../../src/heavy/heavy-queue.ts";
import { LIMITS } from "../../src/limits.ts";

it("runs as many as it has threads for, lets as many wait as are allowed, and serves them", async () => {
	const queue = openHeavyQueue(() => {}, new URL("./scripted-task.mjs", import.meta.url));
	const task = { kind: "evaluate", source: "true", phase: "inbound", wants: "bool" } as const;
	const attributes = {
		values: {},
		requestHeaders: { complete: false, lines: [] },
		responseHeaders: { complete: false, lines: [] },
	};
	const ends: Promise<boolean>[] = [];
	while (queue.hasRoom("first")) {
		const end = new Promise<boolean>((resolve) => {
			queue.submit("first", { ...task, attributes }, ({ ok }) => resolve(ok));
		});
		ends.push(end);
	}
	expect(ends).toHaveLength(LIMITS.heavyThreads + LIMITS.heavyQueue);
	expect(await Promise.all(ends)).toEqual(ends.map(() => true));
	await queue.close();
});

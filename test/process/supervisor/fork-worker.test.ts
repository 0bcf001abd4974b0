/** What a worker's process is given; that it works, test/e2e sees. */
import { expect, it } from "vitest";
import { numbersInWorker } from "../../../src/process/supervisor/fork-worker.ts";

it("numbers sockets in the worker one after the other, behind its own descriptors", () => {
	const [[first = 0, second] = [], [third] = []] = numbersInWorker([[40, 41], [7]]);
	expect(first).toBeGreaterThanOrEqual(4);
	expect([second, third]).toEqual([first + 1, first + 2]);
	expect(numbersInWorker([])).toEqual([]);
});

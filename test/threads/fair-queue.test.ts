/** Who waits for whom: a client for one of each other, never for all that another one has waiting. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { FairQueue } from "../../src/threads/fair-queue.ts";

const ANY = (): boolean => true;

const takeAll = (queue: FairQueue<string>): string[] => {
	const taken: string[] = [];
	for (let next = queue.take(ANY); next !== undefined; next = queue.take(ANY)) taken.push(next);
	return taken;
};

test("clients take turns, each in its own order", () => {
	const queue = new FairQueue<string>(100, 100);
	for (const item of ["a1", "a2", "a3", "b1", "c1", "c2"]) queue.add(item.charAt(0), item);
	expect(takeAll(queue)).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
	expect(queue.size).toBe(0);
});

test("who may not be served keeps its place", () => {
	const queue = new FairQueue<string>(100, 100);
	for (const item of ["a1", "b1", "b2"]) queue.add(item.charAt(0), item);
	expect(queue.take((client) => client !== "a")).toBe("b1");
	expect(queue.take((client) => client !== "a")).toBe("b2");
	expect(queue.take((client) => client !== "a")).toBe(undefined);
	expect(queue.take(ANY)).toBe("a1");
});

test("a client that has filled its room leaves the others theirs", () => {
	const queue = new FairQueue<string>(6, 3);
	for (const item of ["a1", "a2", "a3"]) queue.add("a", item);
	expect(queue.hasRoom("a")).toBe(false);
	expect(queue.hasRoom("b")).toBe(true);
});

test("where all is full the newest of whoever has most gives its place to one who has less", () => {
	const queue = new FairQueue<string>(4, 3);
	for (const item of ["a1", "a2", "a3", "b1"]) queue.add(item.charAt(0), item);
	expect(queue.hasRoom("c")).toBe(true);
	expect(queue.add("c", "c1")).toBe("a3");
	// of two, one would have as many then
	expect(queue.hasRoom("c")).toBe(false);
	expect(queue.hasRoom("d")).toBe(true);
	expect(queue.add("d", "d1")).toBe("a2");
	expect(queue.hasRoom("e")).toBe(false);
	expect(takeAll(queue)).toEqual(["a1", "b1", "c1", "d1"]);
});

test("property: nothing is lost, nothing twice, and bounds hold", () => {
	const step = fc.record({
		client: fc.constantFrom("a", "b", "c", "d"),
		does: fc.constantFrom("add", "add", "add", "take", "delete"),
	});
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
			const queue = new FairQueue<string>(6, 4);
			const inside = new Map<string, string>();
			for (const [id, { client, does }] of steps.entries()) {
				if (does === "add" && queue.hasRoom(client)) {
					const displaced = queue.add(client, `${id}`);
					if (displaced !== undefined) expect(inside.delete(displaced)).toBe(true);
					inside.set(`${id}`, client);
				} else if (does === "take") {
					const taken = queue.take(ANY);
					expect(taken === undefined).toBe(inside.size === 0);
					if (taken !== undefined) expect(inside.delete(taken)).toBe(true);
				} else if (does === "delete") {
					const [item, own] = [...inside][0] ?? ["none", client];
					expect(queue.delete(own, item)).toBe(inside.delete(item));
					expect(queue.delete(own, item)).toBe(false);
				}
				expect(queue.size).toBe(inside.size);
				expect(queue.size).toBeLessThanOrEqual(6);
				for (const each of "abcd") {
					const own = [...inside.values()].filter((one) => one === each).length;
					expect(own).toBeLessThanOrEqual(4);
				}
			}
			expect(takeAll(queue).sort()).toEqual([...inside.keys()].sort());
		}),
	);
});

/** Lists that share their elements behave like lists that don't. */
import { type CelList, celList } from "@bufbuild/cel";
import fc from "fast-check";
import { expect, test } from "vitest";
import { concatenated } from "../../src/cel/list.ts";
import { OutOfSteps, startSteps } from "../../src/cel/steps.ts";

test("property: any order of appending gives the lists that arrays give, and changes none", () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(fc.nat(), fc.nat())), (joins) => {
			startSteps(1_000_000);
			const lists: CelList[] = [celList([]), celList([1n]), celList([2n, 3n])];
			const models: bigint[][] = [[], [1n], [2n, 3n]];
			for (const [left, right] of joins.slice(0, 12)) {
				const [at, from] = [left % lists.length, right % lists.length];
				lists.push(concatenated(lists[at] ?? celList([]), lists[from] ?? celList([])));
				models.push([...(models[at] ?? []), ...(models[from] ?? [])]);
			}
			expect(lists.map((list) => [...list])).toEqual(models);
			expect(lists.map(({ size }) => size)).toEqual(models.map(({ length }) => length));
			expect(lists.map((list) => list.get(0))).toEqual(models.map(([first]) => first));
		}),
	);
});

test("an index outside has nothing, though a longer list may share the elements", () => {
	startSteps(100);
	const short = concatenated(celList([1n]), celList([2n]));
	concatenated(short, celList([3n]));
	expect([short.get(-1), short.get(2)]).toEqual([undefined, undefined]);
});

test("copies are counted", () => {
	startSteps(3);
	expect(() => concatenated(celList([1n, 2n]), celList([3n, 4n]))).toThrow(OutOfSteps);
});

/** Statistics of the benches: quartiles, paired ratios, and when they say that nothing is known. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

type Slices = readonly (number | undefined)[];
interface Comparison {
	readonly ratio: number;
	readonly paired: number;
	readonly known: boolean;
}
interface Module {
	readonly SLICES: number;
	readonly quantile: (numbers: readonly number[], share: number) => number;
	readonly median: (numbers: readonly number[]) => number;
	readonly lowerQuartile: (numbers: readonly number[]) => number;
	readonly upperQuartile: (numbers: readonly number[]) => number;
	readonly compare: (
		ours: Slices,
		theirs: Slices,
		figure?: (numbers: readonly number[]) => number,
	) => Comparison | undefined;
	readonly ratioText: (comparison: Comparison | undefined, digits?: number) => string;
	readonly inTurns: <T>(
		contenders: readonly T[],
		slices: number,
		measure: (contender: T, slice: number) => number,
	) => Promise<number[][]>;
	readonly timeInTurns: (
		tasks: readonly { run: () => unknown; calls: number }[],
		times: { sliceMs: number; warmUpMs: number; slices?: number },
	) => Promise<number[][]>;
}
const file = join(import.meta.dirname, "..", "..", "bench", "slices.mjs");
const bench: Module = await import(pathToFileURL(file).href);
const { SLICES, compare, inTurns, lowerQuartile, median, quantile, ratioText, upperQuartile } =
	bench;

const times = (count: number, value: number) => Array.from({ length: count }, () => value);

describe("figures", () => {
	it("of nine slices the third from the quick side, whatever their order", () => {
		const nine = [7, 3, 9, 1, 5, 8, 2, 6, 4];
		expect(lowerQuartile(nine)).toBe(3);
		expect(upperQuartile(nine)).toBe(7);
		expect(median(nine)).toBe(5);
		expect(nine[0]).toBe(7);
	});

	it("numbers are not sorted as text", () => {
		expect(lowerQuartile([10, 9, 100, 1000])).toBe(10);
		expect(median([10, 9, 100])).toBe(10);
	});

	it("one slice is its own figure; of none there is no number", () => {
		expect([lowerQuartile([4]), upperQuartile([4]), median([4])]).toEqual([4, 4, 4]);
		expect([lowerQuartile([]), upperQuartile([]), median([])]).toEqual([NaN, NaN, NaN]);
	});

	it("an even number has its median between two", () => {
		expect(median([4, 1, 3, 2])).toBe(2.5);
	});

	it("the ends of a quantile are the least and the most", () => {
		expect([quantile([3, 1, 2], 0), quantile([3, 1, 2], 1)]).toEqual([1, 3]);
	});

	it("both quartiles are numbers of the list, and as far from their end", () => {
		const lists = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1 });
		fc.assert(
			fc.property(lists, (list) => {
				const [low, high] = [lowerQuartile(list), upperQuartile(list)];
				const below = list.filter((each) => each < low).length;
				const above = list.filter((each) => each > high).length;
				expect(low).toBeLessThanOrEqual(high);
				expect(Math.max(below, above)).toBeLessThanOrEqual(list.length / 4);
			}),
		);
	});
});

describe("comparisons", () => {
	it("equal figures on a steady machine are known", () => {
		const comparison = compare(times(SLICES, 12), times(SLICES, 10));
		expect(comparison).toEqual({ ratio: 1.2, paired: 1.2, known: true });
		expect(ratioText(comparison)).toBe("1.20 (1.20)");
	});

	it("a machine that is half as fast for most slices changes neither figure", () => {
		const slow = [1, 1, 1, 2, 2, 2, 2, 2, 2];
		const comparison = compare(
			slow.map((factor) => 12 * factor),
			slow.map((factor) => 10 * factor),
		);
		expect(comparison?.ratio).toBeCloseTo(1.2);
		expect(comparison?.paired).toBeCloseTo(1.2);
		expect(comparison?.known).toBe(true);
	});

	it("two that met different speeds: not known, both ways round", () => {
		const [quick, slow] = [times(SLICES, 10), [10, 10, 20, 20, 20, 20, 20, 20, 20]];
		const mixed = [20, 20, 20, 20, 20, 20, 10, 10, 10];
		expect(compare(quick, mixed)).toEqual({ ratio: 1, paired: 0.5, known: false });
		expect(compare(mixed, quick)).toEqual({ ratio: 1, paired: 2, known: false });
		expect(ratioText(compare(quick, mixed))).toBe("1.00 (0.50) not known");
		expect(compare(slow, quick)?.known).toBe(true);
	});

	it("five hundredths apart are known, more are not", () => {
		const theirs = times(SLICES, 100);
		const ours = (most: number) => [...times(3, 100), ...times(SLICES - 3, most)];
		expect(compare(ours(104.9), theirs)?.known).toBe(true);
		expect(compare(ours(105.1), theirs)?.known).toBe(false);
	});

	it("few slices agree with themselves and say nothing", () => {
		expect(compare([12], [10])).toEqual({ ratio: 1.2, paired: 1.2, known: false });
		expect(compare(times(SLICES - 1, 12), times(SLICES - 1, 10))?.known).toBe(false);
	});

	it("pairs are of the same slice, also where one is missing", () => {
		const ours = [undefined, ...times(SLICES, 12)];
		const theirs = [99, ...times(SLICES, 10)];
		expect(compare(ours, theirs)).toEqual({ ratio: 1.2, paired: 1.2, known: true });
		expect(compare([1, undefined], [undefined, 1])).toBeUndefined();
		expect(compare([], [])).toBeUndefined();
		expect(ratioText(undefined)).toBe("–");
	});

	it("what is better large is compared by its upper quartile", () => {
		const ours = [50, 50, 50, 50, 50, 50, 100, 100, 100];
		expect(compare(ours, times(SLICES, 100), upperQuartile)?.ratio).toBe(1);
	});

	it("nothing by nothing is not known", () => {
		expect(compare(times(SLICES, 0), times(SLICES, 0))?.known).toBe(false);
	});
});

describe("turns", () => {
	it("everybody is measured in each slice, and everybody goes first", async () => {
		const asked: string[] = [];
		const slices = await inTurns(["a", "b", "c"], 3, (name, slice) => {
			asked.push(`${name}${slice}`);
			return slice;
		});
		expect(asked).toEqual(["a0", "b0", "c0", "b1", "c1", "a1", "c2", "a2", "b2"]);
		expect(slices).toEqual([
			[0, 1, 2],
			[0, 1, 2],
			[0, 1, 2],
		]);
	});

	it("nobody at all", async () => {
		expect(await inTurns([], 3, () => 1)).toEqual([]);
	});

	it("functions are called in every slice, and a call's time is a part of a run's", async () => {
		let sum = 0;
		const work = (rounds: number) => () => {
			for (let n = 0; n < rounds; n += 1) sum += Math.sqrt(n);
		};
		const tasks = [
			{ run: work(200_000), calls: 1 },
			{ run: work(200_000), calls: 1000 },
		];
		const [whole = [], part = []] = await bench.timeInTurns(tasks, {
			sliceMs: 5,
			warmUpMs: 5,
			slices: 3,
		});
		expect(sum).toBeGreaterThan(0);
		expect([whole.length, part.length]).toEqual([3, 3]);
		expect(Math.min(...whole)).toBeGreaterThan(20 * Math.max(...part));
	});
});

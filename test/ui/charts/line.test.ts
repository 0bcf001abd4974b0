/** The lines of charts: what is joined, what is not, and where it lies. */
import { expect, it } from "vitest";
import {
	areaPath,
	bucketed,
	linePath,
	nearest,
	roundTop,
	strokesPath,
	xOf,
} from "../../../ui/charts/line.ts";

const WINDOW = { end: 900_000, spanMs: 900_000, top: 10 };

it("seconds become places by the clock; what is known weighs, what is not doesn't", () => {
	const points = [
		{ ts: 3_000, value: 2 },
		{ ts: 4_000, value: 4 },
		{ ts: 5_999, value: null },
		{ ts: 6_000, value: 9 },
		{ ts: 9_000, value: null },
	];
	expect(bucketed(points, "mean")).toEqual([
		{ ts: 4_500, value: 3 },
		{ ts: 7_500, value: 9 },
		{ ts: 10_500, value: null },
	]);
	expect(bucketed(points, "most")[0]).toEqual({ ts: 4_500, value: 4 });
});

it("a line breaks where nothing is known", () => {
	const points = [0, 3_000, 6_000, 60_000, 63_000].map((ts) => ({ ts, value: 5 }));
	expect(linePath(points, WINDOW)).toBe("M0.0 50.0L3.0 50.0L6.0 50.0M60.0 50.0L63.0 50.0");
	expect(linePath([{ ts: 3_000, value: 0 }], WINDOW)).toBe("M3.0 100.0h2");
	expect(linePath([{ ts: 3_000, value: null }], WINDOW)).toBe("");
});

it("the area below closes at the floor, and nothing leaves the chart above", () => {
	const points = [0, 3_000].map((ts) => ({ ts, value: 99 }));
	expect(areaPath(points, WINDOW)).toBe("M0.0 100.0L0.0 0.0L3.0 0.0L3.0 100.0Z");
});

it("strokes are where there is something", () => {
	const points = [
		{ ts: 0, value: 0 },
		{ ts: 3_000, value: 5 },
		{ ts: 6_000, value: null },
	];
	expect(strokesPath(points, WINDOW)).toBe("M3.0 100.0V50.0");
});

it("the scale is round, and never nothing", () => {
	expect([0, 3, 11, 12, 13, 820, 1000, 1001, Number.NaN].map((each) => roundTop(each, 10))).toEqual(
		[...[10, 10, 12, 12, 15, 1000, 1000, 1200, 10]],
	);
	expect(roundTop(0.03, 0.01)).toBeCloseTo(0.03);
});

it("a place of the pointer is the point nearest to it", () => {
	const points = [100_000, 200_000, 800_000].map((ts) => ({ ts }));
	expect(nearest(points, 0, WINDOW)?.ts).toBe(100_000);
	expect(nearest(points, 0.3, WINDOW)?.ts).toBe(200_000);
	expect(nearest(points, 1, WINDOW)?.ts).toBe(800_000);
	expect(nearest([], 0.5, WINDOW)).toBeUndefined();
	expect(xOf(450_000, WINDOW)).toBe(450);
});

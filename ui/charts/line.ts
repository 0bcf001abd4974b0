/** The geometry of charts: from seconds to the `d` of an SVG path. Drawn by chart.tsx. */

/** Units of the drawing, which is stretched to whatever room there is. */
export const WIDTH = 900;
export const HEIGHT = 100;

/** So many milliseconds are drawn as one place: the room for a second is less than a pixel. */
const BUCKET_MS = 3_000;

export interface Point {
	readonly ts: number;
	readonly value: number | null;
}

/** The last `spanMs` end at the right edge. */
export interface Window {
	readonly end: number;
	readonly spanMs: number;
	/** value at the upper edge */
	readonly top: number;
}

export const xOf = (ts: number, { end, spanMs }: Omit<Window, "top">): number =>
	((ts - (end - spanMs)) / spanMs) * WIDTH;

const yOf = (value: number, { top }: Window): number =>
	HEIGHT - (Math.min(value, top) / top) * HEIGHT;

const at = (x: number, y: number): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/**
 * Neighbouring seconds as one point, by the clock and not by their number, so that what is drawn only moves to the left.
 * @param as `mean` for what flows, `most` for what must not be overlooked
 */
export function bucketed(points: readonly Point[], as: "mean" | "most"): Point[] {
	const buckets = new Map<number, number[]>();
	for (const { ts, value } of points) {
		const bucket = Math.floor(ts / BUCKET_MS);
		const values = buckets.get(bucket) ?? [];
		if (value !== null) values.push(value);
		buckets.set(bucket, values);
	}
	return [...buckets].map(([bucket, values]) => ({
		ts: bucket * BUCKET_MS + BUCKET_MS / 2,
		value: values.length === 0 ? null : as === "most" ? Math.max(...values) : mean(values),
	}));
}

const mean = (values: readonly number[]): number =>
	values.reduce((sum, each) => sum + each, 0) / values.length;

/** Points that follow each other; where nothing is known, there is no line. */
function runs(points: readonly Point[]): { readonly ts: number; readonly value: number }[][] {
	const found: { ts: number; value: number }[][] = [];
	let before = Number.NEGATIVE_INFINITY;
	for (const { ts, value } of points) {
		if (value === null) continue;
		if (ts - before > BUCKET_MS) found.push([]);
		found.at(-1)?.push({ ts, value });
		before = ts;
	}
	return found;
}

/** @param points of `bucketed` */
export function linePath(points: readonly Point[], window: Window): string {
	return runs(points)
		.map((run) => {
			const places = run.map(({ ts, value }) => at(xOf(ts, window), yOf(value, window)));
			// one alone would not be seen
			return `M${places.join("L")}${places.length === 1 ? "h2" : ""}`;
		})
		.join("");
}

/** What lies below `linePath`. */
export function areaPath(points: readonly Point[], window: Window): string {
	return runs(points)
		.map((run) => {
			const places = run.map(({ ts, value }) => at(xOf(ts, window), yOf(value, window)));
			const [from, to] = [run[0]?.ts ?? 0, run.at(-1)?.ts ?? 0];
			return `M${at(xOf(from, window), HEIGHT)}L${places.join("L")}L${at(xOf(to, window), HEIGHT)}Z`;
		})
		.join("");
}

/** A stroke from the floor for each place where there is something: for what there should be none of. */
export function strokesPath(points: readonly Point[], window: Window): string {
	return points
		.filter(({ value }) => value !== null && value > 0)
		.map(({ ts, value }) => `M${at(xOf(ts, window), HEIGHT)}V${yOf(value ?? 0, window).toFixed(1)}`)
		.join("");
}

const STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** A round number that nothing exceeds, and that little is below. @param least where there is nothing to see */
export function roundTop(largest: number, least: number): number {
	if (!(largest > least)) return least;
	const power = 10 ** Math.floor(Math.log10(largest));
	return power * (STEPS.find((each) => each * power >= largest) ?? 10);
}

/** The point nearest to a place between 0 (left) and 1 (right). */
export function nearest<T extends { readonly ts: number }>(
	points: readonly T[],
	place: number,
	{ end, spanMs }: Pick<Window, "end" | "spanMs">,
): T | undefined {
	const ts = end - spanMs + place * spanMs;
	return points.reduce<T | undefined>(
		(best, each) =>
			best === undefined || Math.abs(each.ts - ts) < Math.abs(best.ts - ts) ? each : best,
		undefined,
	);
}

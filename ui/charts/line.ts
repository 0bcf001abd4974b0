/** The geometry of charts: from seconds to the `d` of an SVG path. Drawn by chart.tsx. */

/** Units of the drawing, which is stretched to whatever room there is. */
export const WIDTH = 900;
export const HEIGHT = 100;

/** Seconds further apart than this are not joined: nobody knows what was in between. */
const GAP_MS = 2_500;

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

export const xOf = (ts: number, { end, spanMs }: Window): number =>
	((ts - (end - spanMs)) / spanMs) * WIDTH;

const yOf = (value: number, { top }: Window): number =>
	HEIGHT - (Math.min(value, top) / top) * HEIGHT;

export function linePath(points: readonly Point[], window: Window): string {
	let path = "";
	let before: number | undefined;
	for (const { ts, value } of points) {
		if (value === null) {
			before = undefined;
			continue;
		}
		const joined = before !== undefined && ts - before <= GAP_MS;
		const [x, y] = [xOf(ts, window).toFixed(1), yOf(value, window).toFixed(1)];
		path += `${joined ? "L" : "M"}${x} ${y}`;
		// a second alone would not be seen: a line of the width of one
		if (!joined) path += `h${(WIDTH / (window.spanMs / 1000)).toFixed(1)}`;
		before = ts;
	}
	return path;
}

/** The least of 1, 2, 5 times a power of ten that nothing exceeds. @param least where there is nothing to see */
export function roundTop(largest: number, least: number): number {
	if (!(largest > least)) return least;
	const power = 10 ** Math.floor(Math.log10(largest));
	return power * ([1, 2, 5, 10].find((each) => each * power >= largest) ?? 10);
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

/** One chart of the last 15 minutes: up to two lines over a floor, and a cursor that all charts share. Used by instruments.tsx. */
import { duration } from "../text/format.ts";
import {
	areaPath,
	bucketed,
	HEIGHT,
	linePath,
	type Point,
	roundTop,
	strokesPath,
	WIDTH,
	type Window,
	xOf,
} from "./line.ts";

export interface Trace {
	readonly kind: "flow" | "refusals" | "errors" | "most";
	readonly points: readonly Point[];
}

interface Props {
	/** for those who don't see it */
	readonly label: string;
	/** those drawn later lie above */
	readonly traces: readonly Trace[];
	readonly end: number;
	readonly spanMs: number;
	/** what the upper edge is at least */
	readonly least: number;
	readonly format: (value: number) => string;
	/** milliseconds since 1970; undefined: nobody points at anything */
	readonly cursor: number | undefined;
	/** 0 to 1 from the left; undefined: left */
	point(place: number | undefined): void;
}

export function Chart({ label, traces, end, spanMs, least, format, cursor, point }: Props) {
	const drawn = traces.map(({ kind, points }) => ({
		kind,
		points: bucketed(points, kind === "errors" || kind === "most" ? "most" : "mean"),
	}));
	const values = drawn.flatMap(({ points }) => points.map(({ value }) => value ?? 0));
	const top = roundTop(
		values.reduce((most, each) => Math.max(most, each), 0),
		least,
	);
	const window: Window = { end, spanMs, top };
	const moved = (event: PointerEvent) => {
		const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
		point(Math.min(Math.max((event.clientX - left) / width, 0), 1));
	};
	const at = cursor === undefined ? undefined : xOf(cursor, window);
	return (
		<figure>
			<div class="chart">
				<svg
					viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
					preserveAspectRatio="none"
					role="img"
					aria-label={label}
					onPointerMove={moved}
					onPointerLeave={() => point(undefined)}
				>
					<line class="rule" x1="0" x2={WIDTH} y1="0" y2="0" />
					<line class="floor" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
					{drawn.map(({ kind, points }) => (
						<Drawing key={kind} kind={kind} points={points} window={window} />
					))}
					{at !== undefined && <line class="cursor" x1={at} x2={at} y1="0" y2={HEIGHT} />}
				</svg>
				<span class="top" aria-hidden="true">
					{format(top)}
				</span>
			</div>
			<div class="axis" aria-hidden="true">
				<span>−{duration(spanMs)}</span>
				<span>now</span>
			</div>
		</figure>
	);
}

function Drawing({
	kind,
	points,
	window,
}: Pick<Trace, "kind" | "points"> & { readonly window: Window }) {
	if (kind === "errors") return <path class="trace errors" d={strokesPath(points, window)} />;
	return (
		<>
			{kind !== "most" && <path class={`area ${kind}`} d={areaPath(points, window)} />}
			<path class={`trace ${kind}`} d={linePath(points, window)} />
		</>
	);
}

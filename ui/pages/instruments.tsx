/** The four numbers of the overview, each over its last 15 minutes, read together at one time. Shown by overview.tsx. */
import { useState } from "preact/hooks";
import type { LiveOverview, LivePoint } from "../../src/management/live/shapes.ts";
import { Chart, type Trace } from "../charts/chart.tsx";
import { nearest } from "../charts/line.ts";
import { HISTORY_MS } from "../live/state.ts";
import { clock, milliseconds, rate, share } from "../text/format.ts";

interface Props {
	readonly points: readonly LivePoint[];
	readonly overview: LiveOverview | undefined;
}

interface Instrument {
	readonly name: string;
	readonly traces: readonly {
		readonly field:
			| "requests_per_second"
			| "errors_per_second"
			| "refusals_per_second"
			| "p50_ms"
			| "p99_ms";
		readonly kind: Trace["kind"];
	}[];
	readonly least: number;
	format(value: number | null): string;
	aside(point: LivePoint, overview: LiveOverview | undefined): string;
}

const known = (format: (value: number) => string) => (value: number | null) =>
	value === null ? "–" : format(value);

const INSTRUMENTS: readonly Instrument[] = [
	{
		name: "Requests/s",
		traces: [{ field: "requests_per_second", kind: "flow" }],
		least: 10,
		format: known(rate),
		aside: (_, overview) =>
			overview === undefined ? "" : `${overview.in_flight} being answered now`,
	},
	{
		name: "Errors/s (5xx)",
		traces: [{ field: "errors_per_second", kind: "errors" }],
		least: 1,
		format: known(rate),
		aside: ({ errors_per_second, requests_per_second }) =>
			`${share(errors_per_second, requests_per_second)} of requests`,
	},
	{
		name: "Refusals/s",
		traces: [{ field: "refusals_per_second", kind: "refusals" }],
		least: 1,
		format: known(rate),
		aside: ({ refusals_per_second, requests_per_second }) =>
			`${share(refusals_per_second, requests_per_second)} of requests`,
	},
	{
		name: "p99 latency",
		traces: [
			{ field: "p99_ms", kind: "most" },
			{ field: "p50_ms", kind: "flow" },
		],
		least: 5,
		format: milliseconds,
		aside: ({ p50_ms }) => `p50 ${milliseconds(p50_ms)}`,
	},
];

const QUIET: LivePoint = {
	ts: 0,
	requests_per_second: 0,
	errors_per_second: 0,
	refusals_per_second: 0,
	p50_ms: null,
	p99_ms: null,
};

const STEPS: Readonly<Record<string, number>> = {
	ArrowLeft: -1,
	ArrowRight: 1,
	PageUp: -60,
	PageDown: 60,
};

export function Instruments({ points, overview }: Props) {
	const [cursor, setCursor] = useState<number | undefined>(undefined);
	const newest = points.at(-1) ?? QUIET;
	const window = { end: newest.ts, spanMs: HISTORY_MS };
	const placed =
		cursor === undefined ? undefined : nearest(points, placeOf(cursor, newest.ts), window);
	const shown = placed ?? newest;
	const point = (place: number | undefined) =>
		setCursor(place === undefined ? undefined : nearest(points, place, window)?.ts);
	const pressed = (event: KeyboardEvent) => {
		const step = STEPS[event.key];
		if (event.key === "Escape") setCursor(undefined);
		if (step === undefined || points.length === 0) return;
		event.preventDefault();
		const from = placed === undefined ? points.length - 1 : points.indexOf(placed);
		setCursor(points[Math.min(Math.max(from + step, 0), points.length - 1)]?.ts);
	};
	return (
		<>
			<section
				class="instruments"
				// biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys read it at a time, as a pointer does
				tabIndex={0}
				aria-label="The last 15 minutes. Arrow keys read a moment, Escape goes back to now."
				onKeyDown={pressed}
				onBlur={() => setCursor(undefined)}
			>
				{INSTRUMENTS.map((each) => (
					<section class="instrument" key={each.name}>
						<h2>{each.name}</h2>
						<p class="now">{each.format(shown[each.traces[0]?.field ?? "p99_ms"])}</p>
						<p class="aside">
							{placed === undefined
								? each.aside(newest, overview)
								: `at ${clock(placed.ts)}${each.name.startsWith("p99") ? `, ${each.aside(placed, undefined)}` : ""}`}
						</p>
						<Chart
							label={labelOf(each, points)}
							traces={each.traces.map((trace) => traceOf(trace, points))}
							end={newest.ts}
							spanMs={HISTORY_MS}
							least={each.least}
							format={each.format}
							cursor={placed?.ts}
							point={point}
						/>
					</section>
				))}
			</section>
			<p class="unseen" role="status">
				{placed !== undefined &&
					`${clock(placed.ts)}: ${INSTRUMENTS.map((each) => sayOf(each, placed)).join(", ")}`}
			</p>
		</>
	);
}

const placeOf = (ts: number, end: number): number => 1 - (end - ts) / HISTORY_MS;

const sayOf = ({ name, traces, format }: Instrument, point: LivePoint): string =>
	`${name} ${format(point[traces[0]?.field ?? "p99_ms"])}`;

function traceOf(
	{ field, kind }: Instrument["traces"][number],
	points: readonly LivePoint[],
): Trace {
	const values = points.map((point) => ({ ts: point.ts, value: point[field] }));
	return { kind, points: values };
}

/** What there is to see, in words. */
function labelOf({ name, traces, format }: Instrument, points: readonly LivePoint[]): string {
	const field = traces[0]?.field ?? "p99_ms";
	const values = points.flatMap((point) => point[field] ?? []);
	if (values.length === 0) return `${name}: nothing in the last 15 minutes`;
	const [least, most] = [Math.min(...values), Math.max(...values)];
	return `${name}, the last 15 minutes: between ${format(least)} and ${format(most)}`;
}

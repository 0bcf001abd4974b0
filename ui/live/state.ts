/**
 * What the page knows of the running server, as a value: `withEvent` makes the next from an event. Held by session.ts,
 * shown by all pages.
 */
import type {
	LiveChanges,
	LiveOverview,
	LivePoint,
	LiveProblem,
	Refusal,
} from "../../src/management/live/shapes.ts";
import type { ConnectionState, LiveEvent } from "../api/live-connection.ts";

export interface LiveState {
	readonly connection: ConnectionState;
	/** seconds of the last 15 minutes, oldest first */
	readonly points: readonly LivePoint[];
	/** undefined: none has come yet */
	readonly overview: LiveOverview | undefined;
	/** newest first */
	readonly refusals: readonly Refusal[];
	/** refusals that were too many to be sent, since this page listens */
	readonly refusalsLeftOut: number;
	/** the last change that came while this page was open */
	readonly changes: LiveChanges | undefined;
	readonly version: string;
}

export const HISTORY_MS = 900_000;
export const REFUSALS_KEPT = 500;

export const NOTHING_YET: LiveState = {
	connection: { state: "connecting" },
	points: [],
	overview: undefined,
	refusals: [],
	refusalsLeftOut: 0,
	changes: undefined,
	version: "",
};

export function withEvent(state: LiveState, event: LiveEvent): LiveState {
	switch (event.event) {
		case "history": {
			const { points, refusals, version } = event.value;
			return {
				...state,
				points: recent(points),
				refusals: refusals.slice(0, REFUSALS_KEPT),
				version,
			};
		}
		case "overview":
			return {
				...state,
				overview: event.value,
				points: recent([...state.points, pointOf(event.value)]),
			};
		case "refusals": {
			const known = new Set(state.refusals.map(({ id }) => id));
			const fresh = event.value.refusals.filter(({ id }) => !known.has(id));
			return {
				...state,
				refusals: [...fresh, ...state.refusals].slice(0, REFUSALS_KEPT),
				refusalsLeftOut: state.refusalsLeftOut + event.value.left_out,
			};
		}
		case "changes":
			return { ...state, changes: event.value };
		case "end":
			return state;
	}
}

/** In order, each second once, and none that is too old to be shown. */
function recent(points: readonly LivePoint[]): readonly LivePoint[] {
	const newest = points.at(-1)?.ts ?? 0;
	return points.filter(
		({ ts }, index) => ts > newest - HISTORY_MS && ts > (points[index - 1]?.ts ?? 0),
	);
}

function pointOf(overview: LiveOverview): LivePoint {
	const { ts, requests_per_second, errors_per_second, refusals_per_second, p50_ms, p99_ms } =
		overview;
	return { ts, requests_per_second, errors_per_second, refusals_per_second, p50_ms, p99_ms };
}

/** What is wrong in one word, for marks and the window's title. */
export type Verdict = "unknown" | "well" | LiveProblem["severity"];

export function verdictOf({ overview }: LiveState): Verdict {
	if (overview === undefined) return "unknown";
	if (overview.problems.length === 0) return "well";
	return overview.problems.some(({ severity }) => severity === "critical") ? "critical" : "warning";
}

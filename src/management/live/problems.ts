/**
 * What is wrong now, in sentences that name the remedy, the worst first. Pure but for since when each has been so. Used by
 * `feed.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { LivePoint, LiveProblem, LiveUpstream, LiveWorker } from "./shapes.ts";
import type { Condition } from "./source.ts";

export interface Situation {
	readonly workers: readonly LiveWorker[];
	readonly upstreams: readonly LiveUpstream[];
	/** of the last seconds, oldest first */
	readonly points: readonly LivePoint[];
	readonly conditions: readonly Condition[];
}

/** Remembers since when something has been wrong. */
export class Problems {
	#since = new Map<string, number>();

	of(situation: Situation, nowMs: number): readonly LiveProblem[] {
		const found = [
			...situation.conditions,
			...workerProblems(situation.workers),
			...upstreamProblems(situation.upstreams),
			...errorProblems(situation.points),
		];
		this.#since = new Map(found.map(({ id }) => [id, this.#since.get(id) ?? nowMs]));
		return found
			.map((problem) => ({ ...problem, since: this.#since.get(problem.id) ?? nowMs }))
			.sort(
				(one, other) =>
					RANK[one.severity] - RANK[other.severity] ||
					one.since - other.since ||
					(one.id < other.id ? -1 : 1),
			);
	}
}

const RANK = { critical: 0, warning: 1 } as const;

function workerProblems(workers: readonly LiveWorker[]): Condition[] {
	const serving = workers.filter(({ state }) => state === "serving").length;
	const places = new Set(workers.map(({ id }) => id));
	const filled = new Set(
		workers.filter(({ state }) => state === "serving" || state === "late").map(({ id }) => id),
	);
	const missing = [...places]
		.filter((id) => !filled.has(id))
		.flatMap((id) =>
			warning(
				`worker-${id}-missing`,
				`Worker ${id} does not serve: it has ended and is being started again. The log line "worker ended" says how; the others serve meanwhile.`,
			),
		);
	const late = workers.flatMap(({ id, pid, state }) => {
		if (state === "late")
			return warning(
				`worker-${id}-late`,
				`Worker ${id} (pid ${pid}) has not answered for ${LIMITS.workerLateMs / 1000} s. It is replaced by itself if it stands still; if this lasts, look for a processor that others use up.`,
			);
		return [];
	});
	return [...(serving === 0 ? [NO_WORKER] : []), ...missing, ...late];
}

const NO_WORKER: Condition = {
	id: "no-worker",
	severity: "critical",
	sentence: "No worker serves: every request fails. The log says why workers end.",
};

function upstreamProblems(upstreams: readonly LiveUpstream[]): Condition[] {
	return upstreams.flatMap(({ address, state, requests_per_second: all, ...upstream }) => {
		if (state === "set_aside")
			return warning(
				`upstream-${address}`,
				`The backend ${address} refuses connections and gets no requests for now. Look whether it runs, and whether the address is right.`,
			);
		const failing = upstream.failures_per_second;
		if (state !== "failing" || failing < all * FAILING_SHARE) return [];
		return warning(
			`upstream-${address}`,
			`Of the requests to the backend ${address} ${percent(failing, Math.max(all, failing))} fail. The log lines "request failed upstream" say how.`,
		);
	});
}

/** a twentieth */
const FAILING_SHARE = 0.05;
const POINTS = 10;

function errorProblems(points: readonly LivePoint[]): Condition[] {
	const last = points.slice(-POINTS);
	const requests = sum(last, ({ requests_per_second: each }) => each);
	const errors = sum(last, ({ errors_per_second: each }) => each);
	if (errors < last.length || errors < requests * FAILING_SHARE) return [];
	return [
		{
			id: "errors",
			severity: errors < requests / 2 ? "warning" : "critical",
			sentence: `Of all answers of the last ${last.length} s ${percent(errors, requests)} were errors (status 500 and above). Sort the routes by errors to see whose they are.`,
		},
	];
}

const sum = <T>(each: readonly T[], of: (one: T) => number): number =>
	each.reduce((total, one) => total + of(one), 0);

const percent = (part: number, whole: number): string =>
	`${Math.min(100, Math.max(1, Math.round((100 * part) / whole)))} %`;

const warning = (id: string, sentence: string): Condition[] => [
	{ id, severity: "warning", sentence },
];

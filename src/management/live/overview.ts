/** The event that a live page gets each second, put together from what is known. Called by `feed.ts`. */
import { LIMITS } from "../../limits/limits.ts";
import { requestsIn } from "../../telemetry/traffic/route-rows.ts";
import type { History } from "./history.ts";
import type { Problems } from "./problems.ts";
import { rounded } from "./rates.ts";
import type { LiveOverview, LivePoint, LiveWorker } from "./shapes.ts";
import type { LiveSource, Reported, SeenWorker } from "./source.ts";
import type { Upstreams } from "./upstreams.ts";

interface Parts {
	readonly point: LivePoint;
	readonly nowMs: number;
	readonly startedMs: number;
	readonly source: LiveSource;
	/** the last of each worker's place */
	readonly reports: ReadonlyMap<number, Reported>;
	readonly upstreams: Upstreams;
	readonly history: History;
	readonly problems: Problems;
	readonly stored: { readonly edges: number; readonly routes: number; readonly policies: number };
}

export function overviewOf(parts: Parts): LiveOverview {
	const { point, nowMs, source, stored } = parts;
	const workers = workersOf(source, parts.reports, nowMs);
	const { shown, leftOut } = parts.upstreams.list(nowMs);
	const points = parts.history.points.slice(-LIMITS.liveErrorPoints);
	const conditions = source.conditions();
	return {
		...point,
		problems: parts.problems.of({ workers, upstreams: shown, points, conditions }, nowMs),
		upstreams: shown,
		upstreams_left_out: leftOut,
		workers,
		in_flight: [...parts.reports.values()]
			.filter(({ index, pid }) => workers.some((worker) => isOf(worker, index, pid)))
			.reduce((sum, { report }) => sum + report.inFlight, 0),
		store: { revision: source.revision, ...stored },
		started: parts.startedMs,
	};
}

const isOf = (worker: LiveWorker, index: number, pid: number): boolean =>
	worker.id === index && worker.pid === pid;

/** In the order of their places; a place that nobody has is `missing`. */
function workersOf(
	source: LiveSource,
	reports: ReadonlyMap<number, Reported>,
	nowMs: number,
): readonly LiveWorker[] {
	const seen = source.workers();
	const told = seen.map((worker) => presented(worker, reports.get(worker.index)));
	for (let index = 0; index < source.workersWanted; index++) {
		if (seen.some((worker) => worker.index === index && worker.state !== "leaving")) continue;
		told.push({
			...{ id: index, pid: null, state: "missing", policy_version: null },
			...{ cpu: null, rss_bytes: null, requests_per_second: 0, started: nowMs },
		});
	}
	return told.sort((one, other) => one.id - other.id || one.started - other.started);
}

function presented(
	{ index, pid, state, policyVersion, startedMs }: SeenWorker,
	last: Reported | undefined,
): LiveWorker {
	const known = last?.pid === pid ? last : undefined;
	return {
		id: index,
		pid: pid ?? null,
		state,
		policy_version: policyVersion ?? null,
		cpu: known === undefined ? null : Number(known.report.cpu.toFixed(3)),
		rss_bytes: known?.report.rssBytes ?? null,
		requests_per_second: known === undefined ? 0 : rounded(requestsPerSecond(known)),
		started: startedMs,
	};
}

const requestsPerSecond = ({ traffic, elapsedMs }: Reported): number => {
	let requests = 0;
	for (const { routes } of traffic) for (const { counts } of routes) requests += requestsIn(counts);
	return (requests * 1000) / Math.max(elapsedMs, 1);
};

/**
 * Adds up what the workers report: one point of the history for each collection, and the counts of routes, backends and
 * workers. Used by `feed.ts`.
 */
import { DurationHistogram } from "../../telemetry/traffic/duration-histogram.ts";
import { ROUTE_COUNTS, requestsIn } from "../../telemetry/traffic/route-rows.ts";
import { DURATIONS } from "../../telemetry/traffic/worker-traffic.ts";
import { CandidateReports } from "./candidate-reports.ts";
import { HitCounts } from "./hit-counts.ts";
import { rounded } from "./rates.ts";
import { RouteTraffic } from "./route-traffic.ts";
import type { LivePoint } from "./shapes.ts";
import type { Reported, ToldTraffic } from "./source.ts";
import { Upstreams } from "./upstreams.ts";

const ERRORS = ROUTE_COUNTS.indexOf("5xx");
const SECOND_MS = 1000;

export class Tally {
	readonly routes = new RouteTraffic();
	readonly upstreams = new Upstreams();
	readonly hits = new HitCounts(Date.now());
	readonly candidates = new CandidateReports(Date.now());

	/** @param nowMs since 1970 @returns the point of these reports, which may be none */
	add(reports: readonly Reported[], nowMs: number): LivePoint {
		const durations = new DurationHistogram(DURATIONS.proxied);
		let [requests, errors, refusals] = [0, 0, 0];
		for (const reported of reports) {
			const seconds = Math.max(reported.elapsedMs, 1) / SECOND_MS;
			refusals += reported.report.refusals / seconds;
			for (const piece of reported.report.candidates) this.candidates.add(piece);
			for (const change of reported.traffic) {
				this.upstreams.add(reported.index, change.backends, seconds, nowMs);
				const counted = this.#addRoutes(change, seconds, nowMs);
				requests += counted.requests / seconds;
				errors += counted.errors / seconds;
				durations.add(change.durations.proxied);
				durations.add(change.durations.answered);
			}
		}
		const hasSome = durations.count > 0;
		return {
			ts: nowMs,
			requests_per_second: rounded(requests),
			errors_per_second: rounded(errors),
			refusals_per_second: rounded(refusals),
			p50_ms: hasSome ? milliseconds(durations.quantile(0.5)) : null,
			p99_ms: hasSome ? milliseconds(durations.quantile(0.99)) : null,
		};
	}

	#addRoutes({ routes, rules, toldAt }: ToldTraffic, seconds: number, nowMs: number) {
		const all = { requests: 0, errors: 0 };
		for (const { edge, route, counts, ids } of routes) {
			const requests = requestsIn(counts);
			const errors = counts[ERRORS] ?? 0;
			all.requests += requests;
			all.errors += errors;
			// of requests that came to no route, or to one too many
			if (route === "") continue;
			const of = this.routes.at(edge, route, ids?.name);
			of.requests.add(requests, seconds, nowMs);
			of.errors.add(errors, seconds, nowMs);
		}
		for (const change of rules) {
			const { edge, route, refused, ids } = change;
			this.hits.add(change, toldAt);
			if (refused > 0) this.routes.at(edge, route, ids?.name).refusals.add(refused, seconds, nowMs);
		}
		return all;
	}
}

const milliseconds = (seconds: number): number => Number((seconds * 1000).toPrecision(3));

/** What `/metrics` prints of the traffic of all workers. Called by `process/supervisor/worker-set.ts` whenever somebody reads it. */
import { type MetricsSnapshot, printed, series } from "../metrics.ts";
import { addHistogram } from "./histogram-series.ts";
import { ROUTE_COUNTS } from "./route-rows.ts";
import type { TrafficTotals } from "./traffic-totals.ts";

/** Powers of two of the histograms' units, 1 µs and 100 ns, whose bounds are printed: 64 µs to 67 s, 400 ns to 1.7 s. */
const REQUEST_POWERS = [6, 26] as const;
const POLICY_POWERS = [2, 24] as const;

type Values = Record<string, number>;

export function trafficMetrics(totals: TrafficTotals, nowMs: number): MetricsSnapshot {
	const values: Values = {};
	totals.shown.look(nowMs);
	addRoutes(values, totals);
	const { answered, proxied, policy, upstream } = totals.durations;
	const request = "weir_request_duration_seconds";
	addHistogram(values, request, { by: "backend" }, proxied, REQUEST_POWERS);
	addHistogram(values, request, { by: "weir" }, answered, REQUEST_POWERS);
	addHistogram(values, "weir_policy_duration_seconds", {}, policy, POLICY_POWERS);
	addHistogram(values, "weir_upstream_duration_seconds", {}, upstream, REQUEST_POWERS);
	addBackends(values, totals);
	return values;
}

function addRoutes(values: Values, { shown }: TrafficTotals): void {
	for (const { edge, route, counts, seconds, rules } of shown.routes()) {
		for (const [at, each] of ROUTE_COUNTS.entries()) {
			const count = counts[at] ?? 0;
			if (count > 0)
				values[series("weir_route_requests_total", { edge, route, class: each })] = count;
		}
		if (counts.some((count) => count > 0))
			values[series("weir_route_request_seconds_total", { edge, route })] = seconds;
		for (const { phase, rule, name, matched, refused, ...owner } of rules.values()) {
			const place = rule < 0 ? "" : String(rule);
			const labels = { edge: owner.edge, route: owner.route, phase, rule: place, name };
			values[series("weir_rule_matches_total", labels)] = matched;
			if (refused > 0) values[series("weir_rule_refusals_total", labels)] = refused;
		}
	}
}

function addBackends(values: Values, totals: TrafficTotals): void {
	for (const backend of totals.backends()) {
		const { address, requests, failures, connections, idle, setAsideMs } = backend;
		values[series("weir_backend_requests_total", { address })] = requests;
		for (const [reason, count] of Object.entries(failures)) {
			values[printed("weir_backend_failures_total", { address, reason })] = count;
		}
		const state = (name: "busy" | "idle") =>
			series("weir_backend_connections", { address, state: name });
		values[state("busy")] = connections - idle;
		values[state("idle")] = idle;
		values[series("weir_backend_set_aside_seconds", { address })] = setAsideMs / 1000;
	}
}

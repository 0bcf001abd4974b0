/**
 * The one table of metrics: a row is a family, with the labels that its series carry and the values that a label may
 * have. To add a metric: write its row, then count with `Metrics` (`metrics.ts`) where it happens. A name, a label or
 * a value that no row has does not compile. The docs and `/metrics` read the same table.
 */
import { LIMITS } from "../limits/limits.ts";
import { FLEET_FAMILIES } from "./metric-families-fleet.ts";
import { PROCESS_FAMILIES } from "./metric-families-process.ts";
import { TRAFFIC_FAMILIES } from "./metric-families-traffic.ts";
import { TUNNEL_FAMILIES } from "./metric-families-tunnels.ts";
import { ANY, type FamilyTable, type MetricFamily, NONE } from "./metric-family.ts";
import { TRACE_FAMILIES } from "./traces/trace-families.ts";

export type { MetricFamily };

/** Families in the order in which they are printed. */
export const METRIC_FAMILIES = {
	weir_requests_total: {
		kind: "counter",
		help: "Requests answered, by status class.",
		labels: { class: ["1xx", "2xx", "3xx", "4xx", "5xx", "other"] },
	},
	weir_policy_outcomes_total: {
		kind: "counter",
		help: "Requests that a policy ended, by outcome (deny, respond, limited, refused, preflight, close, failed).",
		labels: {
			outcome: ["deny", "respond", "limited", "refused", "preflight", "close", "failed"],
		},
	},
	weir_policy_reports_total: {
		kind: "counter",
		help: `What actions that are not enforced would have done, by edge, route and report (would_deny, would_redirect, …); beyond ${LIMITS.policyReportSeries} of these in a worker the edge is (others).`,
		labels: { edge: ANY, route: ANY, report: ANY },
	},
	weir_underscored_fields_total: {
		kind: "counter",
		help: "Header fields of requests with more than letters, digits and hyphens in the name that went no further, by action.",
		labels: { action: ["drop", "pass", "refuse"] },
	},
	weir_front_missing_total: {
		kind: "counter",
		help: "Listeners whose clients the server library reads alone, although the front is on: of workers (data), of the management API.",
		labels: { side: ["data", "management"] },
	},
	weir_requests_refused_total: {
		kind: "counter",
		help: "Requests refused before a route was looked for, by status.",
		labels: { status: ANY },
	},
	weir_clients_silent_total: {
		kind: "counter",
		help: "Connections closed with no request at work, because the client sent nothing, or did not read its last answer, in time, by reason (silent, unread).",
		labels: { reason: ["silent", "unread"] },
	},
	weir_proxy_frames_refused_total: {
		kind: "counter",
		help: "Connections closed because they didn't begin with a good PROXY protocol header.",
		labels: NONE,
	},
	weir_expression_errors_total: {
		kind: "counter",
		help: `Expressions that failed at run time, by edge, route, phase, rule and expression or action, counted from 0; beyond ${LIMITS.expressionErrorSeries} of these in a worker the edge is (others).`,
		labels: {
			edge: ANY,
			route: ANY,
			phase: ["inbound", "outbound"],
			rule: ANY,
			expression: ANY,
			action: ANY,
		},
	},
	weir_heavy_evaluations_total: {
		kind: "counter",
		help: "Expensive evaluations meant for a thread, by outcome (settled, failed, overrun, waited, queue_full, cancelled).",
		labels: { outcome: ["settled", "failed", "overrun", "waited", "queue_full", "cancelled"] },
	},
	weir_heavy_threads_lost_total: {
		kind: "counter",
		help: "Threads for expensive expressions that ended by themselves and were replaced.",
		labels: NONE,
	},
	weir_heavy_threads_replaced_total: {
		kind: "counter",
		help: "Threads for expensive expressions that were ended because an evaluation overran its deadline.",
		labels: NONE,
	},
	weir_heavy_evaluations_waiting: {
		kind: "gauge",
		help: "Expensive evaluations that wait for a thread.",
		labels: NONE,
	},
	weir_rate_limit_exceeded_total: {
		kind: "counter",
		help: "Requests over a rate-limit, by edge, route, rule (from 0), name of the limit and whether it was enforced.",
		labels: { edge: ANY, route: ANY, rule: ANY, name: ANY, enforced: ["true", "false"] },
	},
	weir_rate_limits: {
		kind: "gauge",
		help: "Rate-limits that have met requests: those in force, and earlier ones until their counts expire.",
		labels: NONE,
	},
	weir_rate_limit_live_keys: {
		kind: "gauge",
		help: "Buckets that rate-limits keep count of.",
		labels: NONE,
	},
	weir_rate_limit_evicted_keys_total: {
		kind: "counter",
		help: "Buckets forgotten before they expired, because a rate-limit had too many.",
		labels: NONE,
	},
	weir_rate_limit_full_total: {
		kind: "counter",
		help: "Requests of new buckets rejected because there was no room and all others were limited.",
		labels: NONE,
	},
	weir_counters_bytes: {
		kind: "gauge",
		help: "Size of the counters file.",
		labels: NONE,
	},
	weir_upstream_errors_total: {
		kind: "counter",
		help: "Upstream attempts that failed, by reason.",
		labels: { reason: ["connect", "broken", "timeout", "queue_full", "upgrade"] },
	},
	weir_upstream_retries_total: {
		kind: "counter",
		help: "Requests sent again.",
		labels: NONE,
	},
	weir_standing_refusals_total: {
		kind: "counter",
		help: "Requests that the front refused by itself, by the first rules of their policy.",
		labels: NONE,
	},
	weir_loops_total: {
		kind: "counter",
		help: "Requests answered with 508 because a backend leads back to weir.",
		labels: NONE,
	},
	...TUNNEL_FAMILIES,
	weir_slow_clients_total: {
		kind: "counter",
		help: "Requests ended because the client was too slow, by direction and reason (idle, rate, address, place, memory).",
		labels: {
			direction: ["upload", "download"],
			reason: ["idle", "rate", "address", "place", "memory"],
		},
	},
	weir_client_aborts_total: {
		kind: "counter",
		help: "Clients that left before the answer.",
		labels: NONE,
	},
	weir_drain_cut_total: {
		kind: "counter",
		help: "Requests cut because they took longer than timeouts.drain_ms while a worker left.",
		labels: NONE,
	},
	weir_log_lines_dropped_total: {
		kind: "counter",
		help: "Log lines dropped, buffer full.",
		labels: NONE,
	},
	weir_connections: {
		kind: "gauge",
		help: "Connections of clients that are open, by side.",
		labels: { side: ["data", "management"] },
	},
	weir_listener_connections: {
		kind: "gauge",
		help: "Connections of clients that are open, by listener.",
		labels: { listener: ANY },
	},
	weir_listener_accepted_total: {
		kind: "counter",
		help: "Connections of clients that were accepted, by listener.",
		labels: { listener: ANY },
	},
	weir_body_bytes_total: {
		kind: "counter",
		help: "Bytes of bodies, by direction: in, of requests as they came; out, of answers.",
		labels: { direction: ["in", "out"] },
	},
	weir_connections_refused_total: {
		kind: "counter",
		help: "Connections closed at once because there were too many, by side.",
		labels: { side: ["data", "management"] },
	},
	weir_connections_over_limit_total: {
		kind: "counter",
		help: "Connections refused by `limits.connections` (total) and `limits.connections_per_address` (address), by reason and listener.",
		labels: { reason: ["total", "address"], listener: ANY },
	},
	weir_certificate_expiry_seconds: {
		kind: "gauge",
		help: "When a certificate expires, in seconds of Unix time, by the address that shows it and its file.",
		labels: { listener: ANY, certificate: ANY },
	},
	weir_requests_in_flight: {
		kind: "gauge",
		help: "Requests being worked on.",
		labels: NONE,
	},
	...TRAFFIC_FAMILIES,
	...PROCESS_FAMILIES,
	...FLEET_FAMILIES,
	...TRACE_FAMILIES,
} as const satisfies FamilyTable;

export type FamilyName = keyof typeof METRIC_FAMILIES;

type Row<Name extends FamilyName> = (typeof METRIC_FAMILIES)[Name];
type Value<Values> = Values extends readonly (infer One extends string)[] ? One : string;

/** What `series` wants to know of a family's series; of one without labels, nothing. */
export type LabelsOf<Name extends FamilyName> = keyof Row<Name>["labels"] extends never
	? Readonly<Record<string, never>>
	: { readonly [Label in keyof Row<Name>["labels"]]: Value<Row<Name>["labels"][Label]> };

export type KindOf<Name extends FamilyName> = Row<Name>["kind"];

/** Families without labels, whose name is their only series. */
export type PlainName<Kind extends MetricFamily["kind"] = MetricFamily["kind"]> = {
	[Name in FamilyName]: [keyof Row<Name>["labels"], KindOf<Name>] extends [never, Kind]
		? Name
		: never;
}[FamilyName];

/** The family of a series, from its printed name; undefined if no row has it. */
export function familyOf(series: string): MetricFamily | undefined {
	const name = familyNameOf(series);
	return name === undefined ? undefined : METRIC_FAMILIES[name];
}

/** As `familyOf`; the buckets, sum and count of a histogram are its family's. */
export function familyNameOf(series: string): FamilyName | undefined {
	const labelsAt = series.indexOf("{");
	return FAMILY_OF.get(labelsAt < 0 ? series : series.slice(0, labelsAt));
}

/** By the name of a series, without labels. */
const FAMILY_OF: ReadonlyMap<string, FamilyName> = new Map(
	Object.entries<MetricFamily>(METRIC_FAMILIES).flatMap(([name, { kind }]) => {
		const ends = kind === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
		return ends.map((end) => [name + end, name as FamilyName] as const);
	}),
);

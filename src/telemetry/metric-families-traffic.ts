/**
 * Families of what requests came to, by route, rule, rate-limit and backend, and of how long they took. A part of the
 * table of metrics (`metric-families.ts`).
 */
import { LIMITS } from "../limits/limits.ts";
import { ANY, type FamilyTable, NONE } from "./metric-family.ts";

const OTHERS =
	"Routes beyond the busiest (setting `metrics.routes`) are the edge (others); requests that no route was found for have empty labels.";

export const TRAFFIC_FAMILIES = {
	weir_route_requests_total: {
		kind: "counter",
		help: `Requests by edge, route and status class; aborted: the client left before the answer. ${OTHERS}`,
		labels: {
			edge: ANY,
			route: ANY,
			class: ["1xx", "2xx", "3xx", "4xx", "5xx", "other", "aborted"],
		},
	},
	weir_route_request_seconds_total: {
		kind: "counter",
		help: `Seconds that the requests of a route took, all together. ${OTHERS}`,
		labels: { edge: ANY, route: ANY },
	},
	weir_rule_matches_total: {
		kind: "counter",
		help: `Requests and responses that a rule applied to, by edge, route, phase, place in the phase (from 0) and name. Of a route ${LIMITS.ruleSeriesOfRoute} rules have series; others, and those of other routes, are the edge (others).`,
		labels: { edge: ANY, route: ANY, phase: ["inbound", "outbound"], rule: ANY, name: ANY },
	},
	weir_rule_refusals_total: {
		kind: "counter",
		help: "Requests that a rule sent away (deny, rate-limit, restrict-ips, basic-auth, close-connection), labelled as matches.",
		labels: { edge: ANY, route: ANY, phase: ["inbound", "outbound"], rule: ANY, name: ANY },
	},
	weir_candidate_requests_total: {
		kind: "counter",
		help: "Requests of routes with a candidate, by what it would have done: same, would_block, would_pass, different; not_compared: it was not run, or not to its end.",
		labels: { result: ["same", "would_block", "would_pass", "different", "not_compared"] },
	},
	weir_request_duration_seconds: {
		kind: "histogram",
		help: "From a request's header until the last byte of its answer is handed to the system; backend: it went to one, weir: it was answered without.",
		labels: { by: ["backend", "weir"] },
	},
	weir_policy_duration_seconds: {
		kind: "histogram",
		help: "From a request's header until its inbound rules have let it go to a backend, or have had it answered; routes with a policy.",
		labels: NONE,
	},
	weir_upstream_duration_seconds: {
		kind: "histogram",
		help: "From a request on its way to a backend until the response's header, waiting for a connection and retries included.",
		labels: NONE,
	},
	weir_backend_requests_total: {
		kind: "counter",
		help: `Requests given to a connection of a backend's address, retries included; of ${LIMITS.countedBackends} addresses.`,
		labels: { address: ANY },
	},
	weir_backend_failures_total: {
		kind: "counter",
		help: "Attempts at a backend's address that failed, by reason (connect, broken, timeout, queue_full).",
		labels: { address: ANY, reason: ["connect", "broken", "timeout", "queue_full"] },
	},
	weir_backend_connections: {
		kind: "gauge",
		help: "Open connections to a backend's address, by state (busy, idle).",
		labels: { address: ANY, state: ["busy", "idle"] },
	},
	weir_backend_set_aside_seconds: {
		kind: "gauge",
		help: "How long a backend's address gets no requests after failures, in the worker where it is longest; 0: it is in service.",
		labels: { address: ANY },
	},
	weir_upstream_waiting: {
		kind: "gauge",
		help: "Requests that wait for a connection to a backend.",
		labels: NONE,
	},
	weir_rate_limit_admitted_total: {
		kind: "counter",
		help: "Requests that a rate-limit admitted, over all workers and starts, of routes that have series: by edge, route, rule (from 0) and name.",
		labels: { edge: ANY, route: ANY, rule: ANY, name: ANY },
	},
	weir_rate_limit_rejected_total: {
		kind: "counter",
		help: "Requests that a rate-limit rejected, labelled as those that it admitted.",
		labels: { edge: ANY, route: ANY, rule: ANY, name: ANY },
	},
	weir_rate_limit_keys: {
		kind: "gauge",
		help: "Buckets that a rate-limit keeps count of, labelled as the requests that it admitted.",
		labels: { edge: ANY, route: ANY, rule: ANY, name: ANY },
	},
	weir_rate_limit_room: {
		kind: "gauge",
		help: "Requests that a rate-limit without a key, which has one bucket for all, still admits now.",
		labels: { edge: ANY, route: ANY, rule: ANY, name: ANY },
	},
} as const satisfies FamilyTable;

/**
 * What the live page is told, as JSON: the events of `GET /live/events` and the answers beside it (docs/management-api.md,
 * "Live"). Types alone, so that the page, which runs in a browser, can import them. Rates are per second, of the last
 * second in events and of some ten seconds in lists; times are milliseconds since 1970; counts are since the supervisor
 * started, all workers together, those that have ended included.
 */

import type { Explanation } from "../../explain/shapes.ts";
import type { RefusalReason } from "../../telemetry/live-report.ts";

export type { Explanation } from "../../explain/shapes.ts";
export type { RuleTrace as ExplainedRule } from "../../policy/trace/shapes.ts";
export type { RefusalReason } from "../../telemetry/live-report.ts";
export type { CandidateReport } from "../answers.ts";
export type * from "./list-shapes.ts";
export type * from "./policy-shapes.ts";

/** One second of all traffic. */
export interface LivePoint {
	readonly ts: number;
	readonly requests_per_second: number;
	/** answers with a status of 500 and above, made by weir or by a backend */
	readonly errors_per_second: number;
	/** requests that a policy ended or that weir itself refused, see `Refusal` */
	readonly refusals_per_second: number;
	/** of whole requests, to the answer's last byte; null: there was none in this second */
	readonly p50_ms: number | null;
	readonly p99_ms: number | null;
}

/** Event `history`, the first: oldest point first, one for each second, gaps left out; at most 900. */
export interface LiveHistory {
	readonly points: readonly LivePoint[];
	/** what the refusals list begins with, newest first */
	readonly refusals: readonly Refusal[];
	readonly version: string;
}

export type Severity = "critical" | "warning";

/** What is wrong now. The worst and oldest come first; none: all is well. */
export interface LiveProblem {
	/** the same as long as it is the same problem */
	readonly id: string;
	readonly severity: Severity;
	/** what is wrong with what, and the remedy */
	readonly sentence: string;
	readonly since: number;
}

/** `set_aside`: gets no requests for a while, as it has refused connections; `failing`: requests failed in this second */
export type UpstreamState = "up" | "failing" | "set_aside";

export interface LiveUpstream {
	/** as requests are sent to it, e.g. `http://10.0.0.7:9000` */
	readonly address: string;
	/** the worst that a worker says */
	readonly state: UpstreamState;
	readonly requests_per_second: number;
	readonly failures_per_second: number;
	/** milliseconds until it gets requests again; 0 unless `set_aside` */
	readonly set_aside_ms: number;
	readonly requests: number;
	readonly failures: number;
}

/** `late`: its event loop has not turned for a while; `missing`: it has ended and is started again */
export type WorkerState = "starting" | "serving" | "late" | "leaving" | "missing";

export interface LiveWorker {
	/** its place, from 0; two may share one while one takes over from the other */
	readonly id: number;
	/** null: `missing` */
	readonly pid: number | null;
	readonly state: WorkerState;
	/** the newest `revision` that it serves; null: not known yet */
	readonly policy_version: number | null;
	/** share of one processor, 1 is a whole one; null where nobody tells */
	readonly cpu: number | null;
	readonly rss_bytes: number | null;
	readonly requests_per_second: number;
	readonly started: number;
}

/** Event `overview`, once a second. */
export interface LiveOverview extends LivePoint {
	readonly problems: readonly LiveProblem[];
	readonly upstreams: readonly LiveUpstream[];
	/** upstreams beyond the list's bound; those with trouble and those with traffic are in it first */
	readonly upstreams_left_out: number;
	readonly workers: readonly LiveWorker[];
	/** requests being worked on */
	readonly in_flight: number;
	readonly store: {
		/** grows with each change that the API has taken, from 0 at the start */
		readonly revision: number;
		readonly edges: number;
		readonly routes: number;
		readonly policies: number;
	};
	/** supervisor's start */
	readonly started: number;
}

export type ChangeKind = "edge" | "route" | "policy" | "candidate" | "policies" | "ip_list";

/** `policies`: of all routes of the edge. Ids that a kind does not have are left out. */
export interface LiveChange {
	readonly kind: ChangeKind;
	readonly edge_id?: string;
	readonly route_id?: string;
	readonly list_id?: string;
}

/** Event `changes`: the API has taken changes, and all workers serve them. Sent when it happens. */
export interface LiveChanges {
	readonly ts: number;
	readonly revision: number;
	readonly changes: readonly LiveChange[];
	readonly left_out: number;
}

export interface RefusalRule {
	readonly phase: "inbound" | "outbound";
	/** in the document, from 0 */
	readonly index: number;
	readonly name: string;
}

export interface Refusal {
	/** of this list alone; grows, so that nothing is shown twice */
	readonly id: string;
	readonly ts: number;
	/** as in the access log; null where the request has none */
	readonly request_id: string | null;
	readonly client_ip: string;
	/** null: the request came to no route */
	readonly edge_id: string | null;
	readonly route_id: string | null;
	readonly method: string;
	readonly host: string;
	/** without the query; cut after 256 characters */
	readonly path: string;
	/** 0: the connection was closed without an answer */
	readonly status: number;
	readonly reason: RefusalReason;
	readonly rule: RefusalRule | null;
	/** name of the rate-limit */
	readonly limit: string | null;
	/** the worker's place */
	readonly worker: number;
}

/** Of a request that brought a token (contract 2, "Explain"). */
export interface ExplainedDecision {
	/** null: `problem` says why not */
	readonly explanation: Explanation | null;
	/** whether it says what happened */
	readonly agrees: boolean | null;
	readonly problem: string | null;
}

/** `GET /decisions/{id}`: a refusal, or a request that brought a token. */
export interface Decision extends Omit<Refusal, "reason"> {
	/** null: it was not refused */
	readonly reason: RefusalReason | null;
	/** null: it brought none */
	readonly explained: ExplainedDecision | null;
}

/** Event `refusals`, at most once a second, and `GET /live/refusals`: newest first. */
export interface LiveRefusals {
	readonly refusals: readonly Refusal[];
	/** event: of this second; list: of all since the start that are not in it any more, or never were */
	readonly left_out: number;
}

/** Event `end`, the last: the server ends the stream. `key`: the API key is not valid any more. Else connect again. */
export interface LiveEnd {
	readonly reason: "stopping" | "moved" | "key";
}

/** What each event of `GET /live/events` carries. */
export interface LiveEvents {
	readonly history: LiveHistory;
	readonly overview: LiveOverview;
	readonly changes: LiveChanges;
	readonly refusals: LiveRefusals;
	readonly end: LiveEnd;
}

/**
 * What the live page is told, as JSON: the events of `GET /live/events` and the answers beside it (docs/management-api.md,
 * "Live"). Types alone, so that the page, which runs in a browser, can import them. Rates are per second, of the last
 * second in events and of some ten seconds in lists; times are milliseconds since 1970; counts are since the supervisor
 * started, all workers together, those that have ended included.
 */

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

export type ChangeKind = "edge" | "route" | "policy" | "policies" | "ip_list";

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

/**
 * Why a request was refused:
 * `deny`, `rate_limit`, `address` (restrict-ips), `credentials` (basic-auth), `close` (close-connection),
 * `respond` (a policy's own answer with a status of 400 and above), `policy_failed` (an expression failed: 500),
 * `no_route` (404), `loop` (508), `bad_request` (refused before a route was looked for).
 */
export type RefusalReason =
	| "deny"
	| "rate_limit"
	| "address"
	| "credentials"
	| "close"
	| "respond"
	| "policy_failed"
	| "no_route"
	| "loop"
	| "bad_request";

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

/** `unreadable`: the stored document can't be read. */
export type PolicyState = "none" | "enabled" | "disabled" | "unreadable";

export interface LiveRoute {
	readonly edge_id: string;
	readonly id: string;
	readonly uri: string;
	readonly match_type: "exact_path" | "path_prefix";
	readonly match: string;
	/** of its edge, the first ten */
	readonly hostports: readonly string[];
	readonly backends: readonly string[];
	readonly requests_per_second: number;
	readonly errors_per_second: number;
	readonly refusals_per_second: number;
	readonly requests: number;
	readonly errors: number;
	readonly refusals: number;
	readonly policy: {
		readonly state: PolicyState;
		/** rules of both phases */
		readonly rules: number;
		/** rate-limits that it has */
		readonly rate_limits: number;
	};
}

/** `name`: edge and id. */
export type RouteSort =
	| "name"
	| "requests_per_second"
	| "errors_per_second"
	| "refusals_per_second"
	| "requests"
	| "errors"
	| "refusals";
export type SortOrder = "asc" | "desc";

/** `GET /live/routes?q=&sort=&order=&page=&per_page=`; pages count from 1. */
export interface LiveRoutes {
	readonly routes: readonly LiveRoute[];
	readonly page: number;
	readonly per_page: number;
	/** routes that `q` finds */
	readonly found: number;
	readonly total: number;
}

export interface RuleHits {
	readonly phase: "inbound" | "outbound";
	/** in the document, from 0 */
	readonly index: number;
	readonly name: string;
	/** requests that all of the rule's expressions were true for */
	readonly matches: number;
	/** of these, those that it ended with a refusal */
	readonly refusals: number;
}

/** `GET …/routes/{id}/policy/hits` */
export interface PolicyHits {
	readonly rules: readonly RuleHits[];
	/** when counting began: the start, or the last change of the policy */
	readonly since: number;
	/** of the stored document that was counted, as the policy's GET has it */
	readonly etag: string;
}

/** A place in the text of a document: lines and columns count from 1, columns in UTF-16 units; `to` is behind the last. */
export interface TextRange {
	readonly line: number;
	readonly column: number;
	readonly end_line: number;
	readonly end_column: number;
}

export interface CheckedProblem {
	/** RFC 6901, into the document; `""`: the whole */
	readonly pointer: string;
	readonly code: string;
	readonly message: string;
	/** null: it can't be told */
	readonly range: TextRange | null;
}

/** `POST /policy/check`; the body is the document, as it would be PUT, JSON or YAML. Answered with 200 in any case. */
export interface PolicyCheckAnswer {
	readonly valid: boolean;
	/** what PUT would refuse */
	readonly problems: readonly CheckedProblem[];
	/** what PUT would warn of */
	readonly warnings: readonly CheckedProblem[];
}

export interface LanguageVariable {
	readonly name: string;
	/** as in the documentation, e.g. `map(string, list(string))` */
	readonly type: string;
	readonly documentation: string;
	readonly example: string;
	/** phases in which it has a value */
	readonly phases: readonly ("inbound" | "outbound")[];
}

export interface LanguageFunction {
	readonly name: string;
	/** e.g. `string.contains(string) -> bool` */
	readonly signatures: readonly string[];
	/** called behind a dot, on a value */
	readonly member: boolean;
	readonly documentation: string;
	readonly examples: readonly string[];
}

export interface LanguageAction {
	readonly type: string;
	readonly phases: readonly ("inbound" | "outbound")[];
	readonly documentation: string;
	/** JSON Schema of its `config` */
	readonly config: object;
	/** an action as it stands in a document */
	readonly example: object;
}

/** `GET /policy/language` */
export interface PolicyLanguage {
	readonly variables: readonly LanguageVariable[];
	readonly functions: readonly LanguageFunction[];
	readonly actions: readonly LanguageAction[];
	/** JSON Schema of a whole document, as at `/schemas/policy.json` */
	readonly schema: object;
}

export interface LiveLimit {
	readonly edge_id: string;
	readonly route_id: string;
	/** index of the rule, from 0 */
	readonly rule: number;
	readonly rule_name: string;
	readonly action: number;
	readonly name: string;
	/** admissions of one key in a window */
	readonly capacity: number;
	/** the window, e.g. `60s` */
	readonly rate: string;
	readonly bucket_key: readonly string[];
	readonly enforce: boolean;
	readonly admitted: number;
	readonly rejected: number;
	readonly admitted_per_second: number;
	readonly rejected_per_second: number;
	/** keys that are counted now */
	readonly live_keys: number;
	/** what is left of the one bucket of a limit without keys; null: each key has its own */
	readonly remaining: number | null;
}

/** `GET /live/limits`: the hottest first, at most 100. */
export interface LiveLimits {
	readonly limits: readonly LiveLimit[];
	readonly left_out: number;
}

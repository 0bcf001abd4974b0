/**
 * What a worker tells the supervisor once a second, for the live page: what has happened since it told last. Made by
 * `edge/live/`, carried by `process/messages.ts`, added up by `management/live/`. Plain data; lists are short where little
 * happens, and bounded.
 */

/** The value beside each count is the upper end of its bucket, in milliseconds. */
export type DurationCount = readonly [upperMs: number, count: number];

export interface RouteDelta {
	readonly edgeId: string;
	readonly routeId: string;
	readonly requests: number;
	/** answers with a status of 500 and above */
	readonly errors: number;
	readonly refusals: number;
}

export interface UpstreamDelta {
	/** e.g. `http://10.0.0.7:9000` */
	readonly address: string;
	readonly requests: number;
	readonly failures: number;
	/** milliseconds until it gets requests again; 0: it gets some */
	readonly setAsideMs: number;
}

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

/** The rule, and the action of it, that ended a request; indexes as in the document. */
export interface EndingPlace {
	readonly phase: "inbound" | "outbound";
	readonly ruleIndex: number;
	readonly ruleName: string;
	/** -1: none, an expression failed */
	readonly actionIndex: number;
}

/** A request that was refused, as far as it is known. */
export interface RefusalRecord {
	readonly ms: number;
	readonly requestId: string | undefined;
	readonly clientIp: string;
	/** empty: no route was found, or looked for */
	readonly edgeId: string;
	readonly routeId: string;
	readonly method: string;
	readonly host: string;
	/** without the query */
	readonly path: string;
	/** 0: the connection was closed without an answer */
	readonly status: number;
	readonly reason: RefusalReason;
	readonly place: EndingPlace | undefined;
	/** name of the rate-limit */
	readonly limit: string | undefined;
}

export interface LiveReport {
	/** milliseconds since the report before, or since the worker began to count */
	readonly elapsedMs: number;
	readonly requests: number;
	readonly errors: number;
	readonly refusals: number;
	readonly inFlight: number;
	readonly durations: readonly DurationCount[];
	/** those with requests; what does not fit is in a later report */
	readonly routes: readonly RouteDelta[];
	readonly upstreams: readonly UpstreamDelta[];
	/** oldest first */
	readonly refused: readonly RefusalRecord[];
	/** refusals that are not in `refused` */
	readonly refusedLeftOut: number;
	/** share of one processor that the process took */
	readonly cpu: number;
	readonly rssBytes: number;
}

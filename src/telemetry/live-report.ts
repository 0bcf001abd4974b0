/**
 * What a worker tells the supervisor once a second for the live page, besides what it counts (`traffic/`): requests that it
 * has refused, and how it is. Made by `process/worker/live-reporter.ts`, carried by `process/messages.ts`, shown by
 * `management/live/`. Plain data, bounded.
 */
import type { CandidatePiece } from "./candidate-report.ts";

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
	| "cut_off"
	| "loop"
	| "bad_request";

/** The rule that ended a request. */
export interface EndingRule {
	readonly phase: "inbound" | "outbound";
	/** in the document */
	readonly ruleIndex: number;
	readonly ruleName: string;
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
	readonly rule: EndingRule | undefined;
	/** name of the rate-limit */
	readonly limit: string | undefined;
}

export interface LiveReport {
	/** requests being worked on */
	readonly inFlight: number;
	/** requests that were refused since the report before */
	readonly refusals: number;
	/** of these, oldest first */
	readonly refused: readonly RefusalRecord[];
	/** what candidates were found to do otherwise since the report before */
	readonly candidates: readonly CandidatePiece[];
	/** share of one processor that the process took meanwhile */
	readonly cpu: number;
	readonly rssBytes: number;
}

/**
 * What a worker tells of candidates, once a second: how what each would have done compares with what the stored policy did
 * (contract 2, "Candidates"). Plain data, bounded. Made by `edge/candidates/`, added up by
 * `management/live/candidate-reports.ts`.
 */

/** `would_block`: the stored policy let the request pass, the candidate would not have; `different`: in another way */
export const CANDIDATE_RESULTS = ["same", "would_block", "would_pass", "different"] as const;
export type CandidateResult = (typeof CANDIDATE_RESULTS)[number];

/**
 * Why the candidate was not compared: `budget`: candidates had their share of the worker's time; `waits`: an expression of
 * it needs a thread; `compiling`; `failed`: it can't be run; `client_gone`: the client left before its answer.
 */
export const NOT_COMPARED = ["budget", "waits", "compiling", "failed", "client_gone"] as const;
export type NotCompared = (typeof NOT_COMPARED)[number];

/** In what else than the status both differ. */
export const DIFFERENCES = [
	"outcome",
	"status",
	"answer",
	"url",
	"request_headers",
	"response_headers",
] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** What a policy did with a request, or would have. */
export interface CandidateVerdict {
	/** `continue`: it let the request pass; else as in the metric `weir_policy_outcomes_total` */
	readonly outcome: string;
	/** of the answer; 0: the connection is closed; null: nobody knows what the backend would have answered */
	readonly status: number | null;
	/** the rule that ended the request */
	readonly rule: {
		readonly phase: "inbound" | "outbound";
		readonly index: number;
		readonly name: string;
	} | null;
}

export interface CandidatePair {
	readonly result: CandidateResult;
	readonly stored: CandidateVerdict;
	readonly candidate: CandidateVerdict;
	readonly count: number;
}

export interface CandidateSample {
	readonly result: CandidateResult;
	readonly differs: readonly Difference[];
	readonly stored: CandidateVerdict;
	readonly candidate: CandidateVerdict;
	/** since 1970 */
	readonly ms: number;
	readonly requestId: string;
	readonly clientIp: string;
	readonly method: string;
	readonly host: string;
	/** without the query */
	readonly path: string;
}

/** Of one candidate: what was counted since it was last told. */
export interface CandidatePiece {
	readonly edge: string;
	readonly route: string;
	/** of the candidate */
	readonly etag: string;
	/** etag of the policy beside which all this was; null: there was none */
	readonly beside: string | null;
	readonly results: Readonly<Record<CandidateResult, number>>;
	readonly notCompared: Readonly<Record<NotCompared, number>>;
	/** microseconds that all of it took */
	readonly cpuUs: number;
	/** requests beside which it ran, to its end or not */
	readonly ran: number;
	readonly pairs: readonly CandidatePair[];
	/** comparisons that are in no pair, as there were too many kinds of them */
	readonly pairsLeftOut: number;
	readonly samples: readonly CandidateSample[];
}

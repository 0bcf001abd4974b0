/**
 * What a request tells the candidate that runs beside it: a request without one has no `Shadow`. Implemented by
 * `candidate-run.ts`; told by `services.ts`, `phases/policy-replies.ts` and `proxying/proxied-request.ts`.
 */
import type { Outcome } from "../../policy/exchange.ts";
import type { CandidatePiece } from "../../telemetry/candidate-report.ts";
import type { ResponseHead } from "../../upstream/response-head.ts";

export type Decision = Exclude<Outcome, { kind: "suspended" }>;

export const PASSED: Decision = Object.freeze({ kind: "continue" });

/** What a route has as a property where it has a candidate: `route-candidate.ts`. */
export interface TriedPolicy {
	readonly etag: string;
}

/** As much of a request as others have to know to have a candidate run beside it. */
interface Shadowed {
	readonly route: { readonly candidate?: TriedPolicy | undefined } | undefined;
	shadow: Shadow | undefined;
}

/** The candidates of a worker, as requests meet them: `candidates.ts`. */
export interface TriedPolicies {
	/** The stored policy has decided on a request of a route with a candidate. Never throws. */
	begin(live: Shadowed, stored: Decision): void;
	/** Since the last call, of so many at most. */
	take(): readonly CandidatePiece[];
}

export interface Shadow {
	/** The backend has answered, and no outbound rule has seen it. To be called while `head` is valid. */
	seesResponse(statusCode: number, head: ResponseHead, contentLength: number): void;
	/** As `seesResponse`, of an answer of the edge's own. @param headers names and values in turn, names in any case */
	seesReply(statusCode: number, headers: readonly string[], contentLength: number): void;
	/** What the outbound rules of the stored policy came to. */
	decided(decision: Decision): void;
	/** The request is over. @param statusCode that the client got @param aborted it got no whole answer */
	ended(statusCode: number, aborted: boolean): void;
}

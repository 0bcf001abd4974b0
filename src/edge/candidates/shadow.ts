/**
 * What a request tells the candidate that runs beside it: a request without one has no `Shadow`. Implemented by
 * `candidate-run.ts`; told by `services.ts`, `phases/policy-replies.ts` and `proxying/proxied-request.ts`.
 */
import type { Outcome } from "../../policy/exchange.ts";
import type { ResponseHead } from "../../upstream/response-head.ts";

export interface Shadow {
	/** The backend has answered, and no outbound rule has seen it. To be called while `head` is valid. */
	seesResponse(statusCode: number, head: ResponseHead, contentLength: number): void;
	/** As `seesResponse`, of an answer of the edge's own. @param headers names and values in turn, names in any case */
	seesReply(statusCode: number, headers: readonly string[], contentLength: number): void;
	/** What the outbound rules of the stored policy came to. */
	decided(decision: Exclude<Outcome, { kind: "suspended" }>): void;
	/** The request is over. @param statusCode that the client got @param aborted it got no whole answer */
	ended(statusCode: number, aborted: boolean): void;
}

/**
 * How a request ended, as the access log and traces tell it: who answered it, by which rule, and what went wrong. Fields
 * of each exchange, by inheritance, set where it is decided. Base of `policy-effects.ts`.
 */
import type { EdgeErrorCode } from "../../error-code-origins.ts";
import type { Outcome, Place } from "../../policy/exchange.ts";
import type { UpstreamFailure } from "../../upstream/upstream.ts";
import type { RequestMarks } from "./request-marks.ts";
import type { RequestTrace } from "./request-trace.ts";

/** Who answered: a backend, a policy in this way, the edge itself, or nobody. */
export type AnsweredBy =
	| Exclude<Outcome["kind"], "continue" | "suspended">
	| "upstream"
	| "edge"
	| "none";

export abstract class RequestEnd {
	answeredBy: AnsweredBy = "none";
	/** of an answer that the edge made */
	errorCode: EdgeErrorCode | undefined;
	/** of the backend, also where its response had begun */
	failure: UpstreamFailure | undefined;
	/** the rule that ended the phase; set by `policy/rules/evaluate.ts` */
	endedBy: Place | undefined;
	/** the rate-limit that rejected the request */
	limit: string | undefined;
	/** undefined: nobody tells of the request */
	marks: RequestMarks | undefined;
	/** undefined: tracing is off */
	trace: RequestTrace | undefined;
}

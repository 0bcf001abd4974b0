/**
 * How a request ended, as the access log and traces tell it: who answered it, by which rule, and what went wrong. Of
 * each exchange, by inheritance, set where it is decided; what few have is among its extras. Base of `extras.ts`.
 */
import type { Outcome } from "../../policy/exchange.ts";
import type { RequestMarks } from "./request-marks.ts";

/** Who answered: a backend, a policy in this way, the edge itself, or nobody. */
export type AnsweredBy =
	| Exclude<Outcome["kind"], "continue" | "suspended">
	| "upstream"
	| "edge"
	| "none";

export abstract class RequestEnd {
	answeredBy: AnsweredBy = "none";
	/** undefined: nobody tells of the request */
	marks: RequestMarks | undefined;
}

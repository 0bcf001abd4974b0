/** Outcomes that hold nothing of a request, made once (hot path: `evaluate.ts` and the actions compare them). */
import { type EvaluationFailure, Overrun } from "../cel/expression.ts";
import type { Outcome } from "./exchange.ts";

export const CONTINUE: Outcome = Object.freeze({ kind: "continue" });

/** What `evaluate.ts` makes of a rule that has an expression that is false. */
export const DOES_NOT_APPLY: Outcome = Object.freeze({ kind: "continue" });

/** Answered with 500 whatever the settings: the result could not be sent. */
export const FAILED: Outcome = Object.freeze({ kind: "failed" });

/** What a failure at run time comes to: one that took too long is never passed over. */
export const failedBy = (failure: EvaluationFailure): Outcome =>
	failure instanceof Overrun ? FAILED : EXPRESSION_FAILED;

/** An expression failed: `failed` under `expression_errors: reject`, else the rule does not apply (contract 4). */
export const EXPRESSION_FAILED: Outcome = Object.freeze({ kind: "failed" });

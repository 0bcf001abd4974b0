/**
 * Outcomes that hold nothing of a request and are made once. Hot: `rules/evaluate.ts` and the actions tell them apart
 * by identity.
 */
import { type EvaluationFailure, Overrun } from "../cel/expression.ts";
import type { Outcome } from "./exchange.ts";

/** How a policy may end a request, by the names that metrics, tests in policies and explanations have for it. */
export const POLICY_ENDS = [
	"deny",
	"respond",
	"limited",
	"refused",
	"preflight",
	"close",
	"failed",
] as const;

export const CONTINUE: Outcome = Object.freeze({ kind: "continue" });

/** The outcome of a rule one of whose expressions is false. */
export const DOES_NOT_APPLY: Outcome = Object.freeze({ kind: "continue" });

/** The result could not be sent, or took too long: answered with 500 whatever `expression_errors` says. */
export const FAILED: Outcome = Object.freeze({ kind: "failed" });

/** The outcome of a failure at run time. An expression that took too long is never passed over. */
export const failedBy = (failure: EvaluationFailure): Outcome =>
	failure instanceof Overrun ? FAILED : EXPRESSION_FAILED;

/** An expression failed: `failed` under `expression_errors: reject`, else the rule does not apply (contract 4). */
export const EXPRESSION_FAILED: Outcome = Object.freeze({ kind: "failed" });

/** A decision in words. Used by decision.tsx. */
import type { Decision } from "../../src/management/live/shapes.ts";
import { REASONS, ruleOf } from "./refusal-words.ts";

/** `It was answered with 403: denied, by rule 1 “no bots”.` */
export function decided({
	status,
	reason,
	rule,
	limit,
}: Pick<Decision, "status" | "reason" | "rule" | "limit">): string {
	const got = status === 0 ? "It got no answer" : `It was answered with ${status}`;
	if (reason === null) return `${got}: it was not refused.`;
	const by = ruleOf({ rule, limit });
	return `${got}: ${REASONS[reason]}${by === "" ? "" : `, by ${by}`}.`;
}

/** Why nothing more is told, and what helps. */
export const withoutExplanation = (explained: Decision["explained"]): string =>
	explained?.problem ??
	"Every rule is told of requests that bring a token: weir explain --live sends one, POST /explain-tokens makes one for others.";

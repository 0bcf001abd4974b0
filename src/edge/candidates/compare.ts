/**
 * How what a candidate would have done with a request compares with what the stored policy did (contract 2, "Candidates").
 * Called by `candidate-run.ts` when the request is over.
 */
import type { Place } from "../../policy/exchange.ts";
import type {
	CandidateResult,
	CandidateVerdict,
	Difference,
} from "../../telemetry/candidate-report.ts";
import type { Exchange } from "../exchange.ts";
import type { HeaderChanges } from "../headers/header-changes.ts";
import { statusOf } from "../refused-requests.ts";
import type { Decision } from "./shadow.ts";

/** @param passed status of the answer where the request passed; null: nobody knows */
export function verdictOf(
	decision: Decision,
	endedBy: Place | undefined,
	passed: number | null,
): CandidateVerdict {
	if (decision.kind === "continue") return { outcome: "continue", status: passed, rule: null };
	const rule = endedBy && {
		phase: endedBy.phase,
		index: endedBy.ruleIndex,
		name: endedBy.ruleName,
	};
	return { outcome: decision.kind, status: statusOf(decision), rule: rule ?? null };
}

/** Did the policy send the request away? An answer of its own does from status 400 on. */
function blocks(decision: Decision): boolean {
	if (decision.kind === "continue" || decision.kind === "preflight") return false;
	return decision.kind !== "respond" || decision.statusCode >= 400;
}

export function resultOf(
	stored: Decision,
	candidate: Decision,
	differs: readonly Difference[],
): CandidateResult {
	if (blocks(stored) !== blocks(candidate)) return blocks(stored) ? "would_pass" : "would_block";
	return differs.length === 0 ? "same" : "different";
}

/** @param live as the stored policy has left it @param shadow as the candidate has */
export function differencesOf(
	stored: Decision,
	candidate: Decision,
	live: Exchange,
	shadow: Exchange,
): readonly Difference[] {
	const found: Difference[] = [];
	if (stored.kind !== candidate.kind && !areBothRefused(stored, candidate)) found.push("outcome");
	if (stored.kind !== "continue" && candidate.kind !== "continue") {
		if (statusOf(stored) !== statusOf(candidate)) found.push("status");
		if (stored.kind === candidate.kind && answerOf(stored) !== answerOf(candidate))
			found.push("answer");
	}
	if (stored.kind !== candidate.kind) return found;
	if (stored.kind === "continue") {
		if (urlOf(live) !== urlOf(shadow)) found.push("url");
		if (!areSame(live.requestChanges, shadow.requestChanges)) found.push("request_headers");
	}
	if (!areSame(live.responseChanges, shadow.responseChanges)) found.push("response_headers");
	return found;
}

/** Refused in another way with the same status is the same to a client. */
const areBothRefused = (one: Decision, other: Decision): boolean => blocks(one) && blocks(other);

/** What the answer says, beside its status. */
function answerOf(decision: Decision): string {
	if (decision.kind === "respond") return JSON.stringify([decision.headers, decision.content]);
	return decision.kind === "limited" ? (decision.answer?.content ?? "") : "";
}

const urlOf = ({ target, rewrittenAuthority, newHost }: Exchange): string =>
	`${newHost?.line ?? rewrittenAuthority ?? ""} ${target}`;

/** What limits tell of themselves is counted, by each policy in counters of its own. */
const COUNTED = /^(?:x-)?ratelimit|^retry-after$/;

function areSame(one: HeaderChanges | undefined, other: HeaderChanges | undefined): boolean {
	if (one === other) return true;
	return (one?.textWithout(COUNTED) ?? NOTHING) === (other?.textWithout(COUNTED) ?? NOTHING);
}

const NOTHING = "[[],[],[]]";

/** Phases and answers of an explanation, in the form in which they are told. Used by `explain.ts` and `backend-answer.ts`. */
import type { Decision } from "../edge/phases/run-phase.ts";
import type { LocalReply } from "../edge/response/local-replies.ts";
import type { CompiledPolicy } from "../policy/exchange.ts";
import type { RuleTrace } from "../policy/trace/shapes.ts";
import type { Explanation, PhaseExplanation } from "./shapes.ts";

/** @param reason a sentence */
export const notRun = (reason: string): PhaseExplanation => ({
	outcome: "not_run",
	reason,
	rules: [],
});

/** An inbound rule has ended the request, in a way that outbound rules do not see. */
export const unseen = (
	policy: Pick<CompiledPolicy, "outboundEmpty"> | undefined,
): PhaseExplanation =>
	notRun(
		policy?.outboundEmpty === true
			? "There are no rules."
			: "An inbound rule has ended the request, and outbound rules see no such answers.",
	);

type Ended = Pick<Decision, "kind">;

export const phaseTold = (decision: Ended, rules: readonly RuleTrace[]): PhaseExplanation => ({
	outcome: decision.kind,
	reason: reasonOf(decision, rules),
	rules: [...rules],
});

/** Outbound rules have seen an answer that weir made. @param answeredBy who answers in the end */
export const outboundTold = (answeredBy: string, rules: readonly RuleTrace[]): PhaseExplanation => {
	const isReplaced = rules.some(({ state }) => state === "ended");
	const kind = answeredBy === "failed" ? "failed" : isReplaced ? "respond" : "continue";
	return phaseTold({ kind }, rules);
};

function reasonOf({ kind }: Ended, rules: readonly RuleTrace[]): string {
	if (rules.length === 0) return "There are no rules.";
	if (kind === "continue") return "No rule ended it.";
	if (kind === "failed") return "It failed, which is answered with 500.";
	const ended = rules.find(({ state }) => state === "ended");
	if (ended === undefined) return "A rule ended it.";
	return `The rule ${ended.name === "" ? `at index ${ended.index}` : `"${ended.name}"`} ended it.`;
}

/** @param by who answers, as access lines tell it */
export function replied(
	by: string,
	{ statusCode, headers, content }: LocalReply,
): NonNullable<Explanation["answer"]> {
	const pairs: [string, string][] = [];
	for (let at = 0; at < headers.length; at += 2)
		pairs.push([headers[at] ?? "", headers[at + 1] ?? ""]);
	return { by, status: statusCode, headers: pairs, content };
}

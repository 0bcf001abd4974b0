/**
 * Does the explanation of a real request say what happened? Compared are the status and the rule that ended it, which a
 * worker took down. Used by `live-explanations.ts`.
 */
import type { SeenEnd } from "../../edge/seen/seen-request.ts";
import type { Explanation, PhaseExplanation } from "../shapes.ts";

type Told = Pick<Explanation, "inbound" | "outbound" | "answer">;

interface Ended {
	readonly phase: "inbound" | "outbound";
	readonly index: number;
}

/** Of a client that has left, nobody knows what it would have got: whatever is known must fit. */
export function agrees(told: Told, { status, aborted, rule }: SeenEnd): boolean {
	const meant = endingRule(told);
	const isSameRule =
		rule === undefined
			? aborted || meant === undefined
			: meant?.phase === rule.phase && meant.index === rule.ruleIndex;
	return isSameRule && (aborted || told.answer?.status === status);
}

/** The last one. */
function endingRule({ inbound, outbound }: Told): Ended | undefined {
	return endIn(outbound, "outbound") ?? endIn(inbound, "inbound");
}

function endIn({ outcome, rules }: PhaseExplanation, phase: Ended["phase"]): Ended | undefined {
	const ended =
		rules.find(({ state }) => state === "ended") ??
		(outcome === "failed" ? rules.findLast(({ state }) => state === "failed") : undefined);
	return ended && { phase, index: ended.index };
}

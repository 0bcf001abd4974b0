/**
 * Which expressions an explanation takes apart: those of rules that did something or failed, then those by which rules were
 * skipped, the nearest to the end first, as many as there is time for. Used by `explain.ts`.
 */
import { LIMITS } from "../limits/limits.ts";
import type { Place } from "../policy/exchange.ts";
import type { RuleTrace } from "../policy/trace/shapes.ts";

type Phases = Readonly<Record<Place["phase"], readonly RuleTrace[]>>;

const keyOf = ({ phase, ruleIndex, expressionIndex }: Place): string =>
	`${phase} ${ruleIndex} ${expressionIndex}`;

/** @param traced a run without parts */
export function partsWanted(traced: Phases): (place: Place) => boolean {
	const first: string[] = [];
	const then: string[] = [];
	for (const phase of ["inbound", "outbound"] as const) {
		for (const { index, state, expressions } of traced[phase].toReversed()) {
			for (const [expressionIndex, { asked, decided }] of expressions.entries()) {
				if (!asked) continue;
				const place = { phase, ruleIndex: index, ruleName: "", expressionIndex, actionIndex: -1 };
				if (state !== "skipped") first.push(keyOf(place));
				else if (decided) then.push(keyOf(place));
			}
		}
	}
	const wanted = new Set([...first, ...then].slice(0, LIMITS.explainedExpressions));
	return (place) => wanted.has(keyOf(place));
}

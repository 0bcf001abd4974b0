/**
 * An explanation in the one line that the log has of it: rule by rule, without values. Used by `live-explanations.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Explanation, PhaseExplanation } from "../shapes.ts";

type Rule = PhaseExplanation["rules"][number];

/** @param agrees does it say what happened? */
export function explainedLine(
	requestId: string,
	{ route, policy, inbound, outbound, answer }: Explanation,
	agrees: boolean,
): object {
	const rules = [...rulesOf(inbound, "inbound"), ...rulesOf(outbound, "outbound")];
	const more = rules.length - LIMITS.explainedLogRules;
	return {
		event: "explained",
		request_id: requestId,
		edge: route?.edge_id,
		route: route?.route_id,
		policy: policy.etag ?? undefined,
		status: answer?.status,
		by: answer?.by,
		inbound: inbound.outcome,
		outbound: outbound.outcome,
		rules: rules.slice(0, LIMITS.explainedLogRules),
		more_rules: more > 0 ? more : undefined,
		agrees,
	};
}

/** Those that were come to. */
const rulesOf = ({ rules }: PhaseExplanation, phase: string): object[] =>
	rules
		.filter(({ state }) => state !== "not_reached")
		.map((rule) => ({
			phase,
			rule: rule.index,
			rule_name: rule.name === "" ? undefined : rule.name,
			state: rule.state,
			because: becauseOf(rule),
			actions: actionsOf(rule),
		}));

/** The expression that decided. */
const becauseOf = ({ expressions }: Rule): string | undefined =>
	expressions.find(({ decided }) => decided)?.source.slice(0, LIMITS.accessTextCharacters);

function actionsOf({ actions }: Rule): readonly string[] | undefined {
	const ran = actions.filter(({ state }) => state !== "not_reached");
	return ran.length === 0 ? undefined : ran.map(({ type, state }) => `${type}: ${state}`);
}

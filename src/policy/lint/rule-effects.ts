/**
 * The effects that a rule may have on an exchange, by its actions: it ends the phase, answers, changes the URL. Asked
 * by `lint.ts` and `reachability.ts`.
 */
import { actionOf } from "../actions/table.ts";
import type { RuleDocument } from "../document/schema.ts";

type Rule = Pick<RuleDocument, "actions">;

/** Does it end the phase whenever it applies? */
export const endsPhase = (rule: Rule): boolean =>
	rule.actions.some(({ type }) => actionOf(type).ends.when === "always");

/** Does it refuse whatever it applies to, so that no outbound rule runs? */
export const refuses = ({ actions }: Rule): boolean =>
	actions.some(({ type }) => {
		const { ends } = actionOf(type);
		return ends.when === "always" && ends.with === "refusal";
	});

/** May it answer in the backend's place, with a response that outbound rules see? */
export const mayRespond = ({ actions }: Rule): boolean =>
	actions.some(({ type }) => {
		const { ends } = actionOf(type);
		return ends.when !== "never" && ends.with === "response";
	});

export const mayChangeUrl = ({ actions }: Rule): boolean =>
	actions.some(({ type }) => actionOf(type).changes.includes("url"));

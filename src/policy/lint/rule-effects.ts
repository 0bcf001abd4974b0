/**
 * The effects that a rule may have on an exchange, by its actions: it ends the phase, answers, changes the URL. Asked
 * by `lint.ts` and `reachability.ts`.
 */
import type { ExchangePart } from "../actions/action.ts";
import { actionOf } from "../actions/table.ts";
import type { RuleDocument } from "../document/schema.ts";

type Rule = Pick<RuleDocument, "actions" | "enforce">;

/** Of a rule that only reports nothing comes. */
const enforced = ({ actions, enforce }: Rule): RuleDocument["actions"] =>
	enforce === false ? [] : actions;

/** Does it end the phase whenever it applies? */
export const endsPhase = (rule: Rule): boolean =>
	enforced(rule).some(({ type }) => actionOf(type).ends.when === "always");

/** Does it refuse whatever it applies to, so that no outbound rule runs? */
export const refuses = (rule: Rule): boolean =>
	enforced(rule).some(({ type }) => {
		const { ends } = actionOf(type);
		return ends.when === "always" && ends.with === "refusal";
	});

/** May it answer in the backend's place, with a response that outbound rules see? */
export const mayRespond = (rule: Rule): boolean =>
	enforced(rule).some(({ type }) => {
		const { ends } = actionOf(type);
		return ends.when !== "never" && ends.with === "response";
	});

export const mayChange = (rule: Rule, part: ExchangePart): boolean =>
	enforced(rule).some(({ type }) => actionOf(type).changes.includes(part));

/** May rules behind it see another request, or another response, than the rules before it? */
export const mayChangeAny = (rule: Rule): boolean =>
	enforced(rule).some(({ type }) => actionOf(type).changes.length > 0);

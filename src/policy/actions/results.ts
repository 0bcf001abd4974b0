/**
 * Keeps what actions leave for the expressions behind them (contract 4, "Results and variables"), and only what an
 * expression of the policy names. Used by the actions of this folder.
 */
import { Results } from "../../cel/values/results.ts";
import type { Value } from "../../cel/values/value.ts";
import type { PolicyExchange } from "../exchange.ts";
import type { ActionContext } from "./action.ts";

/** As expressions write the type of an action. */
export const resultName = (type: string): string => type.replaceAll("-", "_");

/** Does an expression of the policy read what actions of this type leave? @param type as documents write it */
export const isRead = (type: string, { resultsRead }: ActionContext): boolean =>
	resultsRead.has("actions") || resultsRead.has(`actions.${resultName(type)}`);

export const isVariableRead = (name: string, { resultsRead }: ActionContext): boolean =>
	resultsRead.has("vars") || resultsRead.has(`vars.${name}`);

/** Under a rule that only reports too: what an action says is not what it does. */
export function leave(
	exchange: PolicyExchange,
	type: string,
	fields: Readonly<Record<string, Value>>,
): void {
	exchange.results ??= new Results();
	exchange.results.ran(resultName(type), new Map(Object.entries(fields)));
}

/** Variables that hold what earlier actions of the policy have left (contract 4). Joined by `table.ts`. */
import { NOTHING_RAN, NOTHING_SET } from "../values/results.ts";
import { derived, type VariableDefinition } from "./definition.ts";
import { resultMaps, variableMap } from "./sizes.ts";

export const RESULTS = [
	{
		name: "actions",
		type: "map<string, dyn>",
		doc: "What the last run of an action had to say, as `actions.<name>.<field>`, a `-` in the name written as `_`; `actions.ngrok.<name>` is the same. Inbound results stay readable in outbound rules. [Actions](actions.md) says which fields each one leaves.",
		example: "{}",
		use: ["has(actions.rate_limit.limited)", "false"],
		absent: "`has()` is false; **a read fails**. An action that no earlier rule runs is refused",
		read: derived((a) => a.results?.actions ?? NOTHING_RAN, "results"),
		size: resultMaps,
		changes: true,
	},
	{
		name: "vars",
		type: "map<string, dyn>",
		doc: "Variables that earlier `set-vars` actions have set, as `vars.<name>`, in both phases.",
		example: "{}",
		use: ["has(vars.tier)", "false"],
		absent: "`has()` is false; **a read fails**. A name that no earlier action sets is refused",
		read: derived((a) => a.results?.vars ?? NOTHING_SET, "results"),
		size: variableMap,
		changes: true,
	},
] as const satisfies readonly VariableDefinition[];

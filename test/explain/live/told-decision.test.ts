/** The line of the log: rules that were come to, what decided, no values; bounded. */
import { expect, it } from "vitest";
import { explainedLine } from "../../../src/explain/live/told-decision.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { rule, told } from "./seen.ts";

it("tells each rule in short", () => {
	const expressions = [{ source: "req.method == 'GET'", decided: true } as never];
	const actions = [
		{ type: "deny", state: "ended" as const, effects: [] },
		{ type: "log", state: "not_reached" as const, effects: [] },
	];
	const rules = [
		rule(0, "skipped", { name: "first", expressions }),
		rule(1, "ended", { actions }),
		rule(2, "not_reached"),
	];
	const line = explainedLine(
		"id-1",
		told({ inbound: { outcome: "deny", reason: "", rules } }),
		true,
	);
	expect(JSON.parse(JSON.stringify(line))).toEqual({
		...{ event: "explained", request_id: "id-1", policy: '"1"', status: 403, by: "deny" },
		...{ inbound: "deny", outbound: "not_run", agrees: true },
		rules: [
			{
				...{ phase: "inbound", rule: 0, rule_name: "first", state: "skipped" },
				because: "req.method == 'GET'",
			},
			{ phase: "inbound", rule: 1, state: "ended", actions: ["deny: ended"] },
		],
	});
});

it("tells so many, and how many more", () => {
	const rules = Array.from({ length: LIMITS.explainedLogRules + 3 }, (_, at) =>
		rule(at, "skipped"),
	);
	const line = explainedLine(
		"x",
		told({ inbound: { outcome: "continue", reason: "", rules } }),
		false,
	);
	expect(line).toMatchObject({ more_rules: 3, agrees: false });
});

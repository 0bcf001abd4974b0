import { expect, test } from "vitest";
import { Compiler } from "../../../src/policy/programs/compiler.ts";
import { PhaseRules } from "../../../src/policy/rules/phase-rules.ts";
import { PreparedPhase } from "../../../src/policy/rules/prepared-phase.ts";
import { rowOf } from "../../../src/policy/rules/rule-row.ts";

test("each route gets a row of its own", () => {
	const rules = new PhaseRules("inbound", [], () => new Compiler());
	const row = rowOf([{ predicates: [], actions: { length: 2 } }]);
	const phase = new PreparedPhase("inbound", rules, [], row);
	const rows = [phase.takeRow(), phase.takeRow(), phase.takeRow()];
	expect(rows[0]).toBe(row);
	expect(new Set(rows).size).toBe(3);
	expect(rows[2]).toEqual(row);
});

/** Where a document tells what is left at a place, expressions are checked against it, and compile as ever. */
import { expect, test } from "vitest";
import type { Declared } from "../../../src/cel/check/declared.ts";
import { placedFaults } from "../../../src/cel/compile.ts";

const shape = (fields: Record<string, string>) => ({
	fields: new Map(Object.entries(fields)),
	absent: (field: string) => `there is no ${field}`,
});
const rateLimit = shape({ limited: "bool" });
const DECLARED: Declared = {
	actions: { ...shape({}), fields: new Map([["rate_limit", rateLimit]]) },
	vars: shape({ tier: "string", limit: "int", any: "dyn" }),
};

test.each([
	["vars.tier == 'gold' && vars.limit > 5 && vars.any", []],
	["actions.rate_limit.limited && has(actions.rate_limit.limited)", []],
	["vars.tier == 5", ["10: "]],
	["vars.tier", ["0: the expression yields string, where a rule needs a bool"]],
	["vars.teir == 'gold'", ["5: there is no teir"]],
	["has(vars.teir)", ["0: there is no teir"]],
	["actions.rate_limit.limitd", ["19: there is no limitd"]],
	["actions.basic_auth.x", ["8: there is no basic_auth"]],
])("%s", (source, faults) => {
	const found = placedFaults(source, { phase: "inbound", wants: "bool" }, DECLARED);
	const told = found.map(({ offset, message }) => `${offset}: ${message}`);
	expect(told.length).toBe(faults.length);
	for (const [at, fault] of faults.entries()) expect(told[at]).toContain(fault);
});

/** What is told of rules, and rules whose expressions are compiled again when they are asked by themselves. */
import { expect, test } from "vitest";
import { Compiler } from "../../../src/policy/programs/compiler.ts";
import { EndPlace, PhaseRules, type ToldRule } from "../../../src/policy/rules/phase-rules.ts";
import { compiled, exchangeOf } from "../support.ts";

const ruleOf = (index: number, ...predicates: string[]): ToldRule => ({
	...{ index, name: `r${index}`, predicates, expressionIndexes: undefined, reportsOnly: false },
});

test("expressions that are kept as texts are compiled when they are asked for, once", () => {
	let made = 0;
	const listed = [
		ruleOf(0, "req.method == 'GET'", "req.host == 'h'"),
		ruleOf(1, "true"),
		ruleOf(2),
	];
	const rules = new PhaseRules("inbound", listed, () => {
		made += 1;
		return new Compiler();
	});
	expect(made).toBe(0);
	const sources = [0, 1, 2].map((rule) => rules.predicatesOf(rule).map(({ source }) => source));
	expect(sources).toEqual(listed.map(({ predicates }) => predicates));
	expect(rules.predicatesOf(0)[0]?.evaluate(exchangeOf())).toBe(true);
	expect(rules.predicatesOf(0)).toBe(rules.predicatesOf(0));
	expect(made).toBe(2);
});

test("places are those of the document", () => {
	const listed = [
		ruleOf(0, "true"),
		{ ...ruleOf(3, "true", "true"), expressionIndexes: [0, 2], reportsOnly: true },
	];
	const rules = new PhaseRules("outbound", listed, () => new Compiler());
	expect(rules.length).toBe(2);
	expect([rules.indexOf(0), rules.indexOf(1)]).toEqual([0, 3]);
	expect([rules.nameOf(0), rules.nameOf(1)]).toEqual(["r0", "r3"]);
	expect([rules.reportsOnly(0), rules.reportsOnly(1)]).toEqual([false, true]);
	const place = { phase: "outbound", ruleIndex: 3, ruleName: "r3" };
	expect(rules.placeOf(1, 1)).toEqual({ ...place, expressionIndex: 2, actionIndex: -1 });
	expect(rules.actionPlace(1, 1)).toEqual({ ...place, expressionIndex: -1, actionIndex: 1 });
	const { phase, ruleIndex, ruleName, expressionIndex, actionIndex } = new EndPlace({ rules }, 1);
	expect({ phase, ruleIndex, ruleName, expressionIndex, actionIndex }).toEqual({
		...place,
		expressionIndex: -1,
		actionIndex: 0,
	});
});

test("a failure names the expression as it stands in the document", () => {
	const policy = compiled({
		inbound: [
			{
				expressions: ["1 < 2", "req.method == 'GET'", "int(req.host) > 3"],
				actions: [{ type: "log" }],
			},
		],
	});
	for (let turn = 0; turn < 2; turn++) {
		const exchange = exchangeOf();
		expect(policy.inbound(exchange).kind).toBe("failed");
		expect(exchange.failures).toMatchObject([{ place: { ruleIndex: 0, expressionIndex: 2 } }]);
	}
});

/** Rules whose expressions are compiled again when they are asked by themselves. */
import { expect, test } from "vitest";
import { Compiler } from "../../../src/policy/programs/compiler.ts";
import { type PreparedRule, withoutPredicates } from "../../../src/policy/rules/prepared-rule.ts";
import { compiled, exchangeOf } from "../support.ts";

const ruleOf = (...sources: string[]): PreparedRule => {
	const predicates = sources.map((source) => {
		const made = new Compiler().predicate(source, "inbound");
		if (!made.ok) throw new Error(source);
		return made.value;
	});
	return {
		...{ index: 3, name: "r", predicates, expressionIndexes: [0, 2] },
		...{ steps: [], reportsOnly: true },
	};
};

test("a rule without its expressions has them again when asked, once", () => {
	let made = 0;
	const rule = ruleOf("req.method == 'GET'", "req.host == 'h'");
	const kept = withoutPredicates(rule, "inbound", () => {
		made += 1;
		return new Compiler();
	});
	expect(made).toBe(0);
	expect(kept.predicates.map(({ source }) => source)).toEqual([
		"req.method == 'GET'",
		"req.host == 'h'",
	]);
	expect(kept.predicates[0]?.evaluate(exchangeOf())).toBe(true);
	expect(kept.predicates).toBe(kept.predicates);
	expect(made).toBe(1);
	const { index, name, expressionIndexes, reportsOnly } = kept;
	expect([index, name, expressionIndexes, reportsOnly]).toEqual([3, "r", [0, 2], true]);
});

test("a rule that has no expressions is kept as it is", () => {
	const rule = ruleOf();
	expect(withoutPredicates(rule, "inbound", () => new Compiler())).toBe(rule);
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

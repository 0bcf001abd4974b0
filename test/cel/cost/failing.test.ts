/** What lowering says may fail, the estimate says too: else absorbed failures would not be accounted for. */
import { describe, expect, it } from "vitest";
import { INPUTS } from "../../../src/cel/cost/input-sizes.ts";
import { FAILURE } from "../../../src/cel/cost/table.ts";
import { CostWalk } from "../../../src/cel/cost/walk.ts";
import { assemble } from "../../../src/cel/lower/assemble.ts";
import { ATTRIBUTES } from "../attributes.ts";
import { checkedTree, checkSource } from "../checked.ts";
import { chargedBy } from "../compiled.ts";
import { Generator } from "../generator.ts";
import { randomFrom } from "../generator-random.ts";
import { written } from "../generator-term.ts";

function failing(source: string): boolean {
	const { scope, expr } = checkedTree(source);
	const walk = new CostWalk(scope, INPUTS);
	walk.part(expr);
	return walk.failing.has(expr);
}

describe("an operand that may fail", () => {
	it.each([
		"req.headers['a'][0] == 'x'",
		"int(req.method) == 1",
		"req.cookies['a'][0].name == 'x'",
		"req.url.query.matches(req.method)",
		"{req.method: 1}.size() == 1",
		"[?optional.of(1)].size() == 1",
		"cel.bind(x, int(req.method), x == 1)",
		"dyn(req.method) < 1",
		"lists.range(4).exists(j, 1 / j == 1)",
	])("is told: %s", (condition) => {
		expect(failing(condition)).toBe(true);
	});

	it.each([
		"req.method == 'GET'",
		"'a' in req.headers",
		"req.headers['a'] == ['x']",
		"req.url.query_params[req.method].size() == 1",
		"req.url.path.contains('x') && !req.method.startsWith('G')",
		"req.url.query.matches('^a+$')",
		"req.headers.exists(h, h < req.method)",
		"req.method == 'a' ? true : has(req.headers.b)",
		"cel.bind(x, req.method, x == 'a')",
	])("is none: %s", (condition) => {
		expect(failing(condition)).toBe(false);
	});

	it("is told wherever lowering says so", () => {
		const seen = { failing: 0, sure: 0 };
		for (let index = 0; index < 300; index++) {
			const random = randomFrom(77_000 + index);
			const source = written(new Generator(random).term("bool", 1 + (index % 4)), "weir");
			if (!checkSource(source).ok) continue;
			const { scope, expr } = checkedTree(source);
			const { fails } = assemble(scope, expr, "value", true, { folds: 0 });
			seen[fails ? "failing" : "sure"]++;
			if (fails) expect(failing(source), source).toBe(true);
		}
		expect(Math.min(seen.failing, seen.sure)).toBeGreaterThan(20);
	});
});

it("an absorbed failure is charged", () => {
	const turns = 100;
	const source = `lists.range(${turns}).all(i, req.headers['none'][i] == 'x')`;
	expect(chargedBy(source, "inbound", ATTRIBUTES)).toBeGreaterThan(turns * FAILURE);
});

/** `from` of url-rewrite and redirect: patterns as they are, and patterns with expressions, whose values are literal. */
import { describe, expect, test } from "vitest";
import { copyAttributes } from "../../../../src/cel/attributes-copy.ts";
import { EvaluationFailure, type Suspension } from "../../../../src/cel/expression.ts";
import { settle } from "../../../../src/cel/settle.ts";
import { parseFrom, plainFrom } from "../../../../src/policy/actions/url-rewrite/from.ts";
import { Compiler } from "../../../../src/policy/programs/compiler.ts";
import { compiled, exchangeOf, type FakeExchange, inbound, problemsOf } from "../../support.ts";

const settlement = ({ source, phase, wants, reads }: Suspension, exchange: FakeExchange) => {
	const attributes = structuredClone(copyAttributes(exchange, reads));
	const settled = settle({ source, phase, wants, attributes });
	return settled instanceof EvaluationFailure ? settled : structuredClone(settled);
};

function became(config: object, url: string, headers: readonly (readonly [string, string])[] = []) {
	const exchange = exchangeOf({ url, headers });
	const policy = compiled(inbound({ type: "url-rewrite", config }));
	let outcome = policy.inbound(exchange);
	let waits = 0;
	while (outcome.kind === "suspended") {
		waits++;
		outcome = policy.resume(exchange, outcome.run, settlement(outcome.run.suspension, exchange));
	}
	const result = outcome.kind === "continue" ? exchange.url.full : outcome.kind;
	return { result, waits };
}

const HEADER = "${req.headers['x'][0]}";

describe("expressions in a pattern", () => {
	test.each<[string, string, string, string]>([
		[`/${HEADER}/`, "a.b", "http://h/a.b/axb/", "http://h-axb/"],
		[`/(${HEADER})(?P<rest>/.*)`, "v1", "http://h/v1/y", "http://h-/y=v1"],
		[HEADER, ".*+?()[]{}^$|\\", "http://h/y", "http://h/y"],
		[`\\$\\{x|${HEADER}`, "h/y", "http://h/y", "http://-/"],
	])("%s with %s", (from, value, url, result) => {
		const to = from.includes("rest") ? "-$rest=$1" : "-";
		const { result: after, waits } = became({ from, to }, url, [["x", value]]);
		expect([after, waits]).toEqual([result, 1]);
	});

	test("a client's text is no pattern", () => {
		const config = { from: `/${HEADER}`, to: "/x" };
		expect(became(config, "http://h/secret", [["x", ".*"]]).result).toBe("http://h/secret");
		expect(became(config, "http://h/aaaa", [["x", "(a+)+$"]]).result).toBe("http://h/aaaa");
	});

	test("an expression that fails, and a pattern that gets too long, fail the request", () => {
		expect(became({ from: `/${HEADER}`, to: "/" }, "http://h/").result).toBe("failed");
		const long: [string, string][] = [["x", "a".repeat(16_384)]];
		expect(became({ from: `/${HEADER}`, to: "/" }, "http://h/", long).result).toBe("failed");
	});

	test.each([
		["/${nope}", "config/from unknown_variable"],
		["/${req.host", "config/from template_syntax"],
		["(${req.host}", "config/from invalid_pattern"],
	])("%s is refused", (from, problem) => {
		const found = problemsOf(inbound({ type: "url-rewrite", config: { from, to: "/" } }));
		expect(found).toHaveLength(1);
		expect(found[0]).toContain(`/inbound/0/actions/0/${problem}`);
	});
});

test("what is no expression is searched for here, as RE2 takes it", () => {
	for (const from of ["\\${x}", "[${x}]", "x${1}", "a$", "\\Q${x}\\E", "/(a)"]) {
		const compiler = new Compiler();
		const parsed = parseFrom(from, "inbound", compiler);
		if (!parsed.ok) throw new Error(from);
		const search = parsed.value.search(exchangeOf({}), undefined);
		expect([from, search]).toEqual([
			from,
			{ pattern: parsed.value.shape, suspension: expect.objectContaining({ source: from }) },
		]);
	}
	const compiler = new Compiler();
	expect(parseFrom("/${req.host}", "inbound", compiler).ok).toBe(true);
	expect(compiler.mayWait).toBe(true);
});

test("with the format of nginx nothing is filled in", () => {
	const plain = plainFrom("/${req.host}", "inbound", new Compiler());
	if (!plain.ok) throw new Error("refused");
	const search = plain.value.search(exchangeOf({}), undefined);
	expect(search).toMatchObject({ suspension: { source: "/${req.host}" } });
});

import { describe, expect, test } from "vitest";
import { isJson } from "../../../src/policy/document/members.ts";
import { compiled, exchangeOf, inbound } from "../support.ts";

const logged = (metadata: unknown, given = {}) => {
	const exchange = exchangeOf(given);
	const outcome = compiled(inbound({ type: "log", config: { metadata } })).inbound(exchange);
	return { outcome: outcome.kind, logs: exchange.logs, failures: exchange.failures };
};

test("strings are filled in, everything else is kept as given", () => {
	const nested = { deep: ["${req.method}", null, 2], flag: false };
	const metadata = { a: "m=${req.method}", b: "$${x}", c: 1.5, d: true, e: nested };
	expect(logged(metadata, { method: "PUT" })).toEqual({
		outcome: "continue",
		logs: [{ a: "m=PUT", b: "${x}", c: 1.5, d: true, e: nested }],
		failures: [],
	});
});

test("entries keep their order, in both forms", () => {
	expect(Object.keys(logged({ z: "1", a: "2" }).logs[0] as object)).toEqual(["z", "a"]);
	expect(Object.keys(logged({ z: "1", a: "${req.method}" }).logs[0] as object)).toEqual(["z", "a"]);
});

test("without metadata an empty entry is logged; several come in order", () => {
	const exchange = exchangeOf();
	compiled(
		inbound({ type: "log" }, { type: "log", config: { metadata: { n: 2 } } }, { type: "deny" }),
	).inbound(exchange);
	expect(exchange.logs).toEqual([{}, { n: 2 }]);
});

test("a template that fails is reported and logs nothing", () => {
	const result = logged({ a: "x", b: "${req.headers['missing'][0]}" });
	expect(result.outcome).toBe("failed");
	expect(result.logs).toEqual([]);
	expect(result.failures).toEqual([
		{
			place: { phase: "inbound", ruleIndex: 0, ruleName: "", expressionIndex: -1, actionIndex: 0 },
			message: expect.any(String),
		},
	]);
});

describe("isJson", () => {
	test("takes what JSON holds", () => {
		expect([null, 1, "", true, [], {}, { a: [{}] }].every((value) => isJson(value, 4))).toBe(true);
	});

	test("and nothing else, nor deeper than it may", () => {
		const others = [undefined, Number.NaN, 1n, new Date(0), () => 1, { a: undefined }, [[[]]]];
		expect(others.some((value) => isJson(value, 2))).toBe(false);
	});
});

/** Expressions that fail are counted and logged with their place, however many they are and however often. */
import { expect, it } from "vitest";
import { ExpressionFailures } from "../../../src/edge/policies/expression-failures.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { Place } from "../../../src/policy/exchange.ts";
import type { Log } from "../../../src/telemetry/log.ts";
import { Metrics } from "../../../src/telemetry/metrics.ts";

const request = { edgeId: "e", routeId: "r" };
const place = (ruleIndex: number, more: Partial<Place> = {}): Place => ({
	phase: "inbound",
	ruleIndex,
	ruleName: "n",
	expressionIndex: 1,
	actionIndex: -1,
	...more,
});

function failures() {
	const metrics = new Metrics();
	const lines: object[] = [];
	const log = { warn: (fields: object) => lines.push(fields) } as unknown as Log;
	return { failures: new ExpressionFailures(metrics, log), lines, metrics };
}

it("names the place, and no more than so much of the reason", () => {
	const { failures: some, lines, metrics } = failures();
	some.failed(request, place(2), "x".repeat(5000), 0);
	some.failed(
		request,
		place(0, { phase: "outbound", expressionIndex: -1, actionIndex: 3 }),
		"y",
		0,
	);
	const where = { edge: "e", route: "r", rule_name: "n" };
	const reason = "x".repeat(LIMITS.logReasonCharacters);
	expect(lines).toEqual([
		{ ...where, phase: "inbound", rule: 2, expression: 1, reason },
		{ ...where, phase: "outbound", rule: 0, action: 3, reason: "y" },
	]);
	expect(metrics.snapshot()).toEqual({
		'weir_expression_errors_total{edge="e",route="r",phase="inbound",rule="2",expression="1",action=""}': 1,
		'weir_expression_errors_total{edge="e",route="r",phase="outbound",rule="0",expression="",action="3"}': 1,
	});
});

it("logs one line a second for each place, and how many went without one", () => {
	const { failures: some, lines, metrics } = failures();
	for (let each = 0; each < 100; each++) some.failed(request, place(0), "a", each);
	some.failed(request, place(1), "b", 100);
	some.failed({ ...request, routeId: "s" }, place(0), "c", 100);
	some.failed(request, place(0), "d", 1000);
	expect(lines.map((line) => "reason" in line && line.reason)).toEqual(["a", "b", "c", "d"]);
	expect(lines.map((line) => "and_before" in line && line.and_before)).toEqual([
		false,
		false,
		false,
		99,
	]);
	const [count] = Object.values(metrics.snapshot());
	expect(count).toBe(101);
});

it("counts places beyond a bound together", () => {
	const { failures: some, metrics } = failures();
	for (let round = 0; round < 2; round++)
		for (let rule = 0; rule < LIMITS.expressionErrorSeries + 10; rule++)
			some.failed(request, place(rule), "a", 0);
	const counted = metrics.snapshot();
	expect(Object.keys(counted)).toHaveLength(LIMITS.expressionErrorSeries + 1);
	const others =
		'weir_expression_errors_total{edge="(others)",route="",phase="inbound",rule="",expression="",action=""}';
	expect(counted[others]).toBe(20);
	expect(Object.values(counted).filter((count) => count === 2)).toHaveLength(
		LIMITS.expressionErrorSeries,
	);
});

import { expect, it } from "vitest";
import { LimitsExceeded } from "../../../src/edge/policies/limits-exceeded.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { Metrics } from "../../../src/telemetry/metrics.ts";

const place = (ruleIndex: number) => ({
	phase: "inbound" as const,
	ruleIndex,
	ruleName: "",
	expressionIndex: -1,
	actionIndex: 0,
});

it("counts by route, rule and name, also where two routes share a policy", () => {
	const metrics = new Metrics();
	const exceeded = new LimitsExceeded(metrics);
	const shared = place(2);
	exceeded.exceeded({ edgeId: "e", routeId: "r" }, shared, "login", true);
	exceeded.exceeded({ edgeId: "e", routeId: "r" }, shared, "login", true);
	exceeded.exceeded({ edgeId: "e", routeId: "r" }, shared, "login", false);
	exceeded.exceeded({ edgeId: "e", routeId: "s" }, shared, "login", true);
	const name = (route: string, enforced: boolean) =>
		`weir_rate_limit_exceeded_total{edge="e",route="${route}",rule="2",name="login",enforced="${enforced}"}`;
	expect(metrics.snapshot()).toEqual({
		[name("r", true)]: 2,
		[name("r", false)]: 1,
		[name("s", true)]: 1,
	});
});

it("counts those beyond the bound as one", () => {
	const metrics = new Metrics();
	const exceeded = new LimitsExceeded(metrics);
	for (let rule = 0; rule < LIMITS.rateLimitSeries + 2; rule++) {
		exceeded.exceeded({ edgeId: "e", routeId: "r" }, place(rule), "", true);
	}
	const others =
		'weir_rate_limit_exceeded_total{edge="(others)",route="",rule="",name="",enforced="true"}';
	expect(metrics.snapshot()[others]).toBe(2);
});

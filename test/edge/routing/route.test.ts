import { describe, expect, it } from "vitest";
import type { Backend } from "../../../src/edge/routing/backends.ts";
import { TableRoute, UNOPENED } from "../../../src/edge/routing/route.ts";
import type { CompiledPolicy, PolicyExchange } from "../../../src/policy/exchange.ts";

const backend = {} as Backend;
const route = new TableRoute(
	"e",
	'r"1',
	{ match_type: "exact_path", match: "/x" },
	backend,
	UNOPENED,
);

describe("TableRoute", () => {
	it("names its counters when asked, once", () => {
		const { series } = route;
		expect(series).toEqual({
			limited: 'weir_rate_limit_exceeded_total{edge="e",route="r\\"1",enforced="true"}',
			overLimit: 'weir_rate_limit_exceeded_total{edge="e",route="r\\"1",enforced="false"}',
		});
		expect(route.series).toBe(series);
	});

	it("becomes another with another policy, and stays as it is", () => {
		const policy = { ...UNOPENED } as CompiledPolicy;
		const next = route.withPolicy(policy);
		expect(next).toEqual(
			new TableRoute("e", 'r"1', { match_type: "exact_path", match: "/x" }, backend, policy),
		);
		expect(next.policy).toBe(policy);
		expect(route.policy).toBe(UNOPENED);
	});
});

describe("UNOPENED", () => {
	it("is a bug wherever it comes to run", () => {
		expect(() => UNOPENED.inbound({} as PolicyExchange)).toThrow("nobody has opened");
	});
});

/** Who names the same gets the same object, however often rules are renamed. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { TrafficNames } from "../../../src/telemetry/traffic/traffic-names.ts";

it("gives each name what was asked for, and the same again", () => {
	const asked = fc.record({
		edge: fc.constantFrom("a", "a b", "b"),
		route: fc.constantFrom("a", "b", "b a"),
		phase: fc.constantFrom("inbound" as const, "outbound" as const),
		rule: fc.nat(2),
		name: fc.constantFrom("", "x", "y"),
	});
	fc.assert(
		fc.property(fc.array(asked), (all) => {
			const names = new TrafficNames();
			const told = new Map<string, object>();
			for (const each of all) {
				const route = names.route(each.edge, each.route);
				expect(route).toMatchObject({ edge: each.edge, route: each.route });
				const { phase, rule, name, ids } = route.rule(each.phase, each.rule, each.name);
				expect([phase, rule, name]).toEqual([each.phase, each.rule, each.name]);
				expect(ids).toBe(route);
				const again = names.route(each.edge, each.route).rule(phase, rule, name);
				const key = JSON.stringify(each);
				expect(told.get(key) ?? again).toBe(again);
				told.set(key, again);
			}
		}),
	);
});

it("keeps some of the names that rules of a route have had", () => {
	const route = new TrafficNames().route("e", "r");
	const first = route.rule("inbound", 0, "first");
	for (let named = 1; named < LIMITS.namedRules; named++) route.rule("inbound", 0, `${named}`);
	expect(route.rule("inbound", 0, "first")).toBe(first);
	route.rule("inbound", 0, "one more");
	const { phase, rule, name } = route.rule("inbound", 0, "first");
	expect(route.rule("inbound", 0, "first")).not.toBe(first);
	expect([phase, rule, name]).toEqual(["inbound", 0, "first"]);
});

/**
 * When JavaScript hands a refusal to the front, and when it takes it back: usual requests alone, the policy's own ending
 * alone, within bounds; by route, by anything else, for good. That answers and counts stay the same: test/e2e.
 */
import { beforeEach, describe, expect, it } from "vitest";
import type { Exchange } from "../../../src/edge/exchange.ts";
import type { Services } from "../../../src/edge/services.ts";
import { StandingRefusals } from "../../../src/edge/standing/standing-refusals.ts";
import { Front } from "../../../src/http/front.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { addon } from "../../../src/native-addon.ts";
import type { Place, Standing, StandingRule } from "../../../src/policy/exchange.ts";
import { Metrics } from "../../../src/telemetry/metrics.ts";

const front = Front.open();
const { frontLayout } = addon;

interface Facts {
	readonly host?: string;
	readonly route?: string;
	readonly match?: string;
	readonly matchType?: "exact_path" | "path_prefix";
	readonly method?: string;
	readonly standing?: Standing;
	readonly candidate?: object;
	readonly policy?: object;
}

const place = {
	phase: "inbound",
	ruleIndex: 0,
	ruleName: "",
	expressionIndex: -1,
	actionIndex: 0,
} as const satisfies Place;
const DENY: Standing = { kind: "deny", statusCode: 403 };
const policyOf = (does: Standing) => ({
	standing: (): StandingRule[] => [{ index: 0, tests: [], steps: [{ does, place }] }],
});
/** Of a document there is one policy for each route. */
const policies = new Map<Standing, object>();

const exchangeOf = ({
	host = "h.test",
	route = "r",
	match = "/a",
	matchType = "exact_path",
	method = "GET",
	standing = DENY,
	candidate,
	policy = policies.get(standing) ?? policyOf(standing),
}: Facts): Exchange => {
	policies.set(standing, policy);
	return {
		client: { isFront: true },
		method,
		endedBy: place,
		head: { host, authority: { host } },
		route: { edgeId: "e", routeId: route, match, matchType, policy, candidate },
	} as unknown as Exchange;
};

describe.skipIf(front === undefined)("standing refusals", () => {
	let services: { accessLog: { isOn: boolean }; carrier: { acts: boolean }; draining: boolean };
	let refusals: StandingRefusals;
	let hasNoneBelow = true;

	const set = (name: keyof typeof frontLayout, value: number): void => {
		if (front !== undefined) front.numbers[frontLayout[name]] = value;
	};

	beforeEach(() => {
		if (front === undefined) return;
		set("kind", frontLayout.kindPlain);
		set("flags", 0);
		set("bodyLength", 0);
		set("listener", 0);
		hasNoneBelow = true;
		services = { accessLog: { isOn: false }, carrier: { acts: false }, draining: false };
		const all = {
			...{ metrics: new Metrics(), refusals: { room: 0, unkept() {}, byPolicy() {} } },
			...services,
		};
		services = all;
		refusals = new StandingRefusals(front, all as unknown as Services, {
			hasNoneBelow: () => hasNoneBelow,
		});
		refusals.dropAll();
	});

	it("stand for each host, path and listener once", () => {
		for (const facts of [{}, {}, { host: "i.test" }, { match: "/b" }, { matchType: "path_prefix" }])
			refusals.refused(exchangeOf(facts as Facts), "deny");
		expect(refusals.size).toBe(4);
		set("listener", 1);
		refusals.refused(exchangeOf({}), "deny");
		expect(refusals.size).toBe(5);
	});

	it("are none of a request that the front would not answer, or of another ending", () => {
		refusals.refused(exchangeOf({ method: "HEAD" }), "deny");
		refusals.refused(exchangeOf({}), "limited");
		refusals.refused(exchangeOf({ standing: { kind: "deny", statusCode: 204 } }), "deny");
		for (const [name, value] of [
			["kind", frontLayout.kindLines],
			["flags", frontLayout.last],
			["flags", frontLayout.http10],
			["bodyLength", 1],
			["bodyLength", -1],
		] as const) {
			const before = front?.numbers[frontLayout[name]] ?? 0;
			set(name, value);
			refusals.refused(exchangeOf({}), "deny");
			set(name, before);
		}
		expect(refusals.size).toBe(0);
	});

	it("are none while a candidate is tried, which is to see every request", () => {
		refusals.refused(exchangeOf({ candidate: {} }), "deny");
		expect(refusals.size).toBe(0);
	});

	it("stand by another guard once a rule has refused that the one before could not tell", () => {
		let isOpen = false;
		const rules = (): StandingRule[] => [
			{ index: 0, tests: [], steps: [isOpen ? { does: DENY, place } : undefined] },
			{
				index: 1,
				tests: [],
				steps: [{ does: { kind: "deny", statusCode: 404 }, place: { ...place, ruleIndex: 1 } }],
			},
		];
		let asked = 0;
		const policy = {
			standing: () => {
				asked++;
				return rules();
			},
		};
		const first = exchangeOf({ policy });
		const second = { ...exchangeOf({ policy }), endedBy: { ...place, ruleIndex: 1 } } as Exchange;
		refusals.refused(second, "deny");
		refusals.refused(second, "deny");
		expect([refusals.size, asked]).toEqual([1, 1]);
		isOpen = true;
		refusals.refused(first, "deny");
		refusals.refused(first, "deny");
		expect([refusals.size, asked]).toEqual([1, 2]);
	});

	it("are none where each request is told of, or the worker leaves", () => {
		services.accessLog.isOn = true;
		refusals.refused(exchangeOf({}), "deny");
		services.accessLog.isOn = false;
		services.carrier.acts = true;
		refusals.refused(exchangeOf({}), "deny");
		services.carrier.acts = false;
		services.draining = true;
		refusals.refused(exchangeOf({}), "deny");
		services.draining = false;
		expect(refusals.size).toBe(0);
		refusals.refused(exchangeOf({}), "deny");
		refusals.close();
		refusals.refused(exchangeOf({}), "deny");
		expect(refusals.size).toBe(0);
	});

	it("are none of a prefix that others lie beneath, and bounded for one host", () => {
		hasNoneBelow = false;
		refusals.refused(exchangeOf({ matchType: "path_prefix" }), "deny");
		expect(refusals.size).toBe(0);
		hasNoneBelow = true;
		for (let n = 0; n < LIMITS.standingPrefixes + 5; n++) {
			refusals.refused(exchangeOf({ matchType: "path_prefix", match: `/${n}` }), "deny");
		}
		expect(refusals.size).toBe(LIMITS.standingPrefixes);
		refusals.refused(exchangeOf({ matchType: "path_prefix", host: "i.test" }), "deny");
		expect(refusals.size).toBe(LIMITS.standingPrefixes + 1);
	});

	it("end with a policy of their route, and with any other change", () => {
		for (const route of ["r", "s"]) {
			for (const host of ["h.test", "i.test"]) {
				refusals.refused(exchangeOf({ route, host, match: `/${route}` }), "deny");
			}
		}
		expect(refusals.size).toBe(4);
		refusals.changing([{ kind: "policy", edgeId: "e", routeId: "r" }]);
		expect(refusals.size).toBe(2);
		refusals.changing([{ kind: "policy", edgeId: "e", routeId: "other" }]);
		expect(refusals.size).toBe(2);
		refusals.changing([{ kind: "ip_list", listId: "l" }]);
		expect(refusals.size).toBe(0);
		refusals.changing([{ kind: "ip_list", listId: "l" }]);
		// Numbers that are free are used again.
		refusals.refused(exchangeOf({}), "deny");
		expect(refusals.size).toBe(1);
	});

	it("are made within bounds between two ticks", () => {
		for (let n = 0; n < LIMITS.standingMadePerTick + 50; n++) {
			refusals.refused(exchangeOf({ host: `h${n}.test` }), "deny");
		}
		expect(refusals.size).toBeLessThanOrEqual(LIMITS.standingMadePerTick);
		expect(refusals.size).toBeGreaterThan(0);
	});

	it("are none of a limit that is not open", () => {
		const limited = {
			kind: "limited",
			name: "l",
			windowMs: 60_000,
			elements: [],
			ipv6Prefix: 64,
			limiter: 999_999,
		} as const;
		refusals.refused(exchangeOf({ standing: limited }), "limited");
		expect(refusals.size).toBe(0);
	});
});

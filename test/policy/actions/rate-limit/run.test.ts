/** Rate-limits at work: what their counters are known by, when they are opened and released, and `retry-after`. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { retryAfterSeconds } from "../../../../src/policy/actions/rate-limit/run.ts";
import { CountingLimiters, compiled, exchangeOf, inbound } from "../../support.ts";

const limit = (change: object = {}): unknown => ({
	type: "rate-limit",
	config: { capacity: 1, rate: "60s", ...change },
});

describe("identities of rate limits", () => {
	const opened = (value: unknown) => {
		const limiters = new CountingLimiters();
		compiled(value, { limiters }).inbound(exchangeOf());
		expect(limiters.opened).not.toEqual([]);
		return limiters.opened;
	};

	test("say edge, route, capacity and window", () => {
		expect(opened(inbound(limit({ capacity: 7, rate: "1h30m" })))).toEqual([
			{
				edgeId: "edge",
				routeId: "route",
				configuration: '["sliding_window",7,"1h30m",[],""]',
				ordinal: 0,
				capacity: 7,
				windowMs: 5_400_000,
			},
		]);
	});

	test("are told apart by order when identical, across rules", () => {
		const rules = [{ actions: [limit(), limit()] }, { actions: [limit({ capacity: 2 }), limit()] }];
		expect(opened({ inbound: rules }).map(({ ordinal }) => ordinal)).toEqual([0, 1, 0, 2]);
	});

	test.each<[string, object, object]>([
		["the spelling of the window", { rate: "90s" }, { rate: "1m30s" }],
		[
			"defaults written out",
			{},
			{ algorithm: "sliding_window", bucket_key: [], enforce: true, name: "" },
		],
		[
			"the order and spelling of the key",
			{ bucket_key: ["req.host", "getReqHeader('X')"] },
			{ bucket_key: ['req.headers["x"]', "req.host"] },
		],
		["whether it is enforced", { enforce: true }, { enforce: false }],
	])("don't depend on %s", (_, one, other) => {
		expect(opened(inbound(limit(one)))).toEqual(opened(inbound(limit(other))));
	});

	test("have the host and the field it is sent in as two elements", () => {
		const both = opened(inbound(limit({ bucket_key: ["req.host", "req.headers['Host']"] })));
		expect(both.map(({ configuration }) => configuration)).toEqual([
			`["sliding_window",1,"1m",["req.headers['host']","req.host"],""]`,
		]);
	});

	test("depend on capacity, window, key and name", () => {
		const changes = [
			{},
			{ capacity: 2 },
			{ rate: "70s" },
			{ bucket_key: ["req.host"] },
			{ name: "n" },
		];
		const configurations = changes.map(
			(change) => opened(inbound(limit(change)))[0]?.configuration,
		);
		expect(new Set(configurations).size).toBe(changes.length);
	});

	test("don't change when something else in the policy does", () => {
		const before = opened(inbound(limit()));
		const after = opened({
			inbound: [{ actions: [{ type: "log" }, limit({ capacity: 9 })] }, { actions: [limit()] }],
		});
		expect(after).toContainEqual(before[0]);
	});

	test("are opened by the first request: a document may have 16,000 of them", () => {
		const limiters = new CountingLimiters();
		const policy = compiled(inbound(limit({ capacity: 2 }), limit()), { limiters });
		expect(limiters.opened).toEqual([]);
		policy.inbound(exchangeOf());
		policy.inbound(exchangeOf());
		expect(limiters.opened).toHaveLength(2);
	});

	test("are released once, when the policy is closed", () => {
		const limiters = new CountingLimiters();
		const policy = compiled(inbound(limit(), limit()), { limiters });
		policy.inbound(exchangeOf());
		expect(limiters.released).toEqual([]);
		policy.close();
		policy.close();
		expect(limiters.opened).toHaveLength(2);
		expect(limiters.released).toEqual(limiters.opened);
	});

	test("are not released if nobody opened them", () => {
		const limiters = new CountingLimiters();
		compiled(inbound(limit()), { limiters }).close();
		expect(limiters.released).toEqual([]);
	});

	test("are released at once by a request that meets them first after the policy was closed", () => {
		const limiters = new CountingLimiters();
		const policy = compiled(inbound(limit()), { limiters });
		policy.close();
		expect(policy.inbound(exchangeOf()).kind).toBe("continue");
		expect(policy.inbound(exchangeOf()).kind).toBe("limited");
		expect(limiters.opened).toHaveLength(1);
		expect(limiters.released).toEqual(limiters.opened);
	});
});

test("retry-after is at least the wait, in whole seconds, 1 to the window", () => {
	expect([1, 999, 1000, 1001, 60_000].map((wait) => retryAfterSeconds(wait, 60_000))).toEqual([
		1, 1, 1, 2, 60,
	]);
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 86_400_000 }), (wait) => {
			const seconds = retryAfterSeconds(wait, 86_400_000);
			expect(seconds * 1000 >= wait && seconds * 1000 < wait + 1000).toBe(true);
			expect(seconds >= 1 && seconds <= 86_400).toBe(true);
		}),
	);
});

import { describe, expect, test } from "vitest";
import {
	compilePolicy,
	type PreparedPolicy,
	preparePolicy,
} from "../../../src/policy/rules/compile.ts";
import { CountingLimiters, compiled, documentOf, exchangeOf, inbound } from "../support.ts";

const limit = (change: object = {}): unknown => ({
	type: "rate-limit",
	config: { capacity: 1, rate: "60s", ...change },
});

test("a disabled module does nothing and opens nothing", () => {
	const limiters = new CountingLimiters();
	const policy = compiled(
		{ enabled: false, inbound: [{ actions: [limit(), { type: "deny" }] }] },
		{ limiters },
	);
	expect([policy.enabled, policy.inboundEmpty, policy.outboundEmpty]).toEqual([false, true, true]);
	expect(policy.inbound(exchangeOf())).toEqual({ kind: "continue" });
	expect(policy.outbound(exchangeOf())).toEqual({ kind: "continue" });
	policy.close();
	expect(limiters.opened).toEqual([]);
});

test("phases without rules that could apply are empty", () => {
	const rules = [{ expressions: ["1 > 2"], actions: [{ type: "log" }] }];
	const policy = compiled({ inbound: rules, outbound: [{ actions: [{ type: "log" }] }] });
	expect([policy.enabled, policy.inboundEmpty, policy.outboundEmpty]).toEqual([true, true, false]);
});

test("places name phase, rule, expression and action as they stand in the document", () => {
	const policy = compiled({
		inbound: [
			{ expressions: ["1 > 2"], actions: [{ type: "log" }] },
			{ name: "second", expressions: ["true"], actions: [{ type: "log" }, limit({ name: "l" })] },
		],
	});
	const exchange = exchangeOf();
	policy.inbound(exchange);
	policy.inbound(exchange);
	const place = {
		phase: "inbound",
		ruleIndex: 1,
		ruleName: "second",
		expressionIndex: -1,
		actionIndex: 1,
	};
	expect(exchange.exceeded).toEqual([{ place, name: "l", retryAfterMs: 1, enforced: true }]);
});

test("is prepared in steps of one expression or action, so that nothing else waits long", () => {
	const expressions = ["req.method == 'GET'", "true", "req.host == 'a'"];
	const actions = [{ type: "log" }, { type: "deny" }];
	const steps = preparePolicy(documentOf({ inbound: [{ expressions, actions }] }));
	let taken = 0;
	while (steps.next().done !== true) taken += 1;
	expect(taken).toBeGreaterThanOrEqual(5);
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

	test("don't change when something else in the module does", () => {
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

test("a document that was never validated is a bug, and opens nothing", () => {
	const limiters = new CountingLimiters();
	const document = documentOf({ inbound: [{ expressions: ["true"], actions: [limit()] }] });
	const broken = {
		...document,
		inbound: [...document.inbound, { name: "", expressions: ["("], actions: [] }],
	};
	const context = { edgeId: "e", routeId: "r", limiters, expressionErrors: "reject" } as const;
	expect(() => compilePolicy(broken, context)).toThrow("/inbound/1/expressions/0");
	expect(limiters.opened).toEqual([]);
});

describe("a policy that is opened", () => {
	const document = documentOf({ inbound: [{ actions: [{ type: "deny" }] }] });
	const steps = (value: typeof document): PreparedPolicy => {
		const preparing = preparePolicy(value);
		for (;;) {
			const step = preparing.next();
			if (step.done === true) return step.value;
		}
	};

	test.each([true, false])("is kept until it is closed, once (enabled: %s)", (enabled) => {
		let keepers = 0;
		const keep = () => {
			keepers += 1;
			return () => {
				keepers -= 1;
			};
		};
		const policy = steps({ ...document, enabled }).open({
			edgeId: "e",
			routeId: "r",
			limiters: new CountingLimiters(),
			expressionErrors: "reject",
			keep,
		});
		expect(keepers).toBe(1);
		policy.close();
		policy.close();
		expect(keepers).toBe(0);
	});

	const mayWait = (inbound: unknown[]): boolean => steps(documentOf({ inbound })).mayWait;

	test("may have to wait for an expensive expression, or a rewrite that may search long", () => {
		const heavy = "req.headers.exists(a, req.headers.exists(b, req.headers.exists(c, a + b == c)))";
		const actions = [{ type: "deny" }];
		expect(mayWait([{ expressions: [heavy], actions }])).toBe(true);
		const rewrite = { type: "url-rewrite", config: { from: "(.*)/x", to: "$1" } };
		expect(mayWait([{ actions: [rewrite] }])).toBe(true);
		expect(mayWait([{ expressions: ["req.method == 'GET'"], actions }])).toBe(false);
	});
});

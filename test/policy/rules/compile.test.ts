import { describe, expect, test } from "vitest";
import {
	compilePolicy,
	type PreparedPolicy,
	preparePolicy,
} from "../../../src/policy/rules/compile.ts";
import { CountingLimiters, compiled, documentOf, exchangeOf } from "../support.ts";

const limit = (change: object = {}): unknown => ({
	type: "rate-limit",
	config: { capacity: 1, rate: "60s", ...change },
});

test("a disabled policy does nothing and opens nothing", () => {
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

test("is prepared in steps of one expression or action, so that nothing else waits long", () => {
	const expressions = ["req.method == 'GET'", "true", "req.host == 'a'"];
	const actions = [{ type: "log" }, { type: "deny" }];
	const steps = preparePolicy(documentOf({ inbound: [{ expressions, actions }] }));
	let taken = 0;
	while (steps.next().done !== true) taken += 1;
	expect(taken).toBeGreaterThanOrEqual(5);
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

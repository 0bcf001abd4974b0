/** A traced run decides as the policy does, and says what each rule, expression and action came to. */
import { describe, expect, it } from "vitest";
import type { PolicyDocument } from "../../../src/policy/document/schema.ts";
import { validatePolicy } from "../../../src/policy/document/validate.ts";
import {
	AskedLimits,
	type LimitAnswer,
	questionKey,
} from "../../../src/policy/trace/asked-limits.ts";
import { TracedPolicy, traceablePolicy } from "../../../src/policy/trace/traced-policy.ts";
import { Tracer } from "../../../src/policy/trace/tracer.ts";
import { exchangeOf, type Given } from "../support.ts";

function documentOf(written: object): PolicyDocument {
	const valid = validatePolicy(written, { rulesPerPhase: 500 });
	if (!valid.ok) throw new Error(JSON.stringify(valid.error));
	return valid.value.document;
}

function traced(
	written: object,
	given: Given = {},
	expressionErrors: "reject" | "skip" = "reject",
	answer?: LimitAnswer,
) {
	const tracer = new Tracer();
	const run = (known: ReadonlyMap<string, LimitAnswer>) => {
		const limiters = new AskedLimits(known, tracer);
		const context = { edgeId: "e", routeId: "r", limiters, expressionErrors };
		const options = { tracer, context, wantsParts: () => true, goesOn: () => true };
		const policy = new TracedPolicy(traceablePolicy(documentOf(written)), options);
		return { outcome: policy.inbound(exchangeOf(given)), asked: limiters.asked };
	};
	const first = run(new Map());
	const known = new Map(first.asked.map((each) => [questionKey(each), answer] as const));
	const last = answer === undefined ? first : run(known as ReadonlyMap<string, LimitAnswer>);
	return { ...last, rules: tracer.rules("inbound") };
}

const deny = { type: "deny", config: { status_code: 403 } };

describe("rules", () => {
	it("say why they did not apply, and what else would have been false", () => {
		const { rules, outcome } = traced(
			{
				inbound: [
					{
						name: "a",
						expressions: ["true", "req.method == 'PUT'", "req.host == 'x'"],
						actions: [deny],
					},
					{ expressions: ["req.method == 'GET'"], actions: [deny] },
					{ actions: [deny] },
				],
			},
			{ method: "GET" },
		);
		expect(outcome).toEqual({ kind: "deny", statusCode: 403 });
		expect(rules.map(({ state, reason }) => [state, reason])).toEqual([
			["skipped", "Its expression 2 is false."],
			["ended", "It has ended the phase."],
			["not_reached", "A rule before it has ended the phase."],
		]);
		expect(
			rules[0]?.expressions.map(({ state, asked, decided }) => [state, asked, decided]),
		).toEqual([
			["true", true, false],
			["false", true, true],
			["false", false, false],
		]);
		expect(rules[0]?.expressions[1]?.parts[0]).toMatchObject({
			text: "req.method",
			value: '"GET"',
		});
		expect(rules[1]?.actions).toEqual([{ type: "deny", state: "ended", effects: [] }]);
	});

	it("fail as `expression_errors` says", () => {
		const failing = {
			inbound: [{ expressions: ["req.url.query_params['n'][0] == '1'"], actions: [deny] }],
		};
		const rejected = traced(failing);
		expect(rejected.outcome.kind).toBe("failed");
		expect(rejected.rules[0]).toMatchObject({
			state: "failed",
			expressions: [{ state: "failed", decided: true }],
		});
		expect(traced(failing, {}, "skip").outcome.kind).toBe("continue");
	});

	it("only report, if they say so", () => {
		const failing = { enforce: false, allow: ["${req.headers['x'][0]}"] };
		const beside = { inbound: [{ actions: [{ type: "restrict-ips", config: failing }] }] };
		expect(traced(beside).outcome.kind).toBe("continue");
		const { rules, outcome } = traced({ inbound: [{ enforce: false, actions: [deny] }] });
		expect(outcome.kind).toBe("continue");
		expect(rules[0]).toMatchObject({
			state: "applied",
			enforce: false,
			actions: [{ state: "would_have" }],
		});
	});

	it("set variables, which later ones read", () => {
		const { rules } = traced({
			inbound: [
				{ actions: [{ type: "set-vars", config: { vars: [{ tier: "gold" }] } }] },
				{ expressions: ["vars.tier == 'gold'"], actions: [deny] },
			],
		});
		expect(rules[0]?.actions[0]?.effects).toEqual([
			{ kind: "set_var", name: "vars.tier", value: '"gold"' },
		]);
		expect(rules[1]?.state).toBe("ended");
	});

	it("do nothing in a policy that is off", () => {
		const { outcome, rules } = traced({ enabled: false, inbound: [{ actions: [deny] }] });
		expect([outcome.kind, rules]).toEqual(["continue", []]);
	});

	it("are told how expensive their expressions are", () => {
		const heavy = "req.headers.all(a, req.headers.all(b, a.matches(b)))";
		const { rules } = traced({ inbound: [{ expressions: [heavy], actions: [deny] }] });
		expect(rules[0]?.expressions[0]?.cost_class).toBe("heavy");
		expect(rules[0]?.expressions[0]?.cost_nanoseconds).toBeGreaterThan(1e6);
	});
});

describe("rate-limits", () => {
	const limited = {
		inbound: [
			{
				actions: [
					{
						type: "rate-limit",
						config: { name: "l", capacity: 3, rate: "60s", bucket_key: ["conn.client_ip"] },
					},
				],
			},
		],
	};
	it("ask what is used, and count nothing", () => {
		const { asked, rules } = traced(limited, { clientIp: "192.0.2.1" });
		expect(asked).toMatchObject([{ parts: ["192.0.2.1"], cost: 1, identity: { capacity: 3 } }]);
		expect(rules[0]?.actions[0]?.effects).toMatchObject([
			{ kind: "rate_limit", used: null, admitted: true },
		]);
	});
	it("are told from those alike by the places that they have in the policy itself", () => {
		const { actions } = limited.inbound[0] ?? { actions: [] };
		const never = { expressions: ["1 > 2"], actions };
		const { asked } = traced({ inbound: [never, ...limited.inbound, { actions: [...actions] }] });
		expect(asked.map(({ identity }) => identity.ordinal)).toEqual([0, 1]);
	});
	it("say what would happen", () => {
		const full = { known: true, waitMs: 1500, remaining: 0, freesMs: 1500 };
		const { outcome, rules } = traced(limited, {}, "reject", full);
		expect(outcome).toMatchObject({ kind: "limited", retryAfterSeconds: 2 });
		expect(rules[0]?.actions[0]).toMatchObject({
			state: "ended",
			effects: [
				{
					name: "l",
					used: 3,
					remaining: 0,
					admitted: false,
					retry_after_seconds: 2,
					counts: "now",
				},
			],
		});
	});
});

import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { validatePolicy } from "../../../src/policy/document/validate.ts";
import { problemsOf } from "../support.ts";

const many = <T>(count: number, make: (index: number) => T): T[] =>
	Array.from({ length: count }, (_, index) => make(index));
const rule = (change: object = {}): object => ({ actions: [{ type: "deny" }], ...change });
const entries = (count: number): object =>
	Object.fromEntries(many(count, (index) => [`h${index}`, ""]));

describe("each bound holds exactly", () => {
	test.each<[string, (count: number) => unknown, number, string]>([
		[
			"rules",
			(count) => ({ inbound: many(count, () => rule()) }),
			LIMITS.rulesPerPhase,
			"/inbound",
		],
		[
			"outbound rules",
			(count) => ({ outbound: many(count, () => ({ actions: [{ type: "log" }] })) }),
			LIMITS.rulesPerPhase,
			"/outbound",
		],
		[
			"expressions",
			(count) => ({ inbound: [rule({ expressions: many(count, () => "true") })] }),
			LIMITS.expressionsPerRule,
			"/inbound/0/expressions",
		],
		[
			"actions",
			(count) => ({ inbound: [{ actions: many(count, () => ({ type: "log" })) }] }),
			LIMITS.actionsPerRule,
			"/inbound/0/actions",
		],
		[
			"headers",
			(count) => ({
				inbound: [{ actions: [{ type: "custom-response", config: { headers: entries(count) } }] }],
			}),
			LIMITS.headersPerAction,
			"/inbound/0/actions/0/config/headers",
		],
		[
			"metadata",
			(count) => ({
				inbound: [{ actions: [{ type: "log", config: { metadata: entries(count) } }] }],
			}),
			LIMITS.headersPerAction,
			"/inbound/0/actions/0/config/metadata",
		],
	])("%s", (_, make, most, pointer) => {
		expect(problemsOf(make(most))).toEqual([]);
		const [problem, ...others] = problemsOf(make(most + 1));
		expect(problem).toMatch(
			new RegExp(`^${pointer} too_big: must have at most ${most} .*, has ${most + 1}$`),
		);
		expect(others).toEqual([]);
	});

	test("an expression's bytes", () => {
		const expression = (length: number) => `'${"x".repeat(length - 8)}' != ''`.slice(0, length);
		const document = (length: number) => ({
			inbound: [rule({ expressions: [expression(length)] })],
		});
		expect(expression(LIMITS.expressionBytes)).toHaveLength(LIMITS.expressionBytes);
		expect(problemsOf(document(LIMITS.expressionBytes))).toEqual([]);
		expect(problemsOf(document(LIMITS.expressionBytes + 1))).toEqual([
			`/inbound/0/expressions/0 invalid_value: is ${LIMITS.expressionBytes + 1} bytes long; at most ${LIMITS.expressionBytes}`,
		]);
	});

	test("content", () => {
		const document = (length: number) => ({
			inbound: [
				{ actions: [{ type: "custom-response", config: { content: "x".repeat(length) } }] },
			],
		});
		expect(problemsOf(document(LIMITS.contentBytes))).toEqual([]);
		expect(problemsOf(document(LIMITS.contentBytes + 1))).toHaveLength(1);
	});
});

test("an operator may raise the number of rules", () => {
	const value = { inbound: many(LIMITS.rulesPerPhase + 1, () => rule()) };
	expect(validatePolicy(value, { rulesPerPhase: LIMITS.rulesPerPhase + 1 }).ok).toBe(true);
});

test("what lies beyond a bound is not looked at", () => {
	const value = { inbound: many(LIMITS.rulesPerPhase + 5, (index) => (index < 2 ? rule() : 3)) };
	const problems = problemsOf(value);
	expect(problems[0]).toMatch(/^\/inbound too_big/);
	expect(problems.at(-1)).toBe(
		` more_problems: and ${LIMITS.rulesPerPhase - 2 - (LIMITS.problemsPerDocument - 2)} more problems`,
	);
});

/** Expensive expressions: suspended when their little time is spent, settled in full from a copy. */
import { describe, expect, test } from "vitest";
import type { Attributes } from "../../src/cel/attributes.ts";
import { copyAttributes } from "../../src/cel/attributes-copy.ts";
import { BUDGET } from "../../src/cel/budget.ts";
import {
	EvaluationFailure,
	isSuspension,
	Overrun,
	type Settlement,
	type Suspension,
} from "../../src/cel/expression.ts";
import { settle } from "../../src/cel/settle.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import { ATTRIBUTES, headerLines } from "./attributes.ts";
import { compilePredicate, compileTemplate } from "./compiled.ts";

const manyHeaders = (count: number): Attributes => ({
	...ATTRIBUTES,
	requestHeaders: headerLines(
		Array.from({ length: count }, (_, at) => [`x-${at}`, `${at}`] as const),
	),
});

const NESTED = "req.headers.all(a, req.headers.all(b, req.headers.all(c, a + b + c != '')))";

/** Lets an evaluation go on so many times. */
const looks = (times: number) => () => {
	let left = times;
	return () => left-- > 0;
};

const settled = (suspension: Suspension, attributes: Attributes, begins = looks(1e6)) => {
	const { source, phase, wants, reads } = suspension;
	const copy = structuredClone(copyAttributes(attributes, reads));
	return settle({ source, phase, wants, attributes: copy }, begins);
};

function predicateOf(source: string) {
	const compiled = compilePredicate(source, "inbound");
	if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
	return compiled.value;
}

test("an expensive expression is evaluated at once where that takes little time", () => {
	expect(predicateOf(NESTED).evaluate(manyHeaders(3))).toBe(true);
	expect(BUDGET.left).toBe(Number.POSITIVE_INFINITY);
});

test("else it is suspended, settled from a copy, and known when asked again", () => {
	const attributes = manyHeaders(60);
	const predicate = predicateOf(NESTED);
	expect(predicate.canFail).toBe(true);
	const suspension = predicate.evaluate(attributes);
	if (!isSuspension(suspension)) throw new Error("not suspended");
	expect(predicate.evaluate(attributes)).toBe(suspension);
	expect(suspension).toMatchObject({ wants: "bool", reads: ["requestHeaders"] });
	const result = settled(suspension, attributes);
	expect(result).toBe(true);
	expect(predicate.evaluate(attributes, new Map([[suspension, result]]))).toBe(true);
	expect(BUDGET.left).toBe(Number.POSITIVE_INFINITY);
});

test("told not to go on it fails, and nothing absorbs that", () => {
	const attributes = manyHeaders(400);
	const source = `req.headers.exists(d, ${NESTED} && d != '') || req.host == 'x'`;
	const suspension = predicateOf(source).evaluate(attributes);
	if (!isSuspension(suspension)) throw new Error("not suspended");
	const failure = settled(suspension, attributes, looks(3));
	expect(failure).toEqual(new Overrun("the evaluation takes too long"));
	expect(failure).toBeInstanceOf(Overrun);
});

test("a template waits for each of its expensive expressions, and only for those", () => {
	const compiled = compileTemplate(`\${req.method}: \${${NESTED}} and \${[${NESTED}]}`, "inbound");
	if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
	const attributes = manyHeaders(60);
	const known = new Map<Suspension, Settlement>();
	for (const times of [1, 2]) {
		const suspension = compiled.value.render(attributes, known);
		if (!isSuspension(suspension)) throw new Error(`not suspended the ${times}. time`);
		expect(suspension.wants).toBe("text");
		known.set(suspension, settled(suspension, attributes));
	}
	expect(compiled.value.render(attributes, known)).toBe("POST: true and [true]");
});

describe("the matches of a pattern in the URL", () => {
	const matches = (source: string, full: string, begins = looks(1e6)) => {
		const attributes = { ...ATTRIBUTES, url: { ...ATTRIBUTES.url, full } };
		const wants = "matches" as const;
		return settled({ source, phase: "inbound", wants, reads: ["url.full"] }, attributes, begins);
	};

	test("are found with their groups", () => {
		expect(matches("/(a)|(b)", "http://h/ab")).toEqual([
			8, 10, 9, 10, -1, -1, 10, 11, -1, -1, 10, 11,
		]);
	});

	test("are no more than one too many", () => {
		const found = matches("x", "x".repeat(10_000));
		const most = Math.floor(LIMITS.rewriteScanCharacters / 10_000);
		expect(found).toHaveLength(2 * (most + 1));
	});

	test("fail where they take too long", () => {
		const failure = matches("(?:x.*){40}!|x", "x".repeat(60_000), looks(3));
		expect(failure).toEqual(new Overrun("the pattern takes too long for a URL of this length"));
		expect(failure).toBeInstanceOf(Overrun);
	});

	test("are known at once to be none, where RE2 would search long", () => {
		expect(matches("(?:[ab]*a[ab]*){40}!", "ab".repeat(30_000), looks(1000))).toEqual([]);
	});
});

test("a source that is not valid is a failure, not a bug", () => {
	const attributes = copyAttributes(ATTRIBUTES, ["url.full"]);
	const request = { source: "1 +", phase: "inbound", wants: "bool", attributes } as const;
	expect(settle(request)).toEqual(new EvaluationFailure("the expression is not valid"));
	expect(settle({ ...request, source: "[", wants: "matches" })).toEqual(
		new EvaluationFailure("the pattern is not valid"),
	);
});

test("an expensive expression that asks for chance is evaluated once, in the thread", () => {
	const source = `rand.double() < 0.5 && ${NESTED}`;
	const predicate = predicateOf(source);
	const attributes = manyHeaders(2);
	let held = 0;
	for (let times = 0; times < 1000; times++) {
		const suspension = predicate.evaluate(attributes);
		if (!isSuspension(suspension)) throw new Error("evaluated at once");
		if (settled(suspension, attributes) === true) held++;
	}
	// half of them, give or take 16
	expect(held).toBeGreaterThan(250);
	expect(held).toBeLessThan(750);
});

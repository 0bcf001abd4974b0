/**
 * Holds the evaluator against the official cases of the CEL specification: values as the cases say. Cases
 * that bring variables of their own have them bound with `cel.bind`.
 */
import {
	getConformanceSuite,
	type IncrementalTest,
	type IncrementalTestSuite,
} from "@bufbuild/cel-spec/testdata/tests.js";
import { expect, test } from "vitest";
import { EvaluationFailure } from "../../src/cel/expression.ts";
import { compileExpression } from "./compiled.ts";
import { withBindings } from "./conformance-bindings.ts";
import { SKIPS } from "./conformance-skips.ts";
import { described, describedExpected } from "./values.ts";

interface Case {
	/** the suites' names, a space, the expression */
	readonly name: string;
	readonly source: string | undefined;
	readonly test: IncrementalTest;
}

function casesOf(suite: IncrementalTestSuite, path = ""): Case[] {
	const here = `${path}/${suite.name}`;
	const cases = suite.tests.map((each) => ({
		name: `${here} ${each.original.expr}`,
		source: withBindings(each.original),
		test: each,
	}));
	return [...cases, ...suite.suites.flatMap((each) => casesOf(each, here))];
}

function expected({ test: { original } }: Case): string {
	const { resultMatcher } = original;
	if (resultMatcher.case === undefined) return "bool true";
	if (resultMatcher.case === "value") return describedExpected(resultMatcher.value);
	const { value } = resultMatcher;
	if (resultMatcher.case === "typedResult" && "result" in value && value.result !== undefined) {
		return describedExpected(value.result);
	}
	return resultMatcher.case === "typedResult" ? "any" : "failure";
}

function actual(source: string, isMetered: boolean): string {
	const compiled = compileExpression(source, "inbound", () => undefined, isMetered);
	if (!compiled.ok) return `refused: ${compiled.error.map(({ message }) => message).join("; ")}`;
	const value = compiled.value.evaluate(undefined);
	return value instanceof EvaluationFailure ? "failure" : described(value);
}

/** What the checker refuses cannot fail later, and there is no way around it. */
function agrees(got: string, wanted: string, { test: { original } }: Case): boolean {
	const isRefused = got.startsWith("refused");
	if (isRefused && (wanted === "failure" || original.disableCheck)) return true;
	return wanted === "any" ? !isRefused : got === wanted;
}

const CASES = casesOf(getConformanceSuite()).filter(
	({ name }) => !SKIPS.some(({ pattern }) => pattern.test(name)),
);

test.each([
	["freely", false],
	["within a budget", true],
])("official cases, evaluated %s, yield what they say", (_, isMetered) => {
	let count = 0;
	const wrong = CASES.flatMap((each) => {
		if (each.source === undefined) return [];
		count++;
		const [got, wanted] = [actual(each.source, isMetered), expected(each)];
		return agrees(got, wanted, each) ? [] : [`${each.name}: ${got} instead of ${wanted}`];
	});
	expect(wrong).toEqual([]);
	expect(count).toBeGreaterThan(1500);
});

test("every reason to leave out official cases has some", () => {
	const names = casesOf(getConformanceSuite()).map(({ name }) => name);
	const idle = SKIPS.filter(({ pattern }) => !names.some((name) => pattern.test(name)));
	expect(idle).toEqual([]);
});

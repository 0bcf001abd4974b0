/**
 * Holds evaluation against the official cases of the CEL specification: values as the cases say. Trees
 * and types are `conformance-trees.test.ts`'s.
 */
import {
	getConformanceSuite,
	type IncrementalTest,
	type IncrementalTestSuite,
} from "@bufbuild/cel-spec/testdata/tests.js";
import { expect, test } from "vitest";
import { compileExpression } from "../../src/cel/compile.ts";
import { EvaluationFailure } from "../../src/cel/expression.ts";
import { SKIPS } from "./conformance-skips.ts";
import { described, describedExpected } from "./values.ts";

interface Case {
	readonly name: string;
	readonly source: string;
	readonly test: IncrementalTest;
}

function casesOf(suite: IncrementalTestSuite, path = ""): Case[] {
	const here = `${path}/${suite.name}`;
	const cases = suite.tests.map((each) => ({
		name: `${here} ${each.original.expr}`,
		source: each.original.expr,
		test: each,
	}));
	return [...cases, ...suite.suites.flatMap((each) => casesOf(each, here))];
}

const offered = ({ name }: Case): boolean => !SKIPS.some(({ pattern }) => pattern.test(name));

/** Cases that bring their own variables or switch the checker off say nothing about this project. */
const selfContained = ({ test: { original } }: Case): boolean =>
	!original.disableCheck &&
	Object.keys(original.bindings).length === 0 &&
	original.typeEnv.length === 0 &&
	original.container === "";

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

function actual({ source }: Case): string {
	const compiled = compileExpression(source, "inbound", () => undefined);
	if (!compiled.ok) return `refused: ${compiled.error.map(({ message }) => message).join("; ")}`;
	const value = compiled.value.evaluate(undefined);
	return value instanceof EvaluationFailure ? "failure" : described(value);
}

const CONFORMANCE = casesOf(getConformanceSuite()).filter(offered).filter(selfContained);

test("official cases evaluate to what they say", () => {
	const wrong = CONFORMANCE.flatMap((each) => {
		const wanted = expected(each);
		const got = actual(each);
		// what the checker refuses cannot fail later
		const agreed = wanted === "any" ? !got.startsWith("refused") : wanted === got;
		return agreed || (wanted === "failure" && got.startsWith("refused"))
			? []
			: [`${each.name}: ${got} instead of ${wanted}`];
	});
	expect(wrong).toEqual([]);
	expect(CONFORMANCE.length).toBeGreaterThan(1000);
});

/**
 * Holds parser, checker and evaluation against the official cases of the CEL specification: syntax trees
 * and types as the reference implementation makes them, values as the cases say.
 */
import {
	getCheckingSuite,
	getConformanceSuite,
	getParsingSuite,
	type IncrementalTest,
	type IncrementalTestSuite,
} from "@bufbuild/cel-spec/testdata/tests.js";
import { toDebugString } from "@bufbuild/cel-spec/testdata/to-debug-string.js";
import { expect, test } from "vitest";
import { compileExpression } from "../../src/cel/compile.ts";
import { EvaluationFailure } from "../../src/cel/expression.ts";
import { parse } from "../../src/cel/parse.ts";
import { typeName } from "../../src/cel/types.ts";
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

/** The reference implementation's names for types; ours knows no `type(int)`, only `type`. */
const ourName = (type: string): string =>
	type.startsWith("type(") ? "type" : type.replaceAll("(", "<").replaceAll(")", ">");

test("official cases have the types of the reference implementation", () => {
	const wrong = CONFORMANCE.flatMap(({ name, source, test: { type } }) => {
		const compiled = compileExpression(source, "inbound", () => undefined);
		if (type === undefined || !compiled.ok) return [];
		const got = typeName(compiled.value.type);
		return got === ourName(type) ? [] : [`${name}: ${got} instead of ${type}`];
	});
	expect(wrong).toEqual([]);
});

const plain = (tree: string): string => tree.replace(/\^#[^#]*#/g, "").replace(/\s+/g, "");

/** Syntax of protobuf messages and of optionals. */
const SYNTAX_NOT_OFFERED = /\w\s*\{|[.[{,]\s*\?|\[\?/;

test("official sources have the syntax trees of the reference implementation", () => {
	const cases = [...casesOf(getParsingSuite()), ...casesOf(getCheckingSuite())].filter(
		({ source }) => !SYNTAX_NOT_OFFERED.test(source),
	);
	const compared = cases.filter(({ test: { ast } }) => ast !== undefined);
	const wrong = compared.flatMap(({ name, source, test: { ast = "" } }) => {
		const parsed = parse(source);
		const got = parsed.ok ? toDebugString(parsed.expr) : `refused: ${parsed.fault.message}`;
		return plain(got) === plain(ast) ? [] : [`${name}: ${got}`];
	});
	expect(wrong).toEqual([]);
	expect(compared.length).toBeGreaterThan(100);
});

test("sources that the reference implementation's parser refuses are refused", () => {
	// limits of the reference implementation, and names in backticks, which it has as an option
	const others = /recursion|max|limit|unsupported syntax: '`'|overwrites accumulator/;
	const refused = casesOf(getParsingSuite()).filter(
		({ test: { ast, error } }) => ast === undefined && error !== undefined && !others.test(error),
	);
	expect(refused.filter(({ source }) => parse(source).ok).map(({ name }) => name)).toEqual([]);
	expect(refused.length).toBeGreaterThan(20);
});

/**
 * Holds parser and checker against the official cases of the CEL specification: syntax trees and types as
 * the reference implementation makes them. Values are `conformance.test.ts`'s.
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
import { typeName } from "../../src/cel/check/types.ts";
import { parse } from "../../src/cel/parse/parse.ts";
import { checkSource } from "./checked.ts";
import { exprOf } from "./specification-tree.ts";

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

/** Expressions here have no message types, and these extensions are not offered. */
const NOT_OFFERED =
	/TestAllTypes|google\.protobuf\.\w+\s*\{|cel\.expr|\/proto2_ext|\/wrappers|\/enums|\/proto[23]|GlobalEnum|\/(block|network)_ext/;

/** Cases that bring their own variables or switch the checker off say nothing about this project. */
const selfContained = ({ test: { original } }: Case): boolean =>
	!original.disableCheck &&
	Object.keys(original.bindings).length === 0 &&
	original.typeEnv.length === 0 &&
	original.container === "";

const CONFORMANCE = casesOf(getConformanceSuite())
	.filter(({ name }) => !NOT_OFFERED.test(name))
	.filter(selfContained);

/** The reference implementation's names for types; ours knows no `type(int)`, only `type`. */
const ourName = (type: string): string =>
	type.startsWith("type(")
		? "type"
		: type.replaceAll("(", "<").replaceAll(")", ">").replaceAll("optional_type", "optional");

/** The type(A) of the reference implementation is no type here; and its null, where the case says optional. */
const OTHERWISE: ReadonlySet<string> = new Set([
	"{}.map(c,[c,type(c)])",
	"[optional.of(1), null][0]",
]);

test("official cases have the types of the reference implementation", () => {
	let compared = 0;
	const wrong = [...CONFORMANCE, ...casesOf(getCheckingSuite()).filter(selfContained)].flatMap(
		({ name, source, test: { type } }) => {
			const checked = checkSource(source, "inbound");
			if (type === undefined || !checked.ok || OTHERWISE.has(source)) return [];
			compared++;
			const got = typeName(checked.type);
			return got === ourName(type) ? [] : [`${name}: ${got} instead of ${type}`];
		},
	);
	expect(wrong).toEqual([]);
	expect(compared).toBeGreaterThan(1000);
});

/** Types that the cases themselves give, among them those of extensions that the reference run left out. */
test("official cases have the types that they say", () => {
	const kinds: Readonly<Record<string, string>> = {
		boolValue: "bool",
		int64Value: "int",
		uint64Value: "uint",
		doubleValue: "double",
		stringValue: "string",
		bytesValue: "bytes",
	};
	let compared = 0;
	const wrong = CONFORMANCE.flatMap(({ name, source, test: { original } }) => {
		const { resultMatcher } = original;
		const kind = resultMatcher.case === "value" ? resultMatcher.value.kind.case : undefined;
		const expected = kind === undefined ? undefined : kinds[kind];
		const checked = checkSource(source, "inbound");
		if (!checked.ok) {
			// what the checker refuses cannot fail later, or is no constant that fits
			return resultMatcher.case === "value" || resultMatcher.case === undefined
				? [`${name}: ${checked.faults[0]?.message}`]
				: [];
		}
		if (expected === undefined) return [];
		compared++;
		const got = typeName(checked.type);
		return got === expected || got === "dyn" ? [] : [`${name}: ${got} instead of ${expected}`];
	});
	expect(wrong).toEqual([]);
	expect(compared).toBeGreaterThan(1000);
});

const plain = (tree: string): string => tree.replace(/\^#[^#]*#/g, "").replace(/\s+/g, "");

/** Syntax of protobuf messages, and of optionals, which the reference run had switched off. */
const SYNTAX_NOT_COMPARED = /\w\s*\{|[.[{,]\s*\?|\[\?/;

test("official sources have the syntax trees of the reference implementation", () => {
	const cases = [...casesOf(getParsingSuite()), ...casesOf(getCheckingSuite())].filter(
		({ source }) => !SYNTAX_NOT_COMPARED.test(source),
	);
	const compared = cases.filter(({ test: { ast } }) => ast !== undefined);
	const wrong = compared.flatMap(({ name, source, test: { ast = "" } }) => {
		const parsed = parse(source);
		const got = parsed.ok ? toDebugString(exprOf(parsed.expr)) : `refused: ${parsed.fault.message}`;
		return plain(got) === plain(ast) ? [] : [`${name}: ${got}`];
	});
	expect(wrong).toEqual([]);
	expect(compared.length).toBeGreaterThan(100);
});

test("sources that the reference implementation's parser refuses are refused", () => {
	// limits of the reference implementation, and names in backticks and optionals, which it has as options
	const others =
		/recursion|max|limit|unsupported syntax: '`'|unsupported syntax '(?:\.\?|\[\?|\?)'|overwrites accumulator/;
	const refused = casesOf(getParsingSuite()).filter(
		({ test: { ast, error } }) => ast === undefined && error !== undefined && !others.test(error),
	);
	expect(refused.filter(({ source }) => parse(source).ok).map(({ name }) => name)).toEqual([]);
	expect(refused.length).toBeGreaterThan(20);
});

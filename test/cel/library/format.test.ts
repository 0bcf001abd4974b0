/** Clauses of `format`: the official cases, the library as an oracle, and what is wrong said in a sentence. */

import { type CelInput, celEnv, celUint, parse, plan } from "@bufbuild/cel";
import { strings } from "@bufbuild/cel/ext";
import {
	getConformanceSuite,
	type IncrementalTestSuite,
} from "@bufbuild/cel-spec/testdata/tests.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Duration, Uint, type Value } from "../../../src/cel/values/value.ts";
import { call } from "./calls.ts";

const format = (text: string, ...list: readonly Value[]): Value =>
	call("string.format(list<A>) -> string", text, list);

test.each<[string, Value, string]>([
	["%s and %%", "a", "a and %"],
	["%d", 3.14, "3.14"],
	["%d", Number.NEGATIVE_INFINITY, "-Infinity"],
	["%d", new Uint(64n), "64"],
	["%.3d", 64n, "64"],
	["%f", 1n, "1.000000"],
	["%f", new Uint(1n), "1.000000"],
	["%.1f", 3.14, "3.1"],
	["%.0f", 2.5, "2"],
	["%.3f", 1.2345, "1.234"],
	["%.3f", 123.4999, "123.500"],
	["%e", 1n, "1.000000e+00"],
	["%.1e", -3.14, "-3.1e+00"],
	["%.6e", 1052.032911275, "1.052033e+03"],
	["%b", -5n, "-101"],
	["%b", true, "1"],
	["%o", new Uint(65_535n), "177777"],
	["%x", -255n, "-ff"],
	["%X", "Hello world!", "48656C6C6F20776F726C6421"],
	["%x", new Uint8Array([0, 255]), "00ff"],
])("%s of %s", (text, value, expected) => {
	expect(format(text, value)).toBe(expected);
});

test.each<[string, readonly Value[], string]>([
	["%a", [1n], "format: unknown clause %a; there are %s, %d, %f, %e, %b, %o, %x, %X and %%"],
	["%.2%", [1n], "format: unknown clause %.2%; there are %s, %d, %f, %e, %b, %o, %x, %X and %%"],
	["100%", [1n], 'format: "%" is no clause; write %% for a percent sign'],
	["%.f", [1], 'format: "%.f" is no clause; write %% for a percent sign'],
	["%5d", [1n], 'format: "%5d" is no clause; write %% for a percent sign'],
	["%d %d %d", [0n, 1n], "format: clause 3 has no value, the list has 2 elements"],
	["%d", [0n, 1n], "format: 1 clauses for a list of 2 elements"],
	["%b", ["abc"], "format: %b takes ints, uints and bools, not a string"],
	["%d", [new Duration(1, 0)], "format: %d takes numbers, not a google.protobuf.Duration"],
	["%o", [1], "format: %o takes ints and uints, not a double"],
	["%x", [0.5], "format: %x takes ints, uints, strings and bytes, not a double"],
	["%e", [null], "format: %e takes numbers, not a null_type"],
])("%s of %s is refused", (text, list, message) => {
	expect(format(text, ...list)).toBe(`failure: ${message}`);
});

interface Case {
	readonly text: string;
	readonly value: bigint | number | string;
	readonly expected: string;
}

/** Official cases with one literal as the only element. */
function simpleCases(suite: IncrementalTestSuite): Case[] {
	const own = suite.tests.flatMap(({ original }): Case[] => {
		const match = /^"([^"\\]*)"\.format\(\[(?:(-?[\d.]+)|"([^"\\]*)")\]\)$/.exec(original.expr);
		const { resultMatcher } = original;
		if (match === null || resultMatcher.case !== "value") return [];
		const { kind } = resultMatcher.value;
		if (kind.case !== "stringValue") return [];
		const [, text = "", number, string = ""] = match;
		const value =
			number === undefined ? string : number.includes(".") ? Number(number) : BigInt(number);
		return [{ text, value, expected: kind.value }];
	});
	return [...own, ...suite.suites.flatMap(simpleCases)];
}

test("official cases", () => {
	const cases = simpleCases(getConformanceSuite());
	expect(cases.length).toBeGreaterThan(20);
	for (const { text, value, expected } of cases) expect(format(text, value)).toBe(expected);
});

test("a text that would be too long is refused", () => {
	const long = "a".repeat(10_000);
	expect(format("%s".repeat(200), ...new Array<Value>(200).fill(long))).toContain(
		"failure: a text of more than",
	);
});

/** The same value here and in the library. */
type Pair = readonly [ours: Value, theirs: CelInput];

const same = (value: string | bigint | boolean | null): Pair => [value, value];
const flat: fc.Arbitrary<Pair> = fc.oneof(
	fc.string({ unit: fc.constantFrom("a", "%", "é", "😀"), maxLength: 4 }).map(same),
	fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(same),
	fc.constantFrom(true, false, null).map(same),
	fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((each): Pair => [new Uint(each), celUint(each)]),
	fc
		.uint8Array({ maxLength: 3 })
		.map((bytes): Pair => [bytes.map((each) => each & 127), bytes.map((each) => each & 127)]),
);
const pair: fc.Arbitrary<Pair> = fc.oneof(
	flat,
	fc
		.array(flat, { maxLength: 3 })
		.map((pairs): Pair => [pairs.map(([ours]) => ours), pairs.map(([, theirs]) => theirs)]),
);

test("property: what the library writes of all but doubles and maps, and it refuses what it refuses", () => {
	const theirs = plan(celEnv({ funcs: strings }), parse("text.format(list)"));
	const clause = fc.constantFrom(
		"%s",
		"%d",
		"%b",
		"%o",
		"%x",
		"%X",
		"%.2s",
		"%%",
		"a",
		"😀",
		"%q",
		"%",
	);
	fc.assert(
		fc.property(
			fc.array(clause, { maxLength: 4 }),
			fc.array(pair, { maxLength: 3 }),
			(clauses, pairs) => {
				const text = clauses.join("");
				const result = theirs({ text, list: pairs.map(([, each]) => each) });
				const ours = format(text, ...pairs.map(([each]) => each));
				if (typeof result === "string") expect(ours).toBe(result);
				else expect(ours).toContain("failure: format: ");
			},
		),
		{ numRuns: 2000 },
	);
});

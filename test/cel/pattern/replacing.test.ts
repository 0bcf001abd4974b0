/** Matches found by V8, as numbers and as replacements: the same, wherever a search ends. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findAll, replaceAll, replaceMatches } from "../../../src/cel/pattern/replacing.ts";

const marked = (groups: readonly (string | undefined)[]): string =>
	`[${groups.map((group) => group ?? "-").join("|")}]`;

describe("matches as numbers", () => {
	test("are begin and end of each and of its groups, -1 for one that took no part", () => {
		expect(findAll(/(a)|(b)c/dg, "abcx", 9)).toEqual([0, 1, 0, 1, -1, -1, 1, 3, -1, -1, 1, 2]);
		expect(findAll(/(x*)/dg, "ax", 9)).toEqual([0, 0, 0, 0, 1, 2, 1, 2]);
		expect(findAll(/z/dg, "ax", 9)).toEqual([]);
	});

	test("end where they are told to", () => {
		expect(findAll(/a/dg, "aaaa", 2)).toEqual([0, 1, 1, 2]);
	});

	test("don't begin within a pair of surrogates", () => {
		expect(findAll(/(?:)/dg, "😀a", 9)).toEqual([0, 0, 2, 2, 3, 3]);
	});
});

test("property: a text is the same replaced at once and from numbers", () => {
	const sources = fc.constantFrom("a", "(a)|(b)", "(a*)(b?)", "", "(?:(a)b)+", "(.)(c)?", "b*$");
	fc.assert(
		fc.property(sources, fc.string({ unit: fc.constantFrom(..."abc😀") }), (source, text) => {
			const found = findAll(new RegExp(source, "dg"), text, Infinity) ?? [];
			const groupCount = (new RegExp(`${source}|`).exec("")?.length ?? 1) - 1;
			const replaced = replaceAll(new RegExp(source, "g"), text, marked);
			expect(replaceMatches(text, marked, found, groupCount)).toBe(replaced);
			expect(replaced?.replace(/\[[^\]]*\]/g, "").length).toBeLessThanOrEqual(text.length);
		}),
	);
});

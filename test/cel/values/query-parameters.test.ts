/** Query parameters are decoded as forms are, and nothing makes decoding fail. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BUDGET } from "../../../src/cel/budget.ts";
import { parseQuery, queryParameters } from "../../../src/cel/values/query-parameters.ts";

test.each([
	["", []],
	[
		"a=1&b=2&a=3",
		[
			["a", ["1", "3"]],
			["b", ["2"]],
		],
	],
	["a+b=c%20d%2B", [["a b", ["c d+"]]]],
	[
		"flag&=x&&",
		[
			["flag", [""]],
			["", ["x"]],
		],
	],
	["?a=1", [["?a", ["1"]]]],
	[
		"a=%zz&b=%",
		[
			["a", ["%zz"]],
			["b", ["%"]],
		],
	],
	["%C3%A9=%F0%9F%98%80", [["é", ["😀"]]]],
	["a=%ff", [["a", ["\ufffd"]]]],
	[
		"__proto__=1&constructor=2",
		[
			["__proto__", ["1"]],
			["constructor", ["2"]],
		],
	],
])("%s", (query, expected) => {
	expect([...parseQuery(query)]).toEqual(expected);
});

/** As the platform reads a form. */
function byPlatform(query: string): (readonly [string, string[]])[] {
	const parameters = new URLSearchParams(`?${query}`);
	return [...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name)]);
}

test("property: as the platform reads it, decoded or not", () => {
	const unit = fc.constantFrom("a", "b", "=", "&", "?", ";", "é", "%41", "%", "+", "%C3%A9");
	for (const query of [
		fc.string({ unit }),
		fc.string({ unit: unit.filter((each) => !/[%+]/.test(each)) }),
	]) {
		fc.assert(
			fc.property(query, (text) => {
				expect([...parseQuery(text)]).toEqual(byPlatform(text));
			}),
			{ numRuns: 500 },
		);
	}
});

test("property: what is encoded comes back", () => {
	const text = fc.string({ unit: "grapheme" });
	fc.assert(
		fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
			const query = pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
			const expected = new Map<string, string[]>();
			for (const [name, value] of pairs) {
				expected.set(name, [...(expected.get(name) ?? []), value]);
			}
			expect([...parseQuery(query)]).toEqual([...expected]);
		}),
		{ examples: [[[["", ""]]]] },
	);
});

test("a name that is missing has the empty list; what is parsed is paid for", () => {
	const parameters = queryParameters("a=1&a=2");
	expect([parameters.get("a"), parameters.get("b"), parameters.has("b")]).toEqual([
		["1", "2"],
		[],
		false,
	]);
	BUDGET.left = 1000;
	try {
		expect(() => queryParameters("a&".repeat(1000)).size).toThrow("takes too long");
	} finally {
		BUDGET.left = Number.POSITIVE_INFINITY;
	}
});

/** Query parameters are decoded as forms are, and nothing makes decoding fail. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseQuery } from "../../src/cel/query.ts";

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

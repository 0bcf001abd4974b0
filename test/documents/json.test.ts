import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "../../src/documents/json.ts";
import { LIMITS } from "../../src/limits/limits.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const refusal = (text: string): string => {
	const parsed = parseJson(bytes(text));
	if (parsed.ok) throw new Error(`accepted: ${text}`);
	return `${parsed.error.line}:${parsed.error.column} ${parsed.error.message}`;
};

describe("refuses what is not strict JSON, with its place", () => {
	test.each([
		["", "1:1 the document is empty"],
		[" \r\n\t", "1:1 the document is empty"],
		['{"a":1,\n "a":2}', '2:2 duplicate key "a"'],
		['{"a":1,"\\u0061":2}', '1:8 duplicate key "a"'],
		['[{"a":{"b":1,"b":1}}]', '1:14 duplicate key "b"'],
		['{"__proto__":1}', '1:2 the key "__proto__" is not allowed'],
		['[{"\\u005f_proto__":{"x":1}}]', '1:3 the key "__proto__" is not allowed'],
		["[1e999]", "1:2 the number is too large"],
		["[0,-1e999]", "1:4 the number is too large"],
		['["\\ud800"]', "1:2 unpaired surrogate in a string"],
		['{"\\udc00":1}', "1:2 unpaired surrogate in a string"],
		['{"a":}', "1:6 expected a value"],
		["[1,]", "1:4 expected a value"],
		["[1 2]", '1:4 expected ","'],
		["{'a':1}", "1:2 this is no JSON value"],
		["// x\n1", "1:1 comments are not allowed in JSON"],
		["/* x */ 1", "1:1 comments are not allowed in JSON"],
		['"\u0001"', "1:1 control character in a string; write it as an escape"],
		['"abc', "1:1 the string has no end"],
		["01", "1:2 unexpected text after the document"],
		["NaN", "1:1 this is no JSON value"],
		["1 1", "1:3 unexpected text after the document"],
		["\ufeff1", "1:1 the text starts with a byte order mark; JSON has none"],
		["[1,\r\n2,\r3,\n x]", "4:2 this is no JSON value"],
	])("%j: %s", (text, expected) => {
		expect(refusal(text)).toBe(expected);
	});

	test.each([
		[[0x22, 0x61, 0xc3, 0x28, 0x22], "1:3 the text is not valid UTF-8"],
		[[0x5b, 0x0a, 0xff, 0x5d], "2:1 the text is not valid UTF-8"],
		[[0x22, 0xed, 0xa0, 0x80, 0x22], "1:2 the text is not valid UTF-8"],
		[[0x22, 0xe2, 0x82], "1:2 the text is not valid UTF-8"],
	])("bytes %j: %s", (input, expected) => {
		const parsed = parseJson(new Uint8Array(input));
		expect(
			parsed.ok ? "" : `${parsed.error.line}:${parsed.error.column} ${parsed.error.message}`,
		).toBe(expected);
	});
});

describe("nesting is bounded before a recursive parser sees it", () => {
	const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
	test("the bound itself is accepted, one more is refused", () => {
		expect(parseJson(bytes(nested(LIMITS.jsonDepth))).ok).toBe(true);
		expect(refusal(nested(LIMITS.jsonDepth + 1))).toBe(
			`1:${LIMITS.jsonDepth + 1} nested deeper than ${LIMITS.jsonDepth} levels`,
		);
	});
	test("a mebibyte of brackets stops at the bound, whatever follows", () => {
		for (const bracket of ["[", '{"a":', "[[{"]) {
			expect(refusal(bracket.repeat(1 << 18))).toContain("nested deeper");
		}
	});
	test("brackets in strings do not count", () => {
		expect(parseJson(bytes(JSON.stringify(`${"[".repeat(1000)}\\"${"{".repeat(1000)}`))).ok).toBe(
			true,
		);
	});
});

describe("agrees with JSON.parse", () => {
	test("accepts every document that JSON.stringify makes, and means the same", () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
				const text = JSON.stringify(value);
				fc.pre(!text.includes('"__proto__"') && !/\\ud[89a-f]/.test(text));
				const parsed = parseJson(bytes(text));
				expect(parsed.ok && JSON.stringify(parsed.value.value)).toBe(text);
			}),
		);
	});

	test("never throws and accepts nothing that JSON.parse refuses", () => {
		const fragment = fc.constantFrom(
			...'[]{},:"\\ \n\r\t09.-+eEu',
			"true",
			"null",
			'"a"',
			"/*",
			"//",
			"é",
		);
		fc.assert(
			fc.property(fc.array(fragment, { maxLength: 12 }), (fragments) => {
				const text = fragments.join("");
				const parsed = parseJson(bytes(text));
				let value: unknown;
				try {
					value = JSON.parse(text);
				} catch {
					expect(parsed.ok).toBe(false);
					return;
				}
				if (parsed.ok) expect(parsed.value.value).toEqual(value);
				else expect(parsed.error.message).toMatch(/duplicate key|too large/);
			}),
			{ numRuns: 2000 },
		);
	});

	test("never throws on any bytes", () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 64 }), (input) => {
				expect(typeof parseJson(input).ok).toBe("boolean");
			}),
		);
	});
});

describe("positionOf", () => {
	const parsed = parseJson(bytes('{\n "a": [1,\n  {"b/c": 3, "m~n": 4}],\n "e": 5}'));
	test.each([
		["", { line: 1, column: 1 }],
		["/a", { line: 2, column: 2 }],
		["/a/0", { line: 2, column: 8 }],
		["/a/1/b~1c", { line: 3, column: 4 }],
		["/a/1/m~0n", { line: 3, column: 14 }],
		["/e", { line: 4, column: 2 }],
		["/a/1/missing", { line: 3, column: 3 }],
		["/a/01", { line: 2, column: 2 }],
		["a", undefined],
		["/a~2", undefined],
	])("%j", (pointer, position) => {
		expect(parsed.ok && parsed.value.positionOf(pointer)).toEqual(position);
	});
});

test("a document can't pollute prototypes", () => {
	for (const text of ['{"constructor":{"prototype":{"x":1}}}', '{"__proto__":{"x":1}}']) {
		parseJson(bytes(text));
	}
	expect("x" in {}).toBe(false);
});

/** What `%s` writes of values of every kind. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { formattedText } from "../../../src/cel/library/format-text.ts";
import { entryMap } from "../../../src/cel/values/entry-map.ts";
import {
	Duration,
	Optional,
	RecordValue,
	Timestamp,
	TypeValue,
	Uint,
	type Value,
} from "../../../src/cel/values/value.ts";
import { charged, outcome } from "./calls.ts";

const bytes = (...values: readonly number[]): Uint8Array => new Uint8Array(values);

test.each<[string, Value]>([
	["text", "text"],
	["null", null],
	["true", true],
	["-9223372036854775808", -(2n ** 63n)],
	["18446744073709551615", new Uint(2n ** 64n - 1n)],
	["1000000000000000000000", 1e21],
	["0.0000001", 1e-7],
	["-0", -0],
	["1", 1],
	["NaN", Number.NaN],
	["-Infinity", Number.NEGATIVE_INFINITY],
	["2023-02-03T23:31:20Z", new Timestamp(1_675_467_080, 0)],
	["-1.5s", new Duration(-1, -500_000_000)],
	["int", new TypeValue("int")],
	["[]", []],
	["[a, [1, null], {}]", ["a", [1n, null], entryMap([])]],
	["{name: a, value: b}", new RecordValue({ value: "b", name: "a" })],
	[
		"{1: a, 2: b, true: NaN}",
		entryMap([
			[true, Number.NaN],
			[new Uint(2n), "b"],
			[1n, "a"],
		]),
	],
	["xyz", bytes(0x78, 0x79, 0x7a)],
	["a\ufffdb", bytes(0x61, 0xff, 0xfe, 0xc3, 0x62)],
	["\ufffd\ufffd\ufffd", bytes(0xff, 0xfe, 0xef, 0xbf, 0xbd, 0x80)],
	["\ufeff", bytes(0xef, 0xbb, 0xbf)],
])("%s", (text, value) => {
	expect(formattedText(value)).toBe(text);
});

test("keys stand in the order of their code points", () => {
	const map = entryMap(["😀", "\uffff", "a", "Z"].map((key) => [key, 1n]));
	expect(formattedText(map)).toBe("{Z: 1, a: 1, \uffff: 1, 😀: 1}");
});

test("property: bytes that are text are that text", () => {
	fc.assert(
		fc.property(fc.string({ unit: "grapheme" }), (text) => {
			expect(formattedText(new TextEncoder().encode(text))).toBe(text);
		}),
	);
});

test("an optional has no text", () => {
	expect(outcome(() => formattedText([Optional.NONE]))).toBe(
		"failure: format: %s takes no optional_type",
	);
});

test("lists of lists of one list are refused before they are written", () => {
	let value: Value = ["0123456789"];
	for (let depth = 0; depth < 40; depth++) value = [value, value];
	expect(outcome(() => formattedText(value))).toContain("failure: a text of more than");
	expect(charged(() => formattedText(value))).toBeLessThan(1e9);
});

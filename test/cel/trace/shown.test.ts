/** Values as an expression writes them, none of them without a bound. */
import { expect, it } from "vitest";
import { shownValue } from "../../../src/cel/trace/shown.ts";
import { mapFromStrings } from "../../../src/cel/values/entry-map.ts";
import {
	Duration,
	Optional,
	Timestamp,
	TypeValue,
	Uint,
	type Value,
} from "../../../src/cel/values/value.ts";
import { LIMITS } from "../../../src/limits/limits.ts";

it.each<[value: Value, text: string]>([
	['a\n"b', '"a\\n\\"b"'],
	[true, "true"],
	[null, "null"],
	[5n, "5"],
	[1.5, "1.5"],
	[2, "2.0"],
	[new Uint(7n), "7u"],
	[new Uint8Array([0, 255]), 'b"\\x00\\xff"'],
	[new Timestamp(0, 0), 'timestamp("1970-01-01T00:00:00Z")'],
	[new Duration(90, 0), 'duration("90s")'],
	[new TypeValue("int"), "int"],
	[Optional.NONE, "optional.none()"],
	[new Optional("x"), 'optional.of("x")'],
	[["a", 1n, ["b"]], '["a", 1, ["b"]]'],
	[mapFromStrings(new Map<string, Value>([["k", 1n]])), '{"k": 1}'],
])("%o", (value, text) => {
	expect(shownValue(value)).toBe(text);
});

it("is an int where one travels as a number", () => {
	expect(shownValue(5, true)).toBe("5");
});

it("cuts texts, lists and depth", () => {
	expect(shownValue("x".repeat(5000)).length).toBe(LIMITS.shownValueCharacters);
	expect(shownValue(Array.from({ length: 20 }, () => 1n))).toMatch(/^\[(?:1, ){16}…\]$/);
	const deep = Array.from({ length: 9 }).reduce<Value>((inner) => [inner], 1n);
	expect(shownValue(deep)).toBe("[[[[…]]]]");
});

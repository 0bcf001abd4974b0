/** What a template puts in the place of an expression. */
import { expect, test } from "vitest";
import { entryMap } from "../../../src/cel/values/entry-map.ts";
import { textOf } from "../../../src/cel/values/text.ts";
import {
	Duration,
	Optional,
	RecordValue,
	Timestamp,
	Uint,
	type Value,
} from "../../../src/cel/values/value.ts";
import { outcome } from "./samples.ts";

test.each<[Value, string]>([
	["a", "a"],
	[null, ""],
	[1n, "1"],
	[new Uint(2n), "2"],
	[1.5, "1.5"],
	[true, "true"],
	[Uint8Array.of(0xc3, 0xa9), "é"],
	[new Timestamp(0, 0), "1970-01-01T00:00:00Z"],
	[new Duration(5400, 0), "5400s"],
	[["a", null], '["a",null]'],
	[entryMap([["a", [1n]]]), '{"a":[1]}'],
	[new RecordValue({ name: "n" }), '{"name":"n"}'],
	[Optional.NONE, ""],
	[new Optional("a"), "a"],
	[new Optional(null), ""],
	[new Optional(new Optional(["a"])), '["a"]'],
])("%s", (value, text) => {
	expect(textOf(value)).toBe(text);
});

test("bytes that are no text fail", () => {
	expect(outcome(() => textOf(Uint8Array.of(0xff)))).toBe("failure");
});

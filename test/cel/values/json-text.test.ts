/** Lists and maps as JSON that every reader understands, bounded in depth, length and price. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BUDGET } from "../../../src/cel/budget.ts";
import { entryMap } from "../../../src/cel/values/entry-map.ts";
import { jsonOf } from "../../../src/cel/values/json-text.ts";
import { scalarText } from "../../../src/cel/values/scalar-text.ts";
import { isList } from "../../../src/cel/values/types.ts";
import {
	Duration,
	Optional,
	RecordValue,
	Timestamp,
	Uint,
	type Value,
	ValueMap,
} from "../../../src/cel/values/value.ts";
import { outcome, VALUES } from "./samples.ts";

/** What a reader of the JSON should find. */
function plain(value: Value): unknown {
	if (isList(value)) return value.map(plain);
	if (value instanceof ValueMap) {
		return Object.fromEntries(
			value.keys().map((key) => [scalarText(key), plain(value.get(key) ?? null)]),
		);
	}
	const integer = value instanceof Uint ? value.value : value;
	if (typeof integer === "bigint") {
		return Number.isSafeInteger(Number(integer)) ? Number(integer) : String(integer);
	}
	if (typeof value === "number") return Number.isFinite(value) ? value + 0 : scalarText(value);
	if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
	return value === null || typeof value === "boolean" ? value : scalarText(value);
}

test("property: a reader of JSON finds what was there", () => {
	fc.assert(
		fc.property(VALUES, (value) => {
			expect(JSON.parse(jsonOf(value))).toEqual(plain(value));
		}),
		{ numRuns: 1000 },
	);
});

test.each<[Value, string]>([
	[[], "[]"],
	[entryMap([]), "{}"],
	[
		entryMap([
			["b", [null, Number.NaN]],
			["a", 2n ** 60n],
			[1n, new Uint(1n)],
			["__proto__", true],
		]),
		'{"b":[null,"NaN"],"a":"1152921504606846976","1":1,"__proto__":true}',
	],
	[
		[new Timestamp(0, 0), new Duration(90, 0), Uint8Array.of(1, 2)],
		'["1970-01-01T00:00:00Z","90s","AQI="]',
	],
	[[Optional.NONE, new Optional([1n]), -0], "[null,[1],0]"],
	[new RecordValue({ name: 'a"\n', value: "\ud800" }), '{"name":"a\\"\\n","value":"\\ud800"}'],
])("%s", (value, text) => {
	expect(jsonOf(value)).toBe(text);
});

function nested(depth: number): Value {
	let value: Value = [];
	for (let level = 0; level < depth; level++) value = [value];
	return value;
}

test("depth, length and price are bounded", () => {
	expect(jsonOf(nested(60))).toBe(`${"[".repeat(61)}${"]".repeat(61)}`);
	expect(() => jsonOf(nested(100))).toThrow(
		expect.objectContaining({ message: "a value nested too deeply for JSON" }),
	);
	const text = "x".repeat(100_000);
	const bytes = new Uint8Array(100_000);
	for (const each of [text, bytes]) {
		expect(outcome(() => jsonOf(Array.from({ length: 20 }, () => each)))).toBe("failure");
	}
	for (const value of [Array.from({ length: 100 }, () => 1n), [text], [bytes]]) {
		BUDGET.left = 10_000;
		try {
			expect(() => jsonOf(value)).toThrow("takes too long");
		} finally {
			BUDGET.left = Number.POSITIVE_INFINITY;
		}
	}
});

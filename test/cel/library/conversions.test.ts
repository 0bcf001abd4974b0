/** Conversions keep the value or fail, by CEL's rules where JavaScript's differ. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BUDGET } from "../../../src/cel/budget.ts";
import { IMPLEMENTATIONS } from "../../../src/cel/library/table.ts";
import { typeOf } from "../../../src/cel/values/types.ts";
import { Duration, Timestamp, Uint, type Value } from "../../../src/cel/values/value.ts";
import {
	BYTES,
	byLibrary,
	DOUBLES,
	DURATIONS,
	described,
	INTS,
	outcome,
	SCALARS,
	TEXTS,
	TIMESTAMPS,
	UINTS,
} from "../values/samples.ts";

/** `timestamp` instead of the long name. */
const shortName = (value: Value): string =>
	typeOf(value)
		.name.replace(/^google\.protobuf\./, "")
		.toLowerCase();

/** Calls the overload whose parameter has the value's type, an int as a number where it asks for that. */
function convert(to: string, value: Value): Value {
	const type = to === "dyn" || to === "type" ? "A" : shortName(value);
	const implementation = IMPLEMENTATIONS.get(`${to}(${type}) -> ${to}`);
	if (implementation === undefined) throw new Error(`no ${to}(${type})`);
	const operand = implementation.smallInts && typeof value === "bigint" ? Number(value) : value;
	return (implementation.call as (operand: Value) => Value)(operand);
}

test("property: numbers to numbers as the library has it", () => {
	fc.assert(
		fc.property(INTS, UINTS, DOUBLES, (int, uint, double) => {
			expect(outcome(() => convert("int", uint))).toBe(byLibrary("int(a)", uint));
			expect(outcome(() => convert("int", double))).toBe(byLibrary("int(a)", double));
			expect(outcome(() => convert("uint", int))).toBe(byLibrary("uint(a)", int));
			expect(outcome(() => convert("uint", double))).toBe(byLibrary("uint(a)", double));
			expect(outcome(() => convert("double", int))).toBe(byLibrary("double(a)", int));
			expect(outcome(() => convert("double", uint))).toBe(byLibrary("double(a)", uint));
		}),
		{ numRuns: 1000 },
	);
});

const FROM_TEXT: readonly (readonly [string, fc.Arbitrary<Value>])[] = [
	["int", INTS],
	["uint", UINTS],
	["double", DOUBLES],
	["bool", fc.boolean()],
	["string", TEXTS],
	["bytes", TEXTS.map((text) => new TextEncoder().encode(text))],
	["timestamp", TIMESTAMPS],
	["duration", DURATIONS],
];

test("property: the text of a value is the value again", () => {
	fc.assert(
		fc.property(
			fc.oneof(...FROM_TEXT.map(([type, values]) => values.map((value) => [type, value] as const))),
			([type, value]) => {
				expect(described(convert(type, convert("string", value)))).toBe(described(value));
			},
		),
		{ numRuns: 2000 },
	);
});

test("property: what has the type already is left alone; sizes of results are as said", () => {
	fc.assert(
		fc.property(SCALARS, (value) => {
			const type = shortName(value);
			expect(convert("dyn", value)).toBe(value);
			if (value === null) return;
			expect(convert(type, value)).toBe(value);
			if (value instanceof Uint8Array) return;
			const text = convert("string", value);
			const said = IMPLEMENTATIONS.get(`string(${type}) -> string`)?.resultSize?.(1);
			if (typeof value !== "string") expect(String(text).length).toBeLessThanOrEqual(said ?? 0);
		}),
		{ numRuns: 1000 },
	);
});

test("property: bytes are a text or no UTF-8, as the library has it", () => {
	fc.assert(
		fc.property(BYTES, TEXTS, (bytes, text) => {
			// the library drops a byte order mark
			fc.pre(bytes[0] !== 0xef);
			expect(outcome(() => convert("string", bytes))).toBe(byLibrary("string(a)", bytes));
			expect(described(convert("bytes", text))).toBe(byLibrary("bytes(a)", text));
		}),
		{ numRuns: 500 },
	);
});

test.each<[string, Value, string]>([
	["int", "", "failure"],
	["int", " 1", "failure"],
	["int", "+1", "int 1"],
	["int", "0x10", "failure"],
	["int", "1.0", "failure"],
	["int", "1n", "failure"],
	["int", "-9223372036854775808", "int -9223372036854775808"],
	["int", "9223372036854775808", "failure"],
	["int", "0000000000000000000000001", "int 1"],
	["int", 1.9, "int 1"],
	["int", -7.9, "int -7"],
	["int", -0.5, "int 0"],
	["int", 2 ** 63, "failure"],
	["int", -(2 ** 63), "failure"],
	["int", 2 ** 63 - 1024, "int 9223372036854774784"],
	["int", Number.NaN, "failure"],
	["int", Number.NEGATIVE_INFINITY, "failure"],
	["int", new Uint(2n ** 63n), "failure"],
	["int", new Timestamp(-1, 999_999_999), "int -1"],
	["int", new Duration(-1, -999_999_999), "int -1"],
	["uint", "-1", "failure"],
	["uint", "+1", "uint 1"],
	["uint", "18446744073709551615", "uint 18446744073709551615"],
	["uint", "18446744073709551616", "failure"],
	["uint", -1n, "failure"],
	["uint", 25.5, "uint 25"],
	["uint", -0.5, "failure"],
	["uint", -0, "uint 0"],
	["uint", 2 ** 64, "failure"],
	["uint", Number.NaN, "failure"],
	["double", "", "failure"],
	["double", "x", "failure"],
	["double", ".", "failure"],
	["double", "1e400", "failure"],
	["double", "1.5e3", "double 1500"],
	["double", ".5", "double 0.5"],
	["double", "5.", "double 5"],
	["double", "NaN", "double NaN"],
	["double", "-Inf", "double -Infinity"],
	["double", "+infinity", "double Infinity"],
	["double", "0x10", "failure"],
	["double", "1".repeat(401), "failure"],
	["double", 2n ** 53n + 1n, "double 9007199254740992"],
	["string", 1, 'string "1"'],
	["string", new Duration(3600, 250_000_000), 'string "3600.25s"'],
	["string", Uint8Array.of(0, 0xff), "failure"],
	["timestamp", 1_700_000_000n, "timestamp 1700000000.0"],
	["timestamp", 253_402_300_800n, "failure"],
	["timestamp", -62_135_596_801n, "failure"],
	["timestamp", 2n ** 63n - 1n, "failure"],
	["timestamp", "2024-01-01", "failure"],
	["duration", "1h30m", "duration 5400.0"],
	["duration", "320000000000s", "failure"],
	["bool", "yes", "failure"],
	["bool", "TrUe", "failure"],
	["bool", "t", "bool true"],
	["bool", "1", "bool true"],
	["bool", "True", "bool true"],
	["bool", "FALSE", "bool false"],
	["bool", "f", "bool false"],
	["bytes", "\ud800", "bytes efbfbd"],
])("%s(%s) is %s", (to, value, expected) => {
	expect(outcome(() => convert(to, value))).toBe(expected);
});

test("failures say what could not be converted, shortly", () => {
	const message = (to: string, value: Value): unknown => {
		try {
			return convert(to, value);
		} catch (failure) {
			return failure instanceof Object && "message" in failure ? failure.message : failure;
		}
	};
	expect(message("int", "x")).toBe('"x" is not the text of an int');
	expect(message("bool", "y".repeat(1000))).toBe(`"${"y".repeat(50)}" is not the text of a bool`);
	expect(message("int", 1e99)).toBe("1e+99 is out of the range of int");
	expect(message("uint", -1n)).toBe("-1 is out of the range of uint");
});

test("type() is a type, long texts are paid for", () => {
	expect(described(convert("type", 1n))).toBe("type int");
	BUDGET.left = 1000;
	try {
		expect(() => convert("bytes", "x".repeat(1000))).toThrow("takes too long");
	} finally {
		BUDGET.left = Number.POSITIVE_INFINITY;
	}
});

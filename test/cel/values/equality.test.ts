/** Equality is exact across kinds of numbers, and reflexive but for NaN. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BUDGET } from "../../../src/cel/budget.ts";
import { entryMap } from "../../../src/cel/values/entry-map.ts";
import { bytesEqual, equals } from "../../../src/cel/values/equality.ts";
import { headerMap } from "../../../src/cel/values/request-maps.ts";
import { typeOf } from "../../../src/cel/values/types.ts";
import {
	Duration,
	Optional,
	RecordValue,
	Timestamp,
	Uint,
	type Value,
} from "../../../src/cel/values/value.ts";
import { headerLines } from "../attributes.ts";
import { byLibrary, described, NUMBERS, SCALARS, VALUES } from "./samples.ts";

const exact = (value: Value): bigint | undefined => {
	if (value instanceof Uint) return value.value;
	if (typeof value === "bigint") return value;
	return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : undefined;
};

test("property: numbers are equal if they are the same number, whatever their kind", () => {
	fc.assert(
		fc.property(NUMBERS, NUMBERS, (a, b) => {
			const same = typeof a === "number" && typeof b === "number" ? a === b : undefined;
			const [left, right] = [exact(a), exact(b)];
			expect(equals(a, b)).toBe(same ?? (left !== undefined && left === right));
		}),
		{ numRuns: 2000 },
	);
});

test("property: as the library has it, and the same from both sides", () => {
	const pairs = fc.oneof(
		fc.tuple(VALUES, VALUES),
		fc.tuple(SCALARS, SCALARS),
		VALUES.map((value) => [value, value] as const),
	);
	fc.assert(
		fc.property(pairs, ([a, b]) => {
			const result = equals(a, b);
			expect(equals(b, a)).toBe(result);
			const text = `${described(a)} ${described(b)}`;
			// the library takes what is the same object for equal, NaN in it or not
			if (!text.includes("NaN")) expect(`bool ${result}`).toBe(byLibrary("a == b", a, b));
		}),
		{ numRuns: 1000 },
	);
});

test("NaN is not itself, in lists and maps too", () => {
	const list = [Number.NaN];
	expect(equals(Number.NaN, Number.NaN)).toBe(false);
	expect(equals(list, list)).toBe(false);
	expect(equals(entryMap([["a", Number.NaN]]), entryMap([["a", Number.NaN]]))).toBe(false);
	expect(equals(0, -0)).toBe(true);
});

test("what has no text in the library", () => {
	const one = new Optional(1n);
	expect([equals(one, new Optional(1)), equals(one, Optional.NONE), equals(one, 1n)]).toEqual([
		true,
		false,
		false,
	]);
	expect(equals(Optional.NONE, new Optional(undefined))).toBe(true);
	expect(equals(typeOf(1n), typeOf(2n))).toBe(true);
	expect(equals(typeOf(1n), typeOf(2))).toBe(false);
	expect(equals(new Timestamp(1, 2), new Duration(1, 2))).toBe(false);
	expect(equals(new Duration(1, 2), new Timestamp(1, 2))).toBe(false);
	expect(equals(new Duration(1, 2), new Duration(1, 2))).toBe(true);
	expect(equals(new RecordValue({ a: 1n }), entryMap([["a", 1]]))).toBe(true);
});

test("a map that answers for missing names equals only what has its names", () => {
	const headers = headerMap(headerLines([["a", "1"]]));
	expect(equals(headers, entryMap([["a", ["1"]]]))).toBe(true);
	expect(equals(headers, entryMap([["b", []]]))).toBe(false);
	expect(equals(entryMap([["b", []]]), headers)).toBe(false);
	expect(equals(headerMap(headerLines([])), entryMap([]))).toBe(true);
});

test("bytes", () => {
	expect(bytesEqual(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
	expect(bytesEqual(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
	expect(bytesEqual(Uint8Array.of(1), Uint8Array.of(1, 2))).toBe(false);
});

test("elements are paid for before they are compared, long texts and bytes too", () => {
	const list = Array.from({ length: 1000 }, (_, index) => BigInt(index));
	const map = entryMap(list.map((key) => [key, key]));
	const text = "x".repeat(1000);
	for (const value of [list, map, text, new Uint8Array(1000)]) {
		BUDGET.left = 100;
		try {
			expect(() => equals(value, structuredCopy(value))).toThrow("takes too long");
		} finally {
			BUDGET.left = Number.POSITIVE_INFINITY;
		}
	}
	// nothing to compare where sizes differ
	BUDGET.left = 100;
	try {
		expect(equals(list, list.slice(1))).toBe(false);
		expect(equals(text, `${text}y`)).toBe(false);
	} finally {
		BUDGET.left = Number.POSITIVE_INFINITY;
	}
});

const structuredCopy = (value: Value): Value => (Array.isArray(value) ? [...value] : value);

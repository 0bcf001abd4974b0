/** The order is total on what can be compared, by code points for texts. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BUDGET } from "../../../src/cel/budget.ts";
import { equals } from "../../../src/cel/values/equality.ts";
import { compare, compareBytes, compareText } from "../../../src/cel/values/order.ts";
import { Optional, Uint, type Value } from "../../../src/cel/values/value.ts";
import {
	BYTES,
	byLibrary,
	DURATIONS,
	NUMBERS,
	outcome,
	SCALARS,
	TEXTS,
	TIMESTAMPS,
} from "./samples.ts";

const KINDS: readonly fc.Arbitrary<Value>[] = [
	fc.boolean(),
	// beside a double an int is rounded, so that doubles stand apart
	NUMBERS.filter((value) => typeof value !== "number"),
	NUMBERS.filter((value) => typeof value === "number" && !Number.isNaN(value)),
	TEXTS,
	BYTES,
	TIMESTAMPS,
	DURATIONS,
];

test("property: total, transitive, and in agreement with equality", () => {
	const triples = fc.oneof(...KINDS.map((kind) => fc.tuple(kind, kind, kind)));
	fc.assert(
		fc.property(triples, ([a, b, c]) => {
			const order = compare(a, b);
			expect([-1, 0, 1]).toContain(order);
			expect(compare(b, a) + order).toBe(0);
			expect(order === 0).toBe(equals(a, b));
			const sorted = [a, b, c].toSorted(compare);
			for (const [left, right] of [
				[sorted[0], sorted[1]],
				[sorted[1], sorted[2]],
				[sorted[0], sorted[2]],
			]) {
				expect(compare(left ?? null, right ?? null)).toBeLessThanOrEqual(0);
			}
		}),
		{ numRuns: 2000 },
	);
});

test("property: as the library has it, but for texts, and its failures are ours", () => {
	const pairs = fc.oneof(fc.tuple(SCALARS, SCALARS), fc.tuple(NUMBERS, NUMBERS));
	fc.assert(
		fc.property(pairs, ([a, b]) => {
			if (typeof a === "string" && typeof b === "string") return;
			expect(outcome(() => compare(a, b) < 0)).toBe(byLibrary("a < b", a, b));
			expect(outcome(() => compare(a, b) >= 0)).toBe(byLibrary("a >= b", a, b));
		}),
		{ numRuns: 1000 },
	);
});

test("property: texts are ordered as their code points are", () => {
	const points = (text: string): number[] => [...text].map((each) => each.codePointAt(0) ?? 0);
	const byPoints = (a: readonly number[], b: readonly number[]): number => {
		const at = a.findIndex((point, index) => point !== b[index]);
		if (at < 0) return a.length < b.length ? -1 : 0;
		return (a[at] ?? 0) < (b[at] ?? -1) ? -1 : 1;
	};
	fc.assert(
		fc.property(TEXTS, TEXTS, TEXTS, (prefix, a, b) => {
			for (const [left, right] of [
				[a, b],
				[prefix + a, prefix + b],
				[prefix, prefix + a],
			] as const) {
				expect(compareText(left, right)).toBe(byPoints(points(left), points(right)));
			}
		}),
		{ numRuns: 2000 },
	);
});

test.each<[Value, Value, number]>([
	["\uffff", "\u{10000}", -1],
	["", "a", -1],
	[2n ** 53n + 1n, 2n ** 53n, 1],
	[2n ** 53n + 1n, 2 ** 53, 0],
	[new Uint(2n ** 64n - 1n), 2 ** 64, 0],
	[-1n, new Uint(0n), -1],
	[-0, 0, 0],
	[1n, Number.NaN, Number.NaN],
	[Number.NaN, Number.NaN, Number.NaN],
	[false, true, -1],
	[Uint8Array.of(1), Uint8Array.of(1, 0), -1],
])("compare(%s, %s) is %s", (a, b, order) => {
	expect(compare(a, b)).toBe(order);
});

test("kinds without an order are told", () => {
	expect(() => compare([1n], [2n])).toThrow(
		expect.objectContaining({ message: "no matching overload for list < list" }),
	);
	expect(outcome(() => compare(null, null))).toBe("failure");
	expect(outcome(() => compare(Optional.NONE, Optional.NONE))).toBe("failure");
	expect(outcome(() => compare(1n, "1"))).toBe("failure");
});

test("long operands are paid for", () => {
	const text = "\uffff".repeat(1000);
	const bytes = new Uint8Array(100_000);
	for (const compareLong of [
		() => compareText(text, `${text}a`),
		() => compareBytes(bytes, bytes),
	]) {
		BUDGET.left = 1000;
		try {
			expect(compareLong).toThrow("takes too long");
		} finally {
			BUDGET.left = Number.POSITIVE_INFINITY;
		}
	}
});

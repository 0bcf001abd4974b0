/** Operators on values of unknown kinds find CEL's overload, or say that there is none. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
	add,
	divide,
	modulo,
	multiply,
	negate,
	subtract,
} from "../../../src/cel/values/arithmetic.ts";
import { equals } from "../../../src/cel/values/equality.ts";
import { INT_MAX, INT_MIN } from "../../../src/cel/values/integers.ts";
import { Uint, type Value } from "../../../src/cel/values/value.ts";
import { byLibrary, DURATIONS, INTS, outcome, TIMESTAMPS, UINTS, VALUES } from "./samples.ts";

const OPERATORS: readonly (readonly [string, (a: Value, b: Value) => Value])[] = [
	["+", add],
	["-", subtract],
	["*", multiply],
	["/", divide],
	["%", modulo],
];

/** Most pairs are of kinds that go together. */
const PAIRS = fc.oneof(
	fc.tuple(VALUES, VALUES),
	...[INTS, UINTS, fc.oneof(TIMESTAMPS, DURATIONS)].map((kind: fc.Arbitrary<Value>) =>
		fc.tuple(kind, kind),
	),
);

test("property: results and failures are the library's", () => {
	fc.assert(
		fc.property(PAIRS, ([a, b]) => {
			for (const [symbol, operator] of OPERATORS) {
				// the library bounds quotients of uints as if they were ints
				if (symbol === "/" && a instanceof Uint && a.value > INT_MAX) continue;
				// and has a rest where the quotient overflows
				if (symbol === "%" && a === INT_MIN && b === -1n) continue;
				expect(outcome(() => operator(a, b))).toBe(byLibrary(`a ${symbol} b`, a, b));
			}
			expect(outcome(() => negate(a))).toBe(byLibrary("-a", a));
		}),
		{ numRuns: 1000 },
	);
});

test("property: what is added can be taken away, if nothing overflows", () => {
	const kinds = [INTS, UINTS, DURATIONS];
	const pairs = fc.oneof(
		...kinds.map((kind: fc.Arbitrary<Value>) => fc.tuple(kind, kind)),
		fc.tuple(TIMESTAMPS, DURATIONS),
	);
	fc.assert(
		fc.property(pairs, ([a, b]) => {
			fc.pre(outcome(() => add(a, b)) !== "failure");
			expect(equals(subtract(add(a, b), b), a)).toBe(true);
			expect(equals(add(a, b), add(b, a))).toBe(true);
		}),
		{ numRuns: 1000 },
	);
});

test("a missing overload is told by its types", () => {
	expect(() => add(1n, 1)).toThrow(
		expect.objectContaining({ message: "no matching overload for int + double" }),
	);
	expect(() => modulo(1, 1)).toThrow(
		expect.objectContaining({ message: "no matching overload for double % double" }),
	);
	expect(() => negate(false)).toThrow(
		expect.objectContaining({ message: "no matching overload for -bool" }),
	);
});

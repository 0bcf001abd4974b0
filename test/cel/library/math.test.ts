/** The math extension: extremes across kinds of numbers, rounding, and bits of 64-bit integers. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { compare } from "../../../src/cel/values/order.ts";
import { Uint, type Value } from "../../../src/cel/values/value.ts";
import { call } from "./calls.ts";

const int = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const uint = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => new Uint(value));
const double = fc.double({ noNaN: true });
const number: fc.Arbitrary<Value> = fc.oneof(
	int,
	uint,
	double,
	fc.constantFrom<Value>(1n, new Uint(1n), 1, 0, -0, 2n ** 53n + 1n, 2 ** 53),
);

test("property: the greatest is in the list and nothing in it is greater; the least likewise", () => {
	fc.assert(
		fc.property(fc.array(number, { minLength: 1, maxLength: 6 }), (numbers) => {
			const greatest = call("math.@max(list<int>) -> int", numbers);
			const least = call("math.@min(list<double>) -> double", numbers);
			expect(numbers).toContain(greatest);
			expect(numbers).toContain(least);
			for (const each of numbers) {
				expect(compare(each, greatest)).toBeLessThanOrEqual(0);
				expect(compare(each, least)).toBeGreaterThanOrEqual(0);
			}
			const [first = 0n, second = first] = numbers;
			const pair = call("math.@max(int, double) -> dyn", first, second);
			expect(pair).toBe(call("math.@max(list<int>) -> int", [first, second]));
			// of equal ones the first, whatever its kind
			if (compare(first, second) === 0) expect(pair).toBe(first);
		}),
	);
});

test.each<[string, Value[], string]>([
	["math.@max(list<int>) -> int", [[]], "math.greatest of an empty list"],
	["math.@min(list<int>) -> int", [["a"]], "no matching overload for math.least(string)"],
	["math.@min(list<int>) -> int", [[1n, "a"]], "no matching overload for math.least(string)"],
	[
		"math.@max(double, double) -> double",
		[1, Number.NaN],
		"math.greatest: NaN is neither more nor less",
	],
	[
		"math.abs(int) -> int",
		[-(2n ** 63n)],
		"int overflow: math.abs(-9223372036854775808) does not fit into 64 bits",
	],
	[
		"math.bitShiftLeft(uint, int) -> uint",
		[new Uint(1n), -1n],
		"math.bitShiftLeft: the offset -1 is negative",
	],
	[
		"math.bitShiftRight(int, int) -> int",
		[1n, -2n],
		"math.bitShiftRight: the offset -2 is negative",
	],
])("%s is refused", (signature, operands, message) => {
	expect(call(signature, ...operands)).toBe(`failure: ${message}`);
});

test.each([
	["round", -1.5, -2],
	["round", 1.5, 2],
	["round", -0.5, -1],
	["round", 0.49999999999999994, 0],
	["round", -0.2, -0],
	["round", 2 ** 53 + 2, 2 ** 53 + 2],
	["trunc", -1.2, -1],
	["ceil", -1.2, -1],
	["floor", -1.2, -2],
	["sign", -32, -1],
	["sign", -0, 0],
	["abs", -11.5, 11.5],
	["sqrt", 49, 7],
	["round", Number.NaN, Number.NaN],
	["sign", Number.NaN, Number.NaN],
	["sqrt", -1, Number.NaN],
])("math.%s(%s) is %s", (name, value, expected) => {
	expect(call(`math.${name}(double) -> double`, value)).toBe(expected);
});

test("kinds of doubles", () => {
	const kinds = (value: number): Value[] =>
		["isNaN", "isInf", "isFinite"].map((name) => call(`math.${name}(double) -> bool`, value));
	expect(kinds(1.5)).toEqual([false, false, true]);
	expect(kinds(Number.NEGATIVE_INFINITY)).toEqual([false, true, false]);
	expect(kinds(Number.NaN)).toEqual([true, false, false]);
});

test("signs and sizes of integers", () => {
	const signs = [-5n, 0n, 7n].map((value) => call("math.sign(int) -> int", value));
	expect(signs).toEqual([-1n, 0n, 1n]);
	expect(call("math.sign(uint) -> uint", new Uint(9n))).toEqual(new Uint(1n));
	expect(call("math.abs(int) -> int", -11n)).toBe(11n);
	expect(call("math.abs(uint) -> uint", new Uint(1n))).toEqual(new Uint(1n));
	expect(call("math.sqrt(int) -> double", 49n)).toBe(7);
	expect(call("math.sqrt(uint) -> double", new Uint(2n ** 64n - 1n))).toBe(2 ** 32);
});

test("property: bits of ints and uints are those of 64-bit machines", () => {
	const machine = (value: bigint): bigint => BigInt.asIntN(64, value);
	const unsigned = (value: Value): bigint => (value instanceof Uint ? value.value : -1n);
	fc.assert(
		fc.property(int, int, fc.bigInt({ min: 0n, max: 100n }), (a, b, by) => {
			const [ua, ub] = [BigInt.asUintN(64, a), BigInt.asUintN(64, b)];
			for (const name of ["And", "Or", "Xor"]) {
				const signedResult = call(`math.bit${name}(int, int) -> int`, a, b);
				const result = call(`math.bit${name}(uint, uint) -> uint`, new Uint(ua), new Uint(ub));
				// the same bits, read in two ways
				expect(machine(unsigned(result))).toBe(signedResult);
			}
			const and = call("math.bitAnd(int, int) -> int", a, b);
			const or = call("math.bitOr(int, int) -> int", a, b);
			const xor = call("math.bitXor(int, int) -> int", a, b);
			expect(machine(BigInt(String(and)) + BigInt(String(or)))).toBe(machine(a + b));
			expect(call("math.bitXor(int, int) -> int", xor, b)).toBe(a);
			expect(call("math.bitNot(int) -> int", a)).toBe(-a - 1n);
			expect(call("math.bitNot(uint) -> uint", new Uint(ua))).toEqual(
				new Uint(2n ** 64n - 1n - ua),
			);
			expect(call("math.bitShiftLeft(int, int) -> int", a, by)).toBe(machine(a * 2n ** by));
			expect(call("math.bitShiftLeft(uint, int) -> uint", new Uint(ua), by)).toEqual(
				new Uint((ua * 2n ** by) % 2n ** 64n),
			);
			expect(call("math.bitShiftRight(int, int) -> int", a, by)).toBe(machine(ua / 2n ** by));
			expect(call("math.bitShiftRight(uint, int) -> uint", new Uint(ua), by)).toEqual(
				new Uint(ua / 2n ** by),
			);
		}),
	);
});

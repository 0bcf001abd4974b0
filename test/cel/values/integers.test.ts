/** 64-bit arithmetic gives what mathematics gives, or fails. */
import fc from "fast-check";
import { expect, test } from "vitest";
import * as integers from "../../../src/cel/values/integers.ts";
import { Uint, type Value } from "../../../src/cel/values/value.ts";
import { described, INTS, outcome, UINTS } from "./samples.ts";

const { INT_MAX, INT_MIN, UINT_MAX } = integers;

/** The mathematical result if it fits, described. */
const int = (value: bigint): string =>
	value > INT_MAX || value < INT_MIN ? "failure" : described(value);
const uint = (value: bigint): string =>
	value > UINT_MAX || value < 0n ? "failure" : described(new Uint(value));

test("property: results of int are exact or failures", () => {
	fc.assert(
		fc.property(INTS, INTS, (a, b) => {
			expect(outcome(() => integers.addInt(a, b))).toBe(int(a + b));
			expect(outcome(() => integers.subtractInt(a, b))).toBe(int(a - b));
			expect(outcome(() => integers.multiplyInt(a, b))).toBe(int(a * b));
			expect(outcome(() => integers.divideInt(a, b))).toBe(b === 0n ? "failure" : int(a / b));
			const fits = b !== 0n && a / b <= INT_MAX;
			expect(outcome(() => integers.moduloInt(a, b))).toBe(fits ? int(a % b) : "failure");
			expect(outcome(() => integers.negateInt(a))).toBe(int(-a));
		}),
		{ numRuns: 2000 },
	);
});

test("property: results of uint are exact or failures", () => {
	fc.assert(
		fc.property(UINTS, UINTS, (a, b) => {
			const [x, y] = [a.value, b.value];
			expect(outcome(() => integers.addUint(a, b))).toBe(uint(x + y));
			expect(outcome(() => integers.subtractUint(a, b))).toBe(uint(x - y));
			expect(outcome(() => integers.multiplyUint(a, b))).toBe(uint(x * y));
			expect(outcome(() => integers.divideUint(a, b))).toBe(y === 0n ? "failure" : uint(x / y));
			expect(outcome(() => integers.moduloUint(a, b))).toBe(y === 0n ? "failure" : uint(x % y));
		}),
		{ numRuns: 2000 },
	);
});

const message = (call: () => Value): string => {
	try {
		return described(call());
	} catch (failure) {
		return failure instanceof Object && "message" in failure ? String(failure.message) : "";
	}
};

test("failures say what was asked for", () => {
	expect(message(() => integers.addInt(INT_MAX, 1n))).toBe(
		`int overflow: ${INT_MAX} + 1 does not fit into 64 bits`,
	);
	expect(message(() => integers.subtractUint(new Uint(0n), new Uint(1n)))).toBe(
		"uint overflow: 0 - 1 does not fit into 64 bits",
	);
	expect(message(() => integers.moduloInt(INT_MIN, -1n))).toBe(
		`int overflow: ${INT_MIN} % -1 does not fit into 64 bits`,
	);
	expect(message(() => integers.divideInt(15n, 0n))).toBe("division by zero: 15 / 0");
	expect(message(() => integers.moduloUint(new Uint(3n), new Uint(0n)))).toBe(
		"division by zero: 3 % 0",
	);
});

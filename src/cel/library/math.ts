/**
 * The math extension of CEL: extremes, rounding, signs, bits and roots. Joined by `table.ts`;
 * `math.greatest` and `math.least` are macros that end here as `math.@max` and `math.@min`.
 */
import { charge } from "../budget.ts";
import { EvaluationFailure } from "../expression.ts";
import { INT_MIN } from "../values/integers.ts";
import { noFunction } from "../values/no-overload.ts";
import { compareNumbers } from "../values/order.ts";
import { Uint, type Value } from "../values/value.ts";
import type { Implementation, Implementations } from "./implementation.ts";

const NUMBERS = ["int", "uint", "double"];
/** Nanoseconds to compare with one more number. */
const COMPARISON_NS = 30;

function numberOf(value: Value, name: string): number | bigint {
	if (typeof value === "number" || typeof value === "bigint") return value;
	if (value instanceof Uint) return value.value;
	throw noFunction(name, [value]);
}

/** Of equal ones the first. */
function further(name: string, sign: 1 | -1, a: Value, b: Value): Value {
	const order = compareNumbers(numberOf(b, name), numberOf(a, name));
	if (Number.isNaN(order)) throw new EvaluationFailure(`${name}: NaN is neither more nor less`);
	return order === sign ? b : a;
}

function furthest(name: string, sign: 1 | -1, list: readonly Value[]): Value {
	charge(list.length * COMPARISON_NS);
	const [first, ...others] = list;
	if (first === undefined) throw new EvaluationFailure(`${name} of an empty list`);
	numberOf(first, name);
	return others.reduce((found, each) => further(name, sign, found, each), first);
}

/** @param internal what the macro of this name becomes */
function extremes(internal: string, name: string, sign: 1 | -1): Implementations {
	const alone: Implementation = {
		call: (value: Value) => value,
		fails: false,
		resultSize: () => 1,
	};
	const pair: Implementation = {
		call: (a: Value, b: Value) => further(name, sign, a, b),
		fails: true,
		cost: () => 100,
		resultSize: () => 1,
	};
	const list: Implementation = {
		call: (values: readonly Value[]) => furthest(name, sign, values),
		fails: true,
		cost: (elements = 0) => 100 + 2 * COMPARISON_NS * elements,
		resultSize: () => 1,
	};
	return Object.fromEntries([
		...NUMBERS.map((type) => [`${internal}(${type}) -> ${type}`, alone] as const),
		...NUMBERS.map((type) => [`${internal}(list<${type}>) -> ${type}`, list] as const),
		...NUMBERS.flatMap((left) =>
			NUMBERS.map((right) => {
				const result = left === right ? left : "dyn";
				return [`${internal}(${left}, ${right}) -> ${result}`, pair] as const;
			}),
		),
	]);
}

/** Halves away from zero. */
const round = (value: number): number => (value < 0 ? -Math.round(-value) : Math.round(value));

/** NaN of NaN. */
function signOf(value: number): number {
	if (value > 0) return 1;
	return value < 0 ? -1 : value + 0;
}

function absolute(value: bigint): bigint {
	if (value === INT_MIN) {
		throw new EvaluationFailure(`int overflow: math.abs(${value}) does not fit into 64 bits`);
	}
	return value < 0n ? -value : value;
}

const signOfInt = (value: bigint): bigint => {
	if (value === 0n) return 0n;
	return value < 0n ? -1n : 1n;
};

const INT_BITS = 64;
const asInt = (value: bigint): bigint => BigInt.asIntN(INT_BITS, value);
const asUint = (value: bigint): bigint => BigInt.asUintN(INT_BITS, value);

/** Shifting by more than all bits leaves none. @throws EvaluationFailure if negative */
function shift(name: string, by: bigint): bigint {
	if (by < 0n) throw new EvaluationFailure(`${name}: the offset ${by} is negative`);
	return by > INT_BITS ? BigInt(INT_BITS) : by;
}

const LEFT = "math.bitShiftLeft";
const RIGHT = "math.bitShiftRight";
const shiftLeft = (value: bigint, by: bigint): bigint => value << shift(LEFT, by);
/** Zeros come in from the left, even if the int is negative. */
const shiftRight = (value: bigint, by: bigint): bigint => asUint(value) >> shift(RIGHT, by);

const simple = (call: Implementation["call"]): Implementation => ({
	call,
	fails: false,
	cost: () => 60,
});
const failing = (call: Implementation["call"]): Implementation => ({
	...simple(call),
	fails: true,
});

/** A function of ints, and the same of uints. */
const uints = (call: (a: bigint, b: bigint) => bigint): Implementation =>
	simple((a: Uint, b: Uint) => new Uint(call(a.value, b.value)));

const and = (a: bigint, b: bigint): bigint => a & b;
const or = (a: bigint, b: bigint): bigint => a | b;
const xor = (a: bigint, b: bigint): bigint => a ^ b;

export const MATH: Implementations = {
	...extremes("math.@max", "math.greatest", 1),
	...extremes("math.@min", "math.least", -1),
	"math.ceil(double) -> double": simple(Math.ceil),
	"math.floor(double) -> double": simple(Math.floor),
	"math.round(double) -> double": simple(round),
	"math.trunc(double) -> double": simple(Math.trunc),
	"math.isNaN(double) -> bool": simple(Number.isNaN),
	"math.isFinite(double) -> bool": simple(Number.isFinite),
	"math.isInf(double) -> bool": simple(
		(value: number) => !Number.isFinite(value) && !Number.isNaN(value),
	),
	"math.abs(int) -> int": failing(absolute),
	"math.abs(uint) -> uint": simple((value: Uint) => value),
	"math.abs(double) -> double": simple(Math.abs),
	"math.sign(int) -> int": simple(signOfInt),
	"math.sign(uint) -> uint": simple((value: Uint) => new Uint(signOfInt(value.value))),
	"math.sign(double) -> double": simple(signOf),
	"math.sqrt(int) -> double": simple((value: bigint) => Math.sqrt(Number(value))),
	"math.sqrt(uint) -> double": simple((value: Uint) => Math.sqrt(Number(value.value))),
	"math.sqrt(double) -> double": simple(Math.sqrt),
	"math.bitAnd(int, int) -> int": simple(and),
	"math.bitAnd(uint, uint) -> uint": uints(and),
	"math.bitOr(int, int) -> int": simple(or),
	"math.bitOr(uint, uint) -> uint": uints(or),
	"math.bitXor(int, int) -> int": simple(xor),
	"math.bitXor(uint, uint) -> uint": uints(xor),
	"math.bitNot(int) -> int": simple((value: bigint) => ~value),
	"math.bitNot(uint) -> uint": simple((value: Uint) => new Uint(asUint(~value.value))),
	"math.bitShiftLeft(int, int) -> int": failing((value: bigint, by: bigint) =>
		asInt(shiftLeft(value, by)),
	),
	"math.bitShiftLeft(uint, int) -> uint": failing(
		(value: Uint, by: bigint) => new Uint(asUint(shiftLeft(value.value, by))),
	),
	"math.bitShiftRight(int, int) -> int": failing((value: bigint, by: bigint) =>
		asInt(shiftRight(value, by)),
	),
	"math.bitShiftRight(uint, int) -> uint": failing(
		(value: Uint, by: bigint) => new Uint(shiftRight(value.value, by)),
	),
};

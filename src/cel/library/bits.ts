/** Bits of ints and uints (math extension of CEL). Joined by `math.ts`. */
import { EvaluationFailure } from "../expression.ts";
import { Uint } from "../values/value.ts";
import type { FunctionDefinition, Implementation } from "./definition.ts";

/** Nanoseconds of any of these. */
const BITS_NS = 60;

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
	cost: () => BITS_NS,
});
const failing = (call: Implementation["call"]): Implementation => ({
	...simple(call),
	fails: true,
});

/** A function of two ints, and the same of two uints. */
const ofBoth = (
	name: string,
	doc: string,
	example: readonly [string, string],
	call: (a: bigint, b: bigint) => bigint,
): FunctionDefinition => ({
	name,
	doc,
	examples: [example],
	overloads: {
		[`${name}(int, int) -> int`]: simple(call),
		[`${name}(uint, uint) -> uint`]: simple((a: Uint, b: Uint) => new Uint(call(a.value, b.value))),
	},
});

export const BITS: readonly FunctionDefinition[] = [
	ofBoth("math.bitAnd", "The bits that both have.", ["math.bitAnd(6, 3)", "2"], (a, b) => a & b),
	ofBoth(
		"math.bitOr",
		"The bits that one of them has.",
		["math.bitOr(6, 3)", "7"],
		(a, b) => a | b,
	),
	ofBoth(
		"math.bitXor",
		"The bits that only one of them has.",
		["math.bitXor(6, 3)", "5"],
		(a, b) => a ^ b,
	),
	{
		name: "math.bitNot",
		doc: "The bits that it has not.",
		examples: [["math.bitNot(1)", "-2"]],
		overloads: {
			"math.bitNot(int) -> int": simple((value: bigint) => ~value),
			"math.bitNot(uint) -> uint": simple((value: Uint) => new Uint(asUint(~value.value))),
		},
	},
	{
		name: LEFT,
		doc: "The bits moved to the left. Fails for a negative number of places.",
		examples: [["math.bitShiftLeft(1, 4)", "16"]],
		overloads: {
			"math.bitShiftLeft(int, int) -> int": failing((value: bigint, by: bigint) =>
				asInt(shiftLeft(value, by)),
			),
			"math.bitShiftLeft(uint, int) -> uint": failing(
				(value: Uint, by: bigint) => new Uint(asUint(shiftLeft(value.value, by))),
			),
		},
	},
	{
		name: RIGHT,
		doc: "The bits moved to the right, with zeros from the left. Fails for a negative number of places.",
		examples: [["math.bitShiftRight(16, 4)", "1"]],
		overloads: {
			"math.bitShiftRight(int, int) -> int": failing((value: bigint, by: bigint) =>
				asInt(shiftRight(value, by)),
			),
			"math.bitShiftRight(uint, int) -> uint": failing(
				(value: Uint, by: bigint) => new Uint(shiftRight(value.value, by)),
			),
		},
	},
];

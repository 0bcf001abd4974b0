/**
 * The math extension of CEL: extremes (`extremes.ts`), rounding, signs, roots and bits (`bits.ts`). Joined by
 * `table.ts`.
 */
import { EvaluationFailure } from "../expression.ts";
import { INT_MIN } from "../values/integers.ts";
import { Uint } from "../values/value.ts";
import { BITS } from "./bits.ts";
import type { Example, FunctionDefinition, Implementation } from "./definition.ts";
import { EXTREMES } from "./extremes.ts";

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

const simple = (call: Implementation["call"]): Implementation => ({
	call,
	fails: false,
	cost: () => 60,
});
const failing = (call: Implementation["call"]): Implementation => ({
	...simple(call),
	fails: true,
});

/** A function of doubles, which cannot fail. */
const ofDouble = (
	name: string,
	result: "bool" | "double",
	doc: string,
	example: Example,
	call: (value: number) => number | boolean,
): FunctionDefinition => ({
	name,
	doc,
	examples: [example],
	overloads: { [`${name}(double) -> ${result}`]: simple(call) },
});

export const MATH: readonly FunctionDefinition[] = [
	...EXTREMES,
	ofDouble("math.ceil", "double", "Rounded up.", ["math.ceil(1.2)", "2.0"], Math.ceil),
	ofDouble("math.floor", "double", "Rounded down.", ["math.floor(-1.2)", "-2.0"], Math.floor),
	ofDouble(
		"math.round",
		"double",
		"Rounded to the nearest whole number, halves away from zero.",
		["math.round(-1.5)", "-2.0"],
		round,
	),
	ofDouble(
		"math.trunc",
		"double",
		"Rounded towards zero.",
		["math.trunc(-1.8)", "-1.0"],
		Math.trunc,
	),
	ofDouble(
		"math.isNaN",
		"bool",
		"Is it no number?",
		["math.isNaN(0.0 / 0.0)", "true"],
		Number.isNaN,
	),
	ofDouble(
		"math.isInf",
		"bool",
		"Is it infinite?",
		["math.isInf(1.0 / 0.0)", "true"],
		(value) => !Number.isFinite(value) && !Number.isNaN(value),
	),
	ofDouble(
		"math.isFinite",
		"bool",
		"Is it a number and finite?",
		["math.isFinite(1.0)", "true"],
		Number.isFinite,
	),
	{
		name: "math.abs",
		doc: "Without its sign. Fails for the smallest int, which has no counterpart.",
		examples: [["math.abs(-3)", "3"]],
		overloads: {
			"math.abs(int) -> int": failing(absolute),
			"math.abs(uint) -> uint": simple((value: Uint) => value),
			"math.abs(double) -> double": simple(Math.abs),
		},
	},
	{
		name: "math.sign",
		doc: "-1, 0 or 1.",
		examples: [["math.sign(-3)", "-1"]],
		overloads: {
			"math.sign(int) -> int": simple(signOfInt),
			"math.sign(uint) -> uint": simple((value: Uint) => new Uint(signOfInt(value.value))),
			"math.sign(double) -> double": simple(signOf),
		},
	},
	{
		name: "math.sqrt",
		doc: "The square root; NaN below zero.",
		examples: [["math.sqrt(16)", "4.0"]],
		overloads: {
			"math.sqrt(int) -> double": simple((value: bigint) => Math.sqrt(Number(value))),
			"math.sqrt(uint) -> double": simple((value: Uint) => Math.sqrt(Number(value.value))),
			"math.sqrt(double) -> double": simple(Math.sqrt),
		},
	},
	...BITS,
];

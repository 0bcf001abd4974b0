/**
 * Lowers `+ - * / %` and negation. Doubles use JavaScript's operators. Ints use them too where the result provably
 * fits into 53 bits, and checked arithmetic on bigints where it may not. All other types go to `values/`. Called
 * by `lower.ts`.
 */

import type { Type } from "../check/types.ts";
import { ARITHMETIC } from "../cost/table.ts";
import type { BinaryNode, BinaryOperator, Node } from "../tree/node.ts";
import { boxed, fits, type IntRange, kindOf, type Lowered } from "./lowered.ts";
import type { Lowering } from "./lowering.ts";
import type { RUNTIME } from "./runtime.ts";

type Operator = "+" | "-" | "*" | "/" | "%";
type RuntimeName = keyof typeof RUNTIME;

const NAMES: Readonly<Record<Operator, readonly [int: RuntimeName, any: RuntimeName]>> = {
	"+": ["addInt", "add"],
	"-": ["subtractInt", "subtract"],
	"*": ["multiplyInt", "multiply"],
	"/": ["divideInt", "divide"],
	"%": ["moduloInt", "modulo"],
};

export const ARITHMETIC_OPERATORS = {
	"_+_": "+",
	"_-_": "-",
	"_*_": "*",
	"_/_": "/",
	"_%_": "%",
} as const satisfies Partial<Record<BinaryOperator, Operator>>;

export function lowerArithmetic(
	lowering: Lowering,
	operator: Operator,
	operands: BinaryNode,
	type: Type,
): Lowered {
	const left = lowering.lower(operands.left);
	const right = lowering.lower(operands.right);
	const kinds = `${kindOf(left)} ${kindOf(right)}`;
	const fails = left.fails || right.fails;
	if (kinds === "double double" && operator !== "%") {
		return { code: `(${left.code} ${operator} ${right.code})`, type, fails };
	}
	const [intName, anyName] = NAMES[operator];
	if (kinds === "int int") {
		const range = rangeOf(operator, left.range, right.range);
		if (range !== undefined) {
			return { code: numberArithmetic(operator, left.code, right.code), type, range, fails };
		}
		lowering.spends(ARITHMETIC);
		return {
			code: `${lowering.runtime(intName)}(${boxed(left)}, ${boxed(right)})`,
			type,
			fails: true,
		};
	}
	lowering.spends(ARITHMETIC);
	if (kinds === "string string" && operator === "+") {
		return {
			code: `${lowering.runtime("concat")}(${left.code}, ${right.code})`,
			type,
			fails: true,
		};
	}
	return {
		code: `${lowering.runtime(anyName)}(${boxed(left)}, ${boxed(right)})`,
		type,
		fails: true,
	};
}

/** Undefined where the result might not fit, or might not be defined. */
function rangeOf(
	operator: Operator,
	left: IntRange | undefined,
	right: IntRange | undefined,
): IntRange | undefined {
	if (left === undefined || right === undefined) return undefined;
	const range = RANGES[operator](left, right);
	return range !== undefined && fits(range) ? range : undefined;
}

const sum = (left: IntRange, right: IntRange): IntRange => ({
	min: left.min + right.min,
	max: left.max + right.max,
});

const difference = (left: IntRange, right: IntRange): IntRange => ({
	min: left.min - right.max,
	max: left.max - right.min,
});

function product(left: IntRange, right: IntRange): IntRange {
	const corners = [
		left.min * right.min,
		left.min * right.max,
		left.max * right.min,
		left.max * right.max,
	];
	return { min: Math.min(...corners), max: Math.max(...corners) };
}

/** Division rounds towards zero, so the quotient is no further from zero than the dividend. */
function quotient(left: IntRange, right: IntRange): IntRange | undefined {
	if (right.min <= 0 && right.max >= 0) return undefined;
	const furthest = Math.max(Math.abs(left.min), Math.abs(left.max));
	return { min: -furthest, max: furthest };
}

/** The remainder is nearer to zero than the divisor, and has the sign of the dividend. */
function remainder(left: IntRange, right: IntRange): IntRange | undefined {
	if (right.min <= 0 && right.max >= 0) return undefined;
	const furthest = Math.max(Math.abs(right.min), Math.abs(right.max)) - 1;
	return { min: left.min < 0 ? -furthest : 0, max: left.max > 0 ? furthest : 0 };
}

const RANGES: Readonly<
	Record<Operator, (left: IntRange, right: IntRange) => IntRange | undefined>
> = { "+": sum, "-": difference, "*": product, "/": quotient, "%": remainder };

/** On numbers that stay below 2⁵³, all exact. Adding 0 makes 0 of JavaScript's −0. */
function numberArithmetic(operator: Operator, left: string, right: string): string {
	if (operator === "/") return `(Math.trunc(${left} / ${right}) + 0)`;
	const isPlain = operator === "+" || operator === "-";
	return `(${left} ${operator} ${right}${isPlain ? "" : " + 0"})`;
}

export function lowerNegation(lowering: Lowering, operand: Node, type: Type): Lowered {
	const lowered = lowering.lower(operand);
	const { code, range, fails } = lowered;
	if (kindOf(lowered) === "double") return { code: `(-${code})`, type, fails };
	if (range !== undefined) {
		const negated = { min: 0 - range.max, max: 0 - range.min };
		return { code: `(0 - ${code})`, type, range: negated, fails };
	}
	return { code: `${lowering.runtime("negate")}(${code})`, type, fails: true };
}

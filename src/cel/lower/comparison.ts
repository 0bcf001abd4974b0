/**
 * Lowers `== != < <= > >=`: to JavaScript's operators where both operands have the same plain type, else to the
 * functions of `values/`. Called by `lower.ts`.
 */

import { BOOL } from "../check/types.ts";
import { operatorMayFail } from "../library/operators.ts";
import type { BinaryNode, BinaryOperator } from "../tree/node.ts";
import { operandOf } from "./calls.ts";
import { asNumber, boxed, kindOf, type Lowered } from "./lowered.ts";
import type { Lowering } from "./lowering.ts";

/** nanoseconds of a comparison that has to look at types first */
const GENERIC = 15;

type Relation = "<" | "<=" | ">" | ">=";

export const RELATIONS = {
	"_<_": "<",
	"_<=_": "<=",
	"_>_": ">",
	"_>=_": ">=",
} as const satisfies Partial<Record<BinaryOperator, Relation>>;

export function lowerEquality(
	lowering: Lowering,
	operands: BinaryNode,
	isNegated: boolean,
): Lowered {
	const left = lowering.lower(operands.left);
	const right = lowering.lower(operands.right);
	const fails = left.fails || right.fails;
	const code = equalityCode(lowering, left, right, isNegated);
	return { code: `(${code})`, type: BOOL, fails };
}

function equalityCode(
	lowering: Lowering,
	left: Lowered,
	right: Lowered,
	isNegated: boolean,
): string {
	const kind = kindOf(left);
	const not = isNegated ? "!" : "";
	if (kind === kindOf(right)) {
		switch (kind) {
			case "string":
				// in loops, comparing long texts that differ late is work
				if (lowering.isMetered) {
					return `${not}${lowering.runtime("equalTexts")}(${left.code}, ${right.code})`;
				}
				return `${left.code} ${not || "="}== ${right.code}`;
			case "bool":
			case "double":
				return `${left.code} ${not || "="}== ${right.code}`;
			case "int":
				// a number and a bigint that are the same int are loosely equal, and exactly so
				return (left.range === undefined) === (right.range === undefined)
					? `${left.code} ${not || "="}== ${right.code}`
					: `${left.code} ${not || "="}= ${right.code}`;
			default:
				break;
		}
	}
	lowering.spends(GENERIC);
	return `${not}${lowering.runtime("equals")}(${boxed(left)}, ${boxed(right)})`;
}

/** JavaScript compares ints, as numbers and as bigints, exactly; NaN is in no relation. */
const NUMERIC: ReadonlySet<string> = new Set(["int", "double"]);

export function lowerRelation(
	lowering: Lowering,
	relation: Relation,
	operands: BinaryNode,
): Lowered {
	const left = lowering.lower(operands.left);
	const right = lowering.lower(operands.right);
	const fails = left.fails || right.fails;
	if (NUMERIC.has(kindOf(left)) && NUMERIC.has(kindOf(right))) {
		// beside a double an int is a double (`compareNumbers`)
		const codes =
			kindOf(left) === kindOf(right) ? [left.code, right.code] : [left, right].map(asNumber);
		return { code: `(${codes.join(` ${relation} `)})`, type: BOOL, fails };
	}
	lowering.spends(GENERIC);
	const compared = `${lowering.runtime("compare")}(${boxed(left)}, ${boxed(right)})`;
	const mayFail = operatorMayFail(`_${relation}_`, [
		operandOf(left, operands.left),
		operandOf(right, operands.right),
	]);
	return { code: `(${compared} ${relation} 0)`, type: BOOL, fails: fails || mayFail };
}

/** `== != < <= > >=`: JavaScript's own where both operands are of one plain type, else the library's. */

import { BOOL } from "../check/types.ts";
import { operatorMayFail } from "../library/operators.ts";
import type { Expr } from "../tree/syntax.ts";
import { operandOf } from "./calls.ts";
import { asNumber, boxed, kindOf, type Lowered } from "./lowered.ts";
import type { Lowering } from "./lowering.ts";

/** nanoseconds of a comparison that has to look at types first */
const GENERIC = 15;

type Relation = "<" | "<=" | ">" | ">=";

export const RELATIONS: ReadonlyMap<string, Relation> = new Map([
	["_<_", "<"],
	["_<=_", "<="],
	["_>_", ">"],
	["_>=_", ">="],
]);

const pair = (lowering: Lowering, operands: readonly Expr[]): readonly [Lowered, Lowered] => {
	const [left, right] = operands.map((operand) => lowering.lower(operand));
	if (left === undefined || right === undefined) throw new Error("a comparison has two operands");
	return [left, right];
};

export function lowerEquality(
	lowering: Lowering,
	operands: readonly Expr[],
	isNegated: boolean,
): Lowered {
	const [left, right] = pair(lowering, operands);
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
	operands: readonly Expr[],
): Lowered {
	const [left, right] = pair(lowering, operands);
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
		operandOf(left, operands[0]),
		operandOf(right, operands[1]),
	]);
	return { code: `(${compared} ${relation} 0)`, type: BOOL, fails: fails || mayFail };
}

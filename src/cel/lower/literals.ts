/** Lowers literals, lists and maps; a list of literals is one constant. Called by `lower.ts`. */

import type { Type } from "../check/types.ts";
import { ELEMENT, LIST } from "../cost/table.ts";
import type { ConstantNode, ListNode, MapNode, Node } from "../tree/node.ts";
import type { Value } from "../values/value.ts";
import { packed } from "./constants.ts";
import { boxed, fits, type Lowered, numberCode } from "./lowered.ts";
import type { Lowering } from "./lowering.ts";

export const lowerLiteral = (lowering: Lowering, { value }: ConstantNode, type: Type): Lowered =>
	value === null ? known("null", type, null) : valueConstant(lowering, value, type);

const known = (code: string, type: Type, value: Value): Lowered => ({
	code,
	type,
	fails: false,
	constant: { value },
});

function intConstant(value: bigint, type: Type): Lowered {
	const number = Number(value);
	const range = { min: number, max: number };
	return fits(range)
		? { ...known(numberCode(number), type, value), range }
		: known(value < 0n ? `(${value}n)` : `${value}n`, type, value);
}

/** A value that was found when the expression was compiled. */
export function valueConstant(lowering: Lowering, value: Value, type: Type): Lowered {
	if (typeof value === "bigint") return intConstant(value, type);
	if (typeof value === "boolean") return known(String(value), type, value);
	if (typeof value === "string") return known(lowering.text(value), type, value);
	return known(lowering.constant({ kind: "value", value: packed(value) }), type, value);
}

/** The value of a literal, and of lists of literals. */
export function literalValue(node: Node): Value | undefined {
	if (node.kind === "constant") return node.value;
	if (node.kind !== "list" || node.optionalIndices.length > 0) return undefined;
	const values: Value[] = [];
	for (const element of node.elements) {
		const value = literalValue(element);
		if (value === undefined) return undefined;
		values.push(value);
	}
	return values;
}

export function lowerList(lowering: Lowering, list: ListNode, type: Type): Lowered {
	const literal = literalValue(list);
	if (literal !== undefined) return valueConstant(lowering, literal, type);
	const { elements, optionalIndices } = list;
	lowering.spends(LIST + ELEMENT * elements.length);
	const lowered = elements.map((element) => lowering.lower(element));
	const fails = lowered.some((each) => each.fails);
	if (optionalIndices.length > 0) {
		const optional = new Set(optionalIndices);
		const parts = lowered.map((each, at) =>
			optional.has(at) ? `...${lowering.runtime("present")}(${each.code})` : boxed(each),
		);
		return { code: `[${parts.join(", ")}]`, type, fails: true };
	}
	return { code: `[${lowered.map(boxed).join(", ")}]`, type, fails };
}

export function lowerMap(lowering: Lowering, { entries }: MapNode, type: Type): Lowered {
	const pairs = entries.map((entry) => {
		const key = lowering.lower(entry.key);
		return { key, value: lowering.lower(entry.value), isOptional: entry.isOptional };
	});
	const parts = pairs.map(({ key, value, isOptional }) =>
		isOptional
			? `...${lowering.runtime("presentEntry")}(${boxed(key)}, ${value.code})`
			: `[${boxed(key)}, ${boxed(value)}]`,
	);
	return { code: `${lowering.runtime("entryMap")}([${parts.join(", ")}])`, type, fails: true };
}

/** Literals of all types; lists and maps whose parts are all known become constants. */

import type { Type } from "../check/types.ts";
import { ELEMENT, LIST } from "../cost/table.ts";
import type { Expr } from "../tree/syntax.ts";
import { Uint, type Value } from "../values/value.ts";
import { packed } from "./constants.ts";
import { boxed, fits, type Lowered, numberCode } from "./lowered.ts";
import type { Lowering } from "./lowering.ts";

type Literal = Extract<Expr["exprKind"], { case: "constExpr" }>["value"];
type List = Extract<Expr["exprKind"], { case: "listExpr" }>["value"];
type Struct = Extract<Expr["exprKind"], { case: "structExpr" }>["value"];

export function lowerLiteral(lowering: Lowering, { constantKind }: Literal, type: Type): Lowered {
	switch (constantKind.case) {
		case "boolValue":
			return known(String(constantKind.value), type, constantKind.value);
		case "nullValue":
			return known("null", type, null);
		case "int64Value":
			return intConstant(constantKind.value, type);
		case "doubleValue":
			return valueConstant(lowering, constantKind.value, type);
		case "uint64Value":
			return valueConstant(lowering, new Uint(constantKind.value), type);
		case "stringValue":
		case "bytesValue":
			return valueConstant(lowering, constantKind.value, type);
		default:
			throw new Error(`the parser makes no ${constantKind.case}`);
	}
}

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
export function literalValue({ exprKind }: Expr): Value | undefined {
	if (exprKind.case === "constExpr") {
		const { constantKind } = exprKind.value;
		if (constantKind.case === "nullValue") return null;
		if (constantKind.case === "uint64Value") return new Uint(constantKind.value);
		return constantKind.value as Value;
	}
	if (exprKind.case !== "listExpr" || exprKind.value.optionalIndices.length > 0) return undefined;
	const values: Value[] = [];
	for (const element of exprKind.value.elements) {
		const value = literalValue(element);
		if (value === undefined) return undefined;
		values.push(value);
	}
	return values;
}

export function lowerList(lowering: Lowering, node: Expr, list: List, type: Type): Lowered {
	const literal = literalValue(node);
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

export function lowerMap(lowering: Lowering, { entries }: Struct, type: Type): Lowered {
	const pairs = entries.map(({ keyKind, value, optionalEntry }) => {
		if (keyKind.case !== "mapKey" || value === undefined)
			throw new Error("messages have no literals");
		return { key: lowering.lower(keyKind.value), value: lowering.lower(value), optionalEntry };
	});
	const parts = pairs.map(({ key, value, optionalEntry }) =>
		optionalEntry
			? `...${lowering.runtime("presentEntry")}(${boxed(key)}, ${value.code})`
			: `[${boxed(key)}, ${boxed(value)}]`,
	);
	return { code: `${lowering.runtime("entryMap")}([${parts.join(", ")}])`, type, fails: true };
}

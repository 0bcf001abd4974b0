/** Names, fields, indices, `in` and `has`: what an expression takes out of variables, lists and maps. */

import { BOOL, resolve, type Type } from "../check/types.ts";
import { LOOK_UP } from "../cost/table.ts";
import { operatorMayFail } from "../library/operators.ts";
import type { Expr } from "../tree/syntax.ts";
import { isListMap, isNeverNull, operandOf } from "./calls.ts";
import { asNumber, boxed, kindOf, type Lowered } from "./lowered.ts";
import type { Lowering } from "./lowering.ts";
import { isPlainMember, literalMembers, memberTest } from "./membership.ts";
import { type HeaderRead, headerReadOf, variableOf } from "./nodes.ts";
import { readOf } from "./reads.ts";

export function lowerName(lowering: Lowering, node: Expr, name: string, type: Type): Lowered {
	const local = lowering.local(name);
	if (local !== undefined) return local;
	const variable = variableOf(node);
	if (variable === undefined) {
		const constant = lowering.constant({ kind: "value", value: { type: name } });
		return { code: constant, type, fails: false };
	}
	const { range } = readOf(variable);
	return { code: lowering.readVariable(variable), type, range, fails: false };
}

/** The lines of one header: an array, empty if it is missing. */
function linesOf(lowering: Lowering, { lines, name }: HeaderRead): string {
	const constant = lowering.text(name);
	const path = `${lines}:${name}`;
	return lowering.read(path, `a.${lines}.lines(${constant})`, [path]);
}

export function lowerSelect(
	lowering: Lowering,
	node: Expr,
	select: { readonly operand: Expr; readonly field: string; readonly testOnly: boolean },
	type: Type,
): Lowered {
	const { operand, field, testOnly } = select;
	const header = headerReadOf(node);
	if (header !== undefined) {
		const lines = linesOf(lowering, header);
		return testOnly
			? { code: `(${lines}.length > 0)`, type: BOOL, fails: false }
			: { code: lines, type, fails: false };
	}
	const name = lowering.text(field);
	const { code, fails, ...from } = lowering.lower(operand);
	if (resolve(from.type).kind !== "record") lowering.spends(LOOK_UP);
	if (testOnly) {
		// a record may be null all the same
		const kind = resolve(from.type).kind;
		const isThere = kind === "map" || (kind === "record" && isNeverNull(operand));
		const has = isThere
			? `${code}.has(${name})`
			: `${lowering.runtime("hasField")}(${boxed({ code, fails, ...from })}, ${name})`;
		return { code: has, type: BOOL, fails: fails || !isThere };
	}
	if (resolve(from.type).kind === "record") {
		if (isNeverNull(operand)) return { code: `${code}.fields[${name}]`, type, fails };
		return { code: `${lowering.runtime("fieldOf")}(${code}, ${name})`, type, fails: true };
	}
	if (isListMap(operand)) return { code: `${code}.get(${name})`, type, fails };
	return { code: `${lowering.runtime("select")}(${code}, ${name})`, type, fails: true };
}

export function lowerIndex(
	lowering: Lowering,
	node: Expr,
	[container, key]: readonly [Expr, Expr],
	type: Type,
): Lowered {
	const header = headerReadOf(node);
	if (header !== undefined) return { code: linesOf(lowering, header), type, fails: false };
	const from = lowering.lower(container);
	const at = lowering.lower(key);
	const mayFail = operatorMayFail("_[_]", [operandOf(from, container), operandOf(at, key)]);
	const fails = from.fails || at.fails || mayFail;
	if (!mayFail) {
		lowering.spends(LOOK_UP);
		return { code: `${from.code}.get(${at.code})`, type, fails };
	}
	if (kindOf(from) === "list" && kindOf(at) === "int") {
		const code = `${lowering.runtime("listAt")}(${from.code}, ${asNumber(at)})`;
		return { code, type, fails };
	}
	lowering.spends(LOOK_UP);
	const code = `${lowering.runtime("index")}(${boxed(from)}, ${boxed(at)})`;
	return { code, type, fails };
}

export function lowerIn(
	lowering: Lowering,
	node: Expr,
	[element, container]: readonly [Expr, Expr],
): Lowered {
	const header = headerReadOf(node);
	if (header !== undefined) {
		return { code: `(${linesOf(lowering, header)}.length > 0)`, type: BOOL, fails: false };
	}
	const sought = lowering.lower(element);
	const members = literalMembers(container);
	if (members !== undefined && isPlainMember(sought, members)) {
		return memberTest(lowering, sought, members);
	}
	lowering.spends(LOOK_UP);
	const within = lowering.lower(container);
	const mayFail = operatorMayFail("@in", [
		operandOf(sought, element),
		operandOf(within, container),
	]);
	const fails = sought.fails || within.fails || mayFail;
	const kind = kindOf(within);
	if (kind === "map" && kindOf(sought) === "string") {
		return { code: `${within.code}.has(${sought.code})`, type: BOOL, fails };
	}
	const isText = kindOf(sought) === "string" && isListOfTexts(within.type);
	if (isText && !lowering.isMetered) {
		return { code: `${within.code}.includes(${sought.code})`, type: BOOL, fails };
	}
	const code = `${lowering.runtime("contains")}(${boxed(sought)}, ${boxed(within)})`;
	return { code, type: BOOL, fails };
}

function isListOfTexts(type: Type): boolean {
	const known = resolve(type);
	return known.kind === "list" && resolve(known.element).kind === "string";
}

/**
 * Lowers reads of variables, fields and indices, `in` and `has`. Called by `lower.ts`.
 */

import { BOOL, resolve, type Type } from "../check/types.ts";
import { LOOK_UP } from "../cost/table.ts";
import { operatorMayFail } from "../library/operators.ts";
import type { BinaryNode, HasNode, SelectNode, TypeNameNode, VariableNode } from "../tree/node.ts";
import { isNeverNull, operandOf } from "./calls.ts";
import { type HeaderRead, headerReadOf, isListMap } from "./header-reads.ts";
import { asNumber, boxed, kindOf, type Lowered } from "./lowered.ts";
import type { Lowering } from "./lowering.ts";
import { isPlainMember, literalMembers, memberTest } from "./membership.ts";
import { readOf } from "./reads.ts";

export function lowerVariable(lowering: Lowering, { name }: VariableNode, type: Type): Lowered {
	const { range } = readOf(name);
	return { code: lowering.readVariable(name), type, range, fails: false };
}

export function lowerTypeName(lowering: Lowering, { name }: TypeNameNode, type: Type): Lowered {
	const constant = lowering.constant({ kind: "value", value: { type: name } });
	return { code: constant, type, fails: false };
}

/** The lines of one header: an array, empty if it is missing. */
function linesOf(lowering: Lowering, { lines, name }: HeaderRead): string {
	const constant = lowering.text(name);
	const path = `${lines}:${name}`;
	return lowering.read(path, `a.${lines}.lines(${constant})`, [path]);
}

export function lowerSelect(lowering: Lowering, node: SelectNode, type: Type): Lowered {
	const { operand, field } = node;
	const header = headerReadOf(node);
	if (header !== undefined) return { code: linesOf(lowering, header), type, fails: false };
	const name = lowering.text(field);
	const { code, fails, ...from } = lowering.lower(operand);
	if (resolve(from.type).kind === "record") {
		if (isNeverNull(operand)) return { code: `${code}.fields[${name}]`, type, fails };
		return { code: `${lowering.runtime("fieldOf")}(${code}, ${name})`, type, fails: true };
	}
	lowering.spends(LOOK_UP);
	if (isListMap(operand)) return { code: `${code}.get(${name})`, type, fails };
	return { code: `${lowering.runtime("select")}(${code}, ${name})`, type, fails: true };
}

export function lowerHas(lowering: Lowering, node: HasNode): Lowered {
	const { operand, field } = node;
	const header = headerReadOf(node);
	if (header !== undefined) {
		return { code: `(${linesOf(lowering, header)}.length > 0)`, type: BOOL, fails: false };
	}
	const name = lowering.text(field);
	const lowered = lowering.lower(operand);
	const { kind } = resolve(lowered.type);
	if (kind !== "record") lowering.spends(LOOK_UP);
	// a record may be null all the same
	const isThere = kind === "map" || (kind === "record" && isNeverNull(operand));
	const code = isThere
		? `${lowered.code}.has(${name})`
		: `${lowering.runtime("hasField")}(${boxed(lowered)}, ${name})`;
	return { code, type: BOOL, fails: lowered.fails || !isThere };
}

export function lowerIndex(lowering: Lowering, node: BinaryNode, type: Type): Lowered {
	const { left: container, right: key } = node;
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

export function lowerIn(lowering: Lowering, node: BinaryNode): Lowered {
	const { left: element, right: container } = node;
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

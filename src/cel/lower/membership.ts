/**
 * Lowers `x in [literals]`, and `x == 'a' || x == 'b'` as the same test: to comparisons with each of a few members,
 * or to a look-up in a set of many, which is a constant. Called by `access.ts` and `logic.ts`.
 */

import { BOOL } from "../check/types.ts";
import type { Node } from "../tree/node.ts";
import { variableOf } from "../tree/parts.ts";
import { kindOf, type Lowered, numberCode } from "./lowered.ts";
import type { Lowering } from "./lowering.ts";

type Member = string | bigint;

/** members up to which comparing one by one is faster than a set */
const FEW = 4;

/** Operands of `||`, in which comparisons of one variable with literals are joined. */
export function membershipOf(
	lowering: Lowering,
	chain: readonly Node[],
): readonly (() => Lowered)[] {
	const groups = new Map<string, { readonly variable: Node; readonly members: Member[] }>();
	const operands: (() => Lowered)[] = [];
	for (const node of chain) {
		const equality = equalityOf(node);
		if (equality === undefined) {
			operands.push(() => lowering.lower(node));
			continue;
		}
		const group = groups.get(equality.name);
		if (group !== undefined) {
			group.members.push(equality.member);
			continue;
		}
		const { variable } = equality;
		const members = [equality.member];
		groups.set(equality.name, { variable, members });
		operands.push(() =>
			members.length > 1
				? memberTest(lowering, lowering.lower(variable), members)
				: lowering.lower(node),
		);
	}
	return operands;
}

function equalityOf(
	node: Node,
): { readonly name: string; readonly variable: Node; readonly member: Member } | undefined {
	if (node.kind !== "binary" || node.operator !== "_==_") return undefined;
	const { left, right } = node;
	const [variable, literal] = variableOf(left) === undefined ? [right, left] : [left, right];
	const name = variableOf(variable);
	const member = literalOf(literal);
	return name === undefined || member === undefined ? undefined : { name, variable, member };
}

function literalOf(node: Node): Member | undefined {
	if (node.kind !== "constant") return undefined;
	const { value } = node;
	return typeof value === "string" || typeof value === "bigint" ? value : undefined;
}

/** The members of a list of literals of one kind; undefined for any other list. */
export function literalMembers(list: Node): readonly Member[] | undefined {
	if (list.kind !== "list") return undefined;
	const { elements, optionalIndices } = list;
	if (optionalIndices.length > 0) return undefined;
	const members = elements.map(literalOf).filter((member) => member !== undefined);
	const isAlike = members.every((member) => typeof member === typeof members[0]);
	return members.length === elements.length && isAlike ? members : undefined;
}

/** @param element of the members' type, string or int */
export function memberTest(
	lowering: Lowering,
	element: Lowered,
	members: readonly Member[],
): Lowered {
	const distinct = [...new Set(members)];
	const { fails } = element;
	if (distinct.length === 0) {
		// what fails to be an element fails, even of an empty list
		return fails
			? { code: `(${element.code}, false)`, type: BOOL, fails }
			: { code: "false", type: BOOL, fails, constant: { value: false } };
	}
	if (distinct.length > FEW) {
		const values =
			element.range === undefined ? distinct : distinct.map((member) => asNumberMember(member));
		const set = lowering.constant({ kind: "set", members: values });
		const isText = lowering.isMetered && kindOf(element) === "string";
		const sought = isText ? `${lowering.runtime("hashed")}(${element.code})` : element.code;
		return { code: `${set}.has(${sought})`, type: BOOL, fails };
	}
	const operand = lowering.bound(element.code);
	const tests = distinct.map((member) => `${operand} === ${memberCode(lowering, element, member)}`);
	return { code: `(${tests.join(" || ")})`, type: BOOL, fails };
}

const asNumberMember = (member: Member): string | number =>
	typeof member === "bigint" ? Number(member) : member;

/** An int beyond 2⁵³, rounded to a number, still differs from every int that travels as one. */
function memberCode(lowering: Lowering, element: Lowered, member: Member): string {
	if (typeof member === "string") return lowering.text(member);
	return element.range === undefined ? `${member}n` : numberCode(Number(member));
}

/** Do elements of this type meet members of that kind by plain comparison? */
export const isPlainMember = (element: Lowered, members: readonly Member[]): boolean =>
	members.every((member) => kindOf(element) === (typeof member === "string" ? "string" : "int"));

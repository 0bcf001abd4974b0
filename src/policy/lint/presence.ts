/**
 * Finds the headers, cookies and parameters that are certainly there when an expression is true, and when it is false.
 * They make `req.headers["x"][0]` safe beside `"x" in req.headers`. Asked by `absent-index.ts` and `expression.ts`;
 * `lint.ts` joins the results of several rules.
 *
 * A key is in the set only if its absence makes the expression the opposite, never a failure. So an operand of `&&` and
 * `||` may rely on the other one in either order, because CEL absorbs failures in both.
 */
import type { Node, QuantifierNode } from "../../cel/tree/node.ts";
import { operationOf, textLiteral, variableOf } from "../../cel/tree/parts.ts";
import type { VariableName } from "../../cel/variables/table.ts";
import { askedFor, keyOf, lookUpOf } from "./look-up.ts";

export type Keys = ReadonlySet<string>;

export interface Presence {
	readonly ifTrue: Keys;
	readonly ifFalse: Keys;
}

export const NO_KEYS: Keys = new Set();
const NOTHING: Presence = { ifTrue: NO_KEYS, ifFalse: NO_KEYS };

export const union = (one: Keys, other: Keys): Keys =>
	one.size === 0 ? other : other.size === 0 ? one : new Set([...one, ...other]);

export const common = (one: Keys, other: Keys): Keys =>
	one.size === 0 || other.size === 0 ? NO_KEYS : new Set([...one].filter((key) => other.has(key)));

/** @param known the results for nodes that were asked for before, so that a tree is walked once */
export function presenceOf(node: Node, known: Map<Node, Presence>): Presence {
	const before = known.get(node);
	if (before !== undefined) return before;
	const presence = found(node, known);
	known.set(node, presence);
	return presence;
}

function found(node: Node, known: Map<Node, Presence>): Presence {
	const asked = askedFor(node);
	if (asked !== undefined) return { ifTrue: new Set([asked.key]), ifFalse: NO_KEYS };
	if (node.kind === "quantifier") return ofQuantifier(node);
	if (node.kind === "unary" && node.operator === "!_") {
		const { ifTrue, ifFalse } = presenceOf(node.operand, known);
		return { ifTrue: ifFalse, ifFalse: ifTrue };
	}
	if (node.kind !== "binary") return NOTHING;
	const { operator, left, right } = node;
	if (operator === "_&&_" || operator === "_||_") {
		const [one, other] = [presenceOf(left, known), presenceOf(right, known)];
		return operator === "_&&_"
			? { ifTrue: union(one.ifTrue, other.ifTrue), ifFalse: common(one.ifFalse, other.ifFalse) }
			: { ifTrue: common(one.ifTrue, other.ifTrue), ifFalse: union(one.ifFalse, other.ifFalse) };
	}
	// an element of the list is in it
	const list = operator === "@in" ? lookUpOf(right)?.key : undefined;
	if (list !== undefined) return { ifTrue: new Set([list]), ifFalse: NO_KEYS };
	return ofComparison(operator, left, right) ?? NOTHING;
}

/** The list that has an element where the macro is true. */
function ofQuantifier({ macro, range }: QuantifierNode): Presence {
	const key = macro === "all" ? undefined : listKey(range);
	return key === undefined ? NOTHING : { ifTrue: new Set([key]), ifFalse: NO_KEYS };
}

/** The key of a list, or of the longer list that it was filtered or mapped from. */
function listKey(list: Node): string | undefined {
	if (list.kind === "listMacro" && list.macro !== "transform_list") return listKey(list.range);
	return lookUpOf(list)?.key;
}

const MIRRORED: Readonly<Record<string, string>> = {
	"_==_": "_==_",
	"_!=_": "_!=_",
	"_<_": "_>_",
	"_<=_": "_>=_",
	"_>_": "_<_",
	"_>=_": "_<=_",
};

/** Understands `size(list) > 0`, `list != []` and `req.user_agent != ''`, with their operands in either order. */
function ofComparison(operator: string, left: Node, right: Node): Presence | undefined {
	const mirrored = MIRRORED[operator];
	if (mirrored === undefined) return undefined;
	return ofOrdered(operator, left, right) ?? ofOrdered(mirrored, right, left);
}

function ofOrdered(operator: string, operand: Node, value: Node): Presence | undefined {
	const size = sizeOf(value);
	const key = size === undefined ? undefined : measuredKey(operand, value);
	if (size === undefined || key === undefined) return undefined;
	const keys = new Set([key]);
	if (impliesOne(operator, size)) return { ifTrue: keys, ifFalse: NO_KEYS };
	const opposite = OPPOSITE[operator];
	const isOne = opposite !== undefined && impliesOne(opposite, size);
	return isOne ? { ifTrue: NO_KEYS, ifFalse: keys } : undefined;
}

const OPPOSITE: Readonly<Record<string, string>> = {
	"_==_": "_!=_",
	"_!=_": "_==_",
	"_<_": "_>=_",
	"_<=_": "_>_",
	"_>_": "_<=_",
	"_>=_": "_<_",
};

/** Is a size, which is never negative, at least 1 if `size operator bound`? */
function impliesOne(operator: string, bound: number): boolean {
	if (operator === "_>_") return bound >= 0;
	if (operator === "_!=_") return bound === 0;
	return (operator === "_>=_" || operator === "_==_") && bound >= 1;
}

/** The size that a constant stands for: a whole number, or the size of `[]` or of a text. */
function sizeOf(node: Node): number | undefined {
	if (node.kind === "list" && node.elements.length === 0) return 0;
	if (node.kind !== "constant") return undefined;
	if (typeof node.value === "string") return node.value.length;
	return typeof node.value === "bigint" ? Number(node.value) : undefined;
}

/** Variables whose value is the first line of a header or a part of it. */
const FIRST_LINES: ReadonlyMap<string, string> = new Map<VariableName, string>([
	["req.user_agent", keyOf("req.headers", "user-agent")],
	["req.user_agent.raw", keyOf("req.headers", "user-agent")],
	["req.content_type", keyOf("req.headers", "content-type")],
	["req.content_type.raw", keyOf("req.headers", "content-type")],
	["req.location", keyOf("req.headers", "location")],
	["res.content_type", keyOf("res.headers", "content-type")],
	["res.content_type.raw", keyOf("res.headers", "content-type")],
	["res.location", keyOf("res.headers", "location")],
]);

/** The key of the list or header whose size is compared: with `[]`, with a text, or as `size(list)` with a number. */
function measuredKey(operand: Node, value: Node): string | undefined {
	if (value.kind === "list") return listKey(operand);
	if (textLiteral(value) !== undefined) return FIRST_LINES.get(variableOf(operand) ?? "");
	const call = operationOf(operand);
	const [list] = call?.name === "size" ? call.operands : [];
	return list && listKey(list);
}

/**
 * Finds expressions that read the request and yet yield the same bool for every request (contract 3, lint):
 * `x || true`, `x && false`, `x == 'a' && x == 'b'`. CEL absorbs errors there, so the answer is certain even if
 * `x` fails. Not all such expressions are found. Called by `compile.ts`.
 */
import type { BinaryNode, Node } from "../tree/node.ts";
import { childrenOf } from "../tree/parts.ts";

/** @param evaluate the value of an expression of constants and operators alone */
export function certainTruth(node: Node, evaluate: (closed: Node) => unknown): boolean | undefined {
	if (node.kind === "binary") {
		if (node.operator === "_||_") return joined(node, true, evaluate);
		if (node.operator === "_&&_") {
			return joined(node, false, evaluate) ?? (contradicts(node) ? false : undefined);
		}
	}
	if (node.kind === "unary" && node.operator === "!_") {
		const truth = certainTruth(node.operand, evaluate);
		return truth === undefined ? undefined : !truth;
	}
	const value = isClosed(node) ? evaluate(node) : undefined;
	return typeof value === "boolean" ? value : undefined;
}

/** @param decisive the truth of one operand that settles the whole */
function joined(
	{ left, right }: BinaryNode,
	decisive: boolean,
	evaluate: (closed: Node) => unknown,
): boolean | undefined {
	const truths = [certainTruth(left, evaluate), certainTruth(right, evaluate)];
	if (truths.includes(decisive)) return decisive;
	return truths.every((truth) => truth === !decisive) ? !decisive : undefined;
}

/** A conjunction that wants one variable to equal two different constants. */
function contradicts(conjunction: Node): boolean {
	const wanted = new Map<string, unknown>();
	const holds = (node: Node): boolean => {
		if (node.kind !== "binary") return true;
		if (node.operator === "_&&_") return holds(node.left) && holds(node.right);
		const equality = node.operator === "_==_" ? equalityOf(node) : undefined;
		if (equality === undefined) return true;
		const before = wanted.get(equality.name);
		wanted.set(equality.name, equality.value);
		return before === undefined || before === equality.value;
	};
	return !holds(conjunction);
}

/** Of a variable and a string or whole number, on either side. */
function equalityOf({
	left,
	right,
}: BinaryNode): { readonly name: string; readonly value: string | bigint } | undefined {
	let name: string | undefined;
	let value: string | bigint | undefined;
	for (const node of [left, right]) {
		if (node.kind === "variable") name = node.name;
		if (node.kind !== "constant") continue;
		if (typeof node.value === "string" || typeof node.value === "bigint") value = node.value;
	}
	return name === undefined || value === undefined ? undefined : { name, value };
}

/** Constants under operators; functions are left out, as some ask for chance. */
function isClosed(node: Node): boolean {
	switch (node.kind) {
		case "constant":
			return true;
		case "list":
		case "binary":
		case "conditional":
		case "optionalSelect":
			return childrenOf(node).every(isClosed);
		case "unary":
			return node.operator === "-_" && isClosed(node.operand);
		default:
			return false;
	}
}

/**
 * Finds the texts of a checked expression that only become constants of its code: whatever they are, checker, estimate and
 * lowering come to the same. Every other text (a header's name, a pattern, what can be worked out beforehand) is a part of
 * what an expression is. Asked by `mould.ts`.
 */
import { resolve } from "../check/types.ts";
import type { BinaryNode, CallNode, ConstantNode, Node } from "../tree/node.ts";
import { childrenOf, textLiteral } from "../tree/parts.ts";

export interface FreeText {
	readonly node: ConstantNode;
	/** an address range, which the checker judges */
	readonly isRange: boolean;
}

/** In no certain order. None where there are loops or bindings, whose costs have more to do with their texts. */
export function freeTexts(expr: Node): readonly FreeText[] {
	const found: FreeText[] = [];
	return collect(expr, found) ? found : NONE;
}

const NONE: readonly FreeText[] = [];

const WITH_VARIABLES: ReadonlySet<Node["kind"]> = new Set([
	"bind",
	"listMacro",
	"mapMacro",
	"quantifier",
]);
const TEXT_TESTS: ReadonlySet<string> = new Set(["contains", "endsWith", "startsWith"]);
const RANGE_TESTS: ReadonlySet<string> = new Set(["inCidrRange", "inCidrRanges"]);

/** @returns false where the whole has loops or bindings */
function collect(node: Node, found: FreeText[]): boolean {
	if (WITH_VARIABLES.has(node.kind)) return false;
	if (node.kind === "binary") ofOperator(node, found);
	if (node.kind === "call") ofCall(node, found);
	return childrenOf(node).every((child) => collect(child, found));
}

function ofOperator({ operator, left, right }: BinaryNode, found: FreeText[]): void {
	if (operator === "_==_" || operator === "_!=_") {
		if (readsExchange(left)) add(right, false, found);
		else if (readsExchange(right)) add(left, false, found);
	} else if (operator === "@in") {
		if (readsExchange(left)) add(right, false, found);
		// The keys of a map are names.
		else if (readsExchange(right) && resolve(right.type).kind === "list") add(left, false, found);
	}
}

function ofCall({ name, target, args }: CallNode, found: FreeText[]): void {
	const [first, second] = args;
	if (TEXT_TESTS.has(name) && target !== undefined && args.length === 1) {
		if (first !== undefined && readsExchange(target)) add(first, false, found);
	} else if (RANGE_TESTS.has(name) && target === undefined && args.length === 2) {
		if (first !== undefined && second !== undefined && readsExchange(first))
			add(second, true, found);
	}
}

/** Then nothing around it is worked out when it is compiled. */
const readsExchange = (node: Node): boolean =>
	node.kind === "variable" || childrenOf(node).some(readsExchange);

/** A text, or a list of nothing but texts. */
function add(literal: Node, isRange: boolean, found: FreeText[]): void {
	if (literal.kind === "constant") {
		if (typeof literal.value === "string") found.push({ node: literal, isRange });
		return;
	}
	if (literal.kind !== "list" || literal.optionalIndices.length > 0) return;
	if (!literal.elements.every((element) => textLiteral(element) !== undefined)) return;
	for (const element of literal.elements) add(element, isRange, found);
}

/** Loop variables nest, faults are bounded, a pattern is compiled once. */
import { expect, test } from "vitest";
import { Scope } from "../../../src/cel/check/scope.ts";
import { BOOL, INT, typeName } from "../../../src/cel/check/types.ts";
import { childrenOf } from "../../../src/cel/tree/parts.ts";
import { SyntaxTree } from "../../../src/cel/tree/syntax-tree.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { checkedTree } from "../checked.ts";

test("the innermost variable of a name counts, until it is left", () => {
	const scope = new Scope(new SyntaxTree(), "inbound");
	scope.enter("x", INT);
	scope.enter("x", BOOL);
	expect(scope.local("x")).toBe(BOOL);
	scope.leave();
	expect(scope.local("x")).toBe(INT);
	scope.leave();
	expect(scope.local("x")).toBeUndefined();
});

test("faults beyond the bound are not kept", () => {
	const tree = new SyntaxTree();
	const scope = new Scope(tree, "inbound");
	const node = tree.constant(0, true);
	for (let count = 0; count < LIMITS.problemsPerExpression + 5; count++) {
		scope.refuse(node, "expression_type", "no");
	}
	expect(scope.faults).toHaveLength(LIMITS.problemsPerExpression);
	expect(scope.isFull).toBe(true);
});

test("the same pattern is the same object", () => {
	const scope = new Scope(new SyntaxTree(), "inbound");
	expect(scope.pattern("a+")).toBe(scope.pattern("a+"));
	expect(scope.pattern("(")).toHaveProperty("message");
});

test("a node's type is what came out in the end, dyn where nothing did", () => {
	const { scope, expr } = checkedTree("[[], [1]]");
	const [first] = childrenOf(expr);
	// the empty list was typed before it was known what the other holds
	expect(first && typeName(scope.typeOf(first))).toBe("list<int>");
	const open = checkedTree("[]");
	expect(typeName(open.scope.typeOf(open.expr))).toBe("list<dyn>");
});

/** Trees know where their nodes were written and how deep they are. */
import { expect, test } from "vitest";
import { nodeOf, SyntaxTree } from "../../../src/cel/tree/syntax.ts";

test("depth counts the longest way down, whatever the kind of node", () => {
	const tree = new SyntaxTree();
	const leaf = tree.identifier(3, "a");
	const select = tree.select(4, leaf, "b");
	const call = tree.call(5, "f", [leaf], select);
	const list = tree.list(6, [leaf, call]);
	const map = tree.map(7, [tree.entry(leaf, list)]);
	expect([leaf, select, call, list, map].map((node) => tree.depthOf(node))).toEqual([
		1, 2, 3, 4, 5,
	]);
	expect([leaf, select, call, list, map].map((node) => tree.offsetOf(node))).toEqual([
		3, 4, 5, 6, 7,
	]);
	expect(tree.depthOf(tree.list(0, []))).toBe(1);
});

test("a tree counts its nodes, and numbers them", () => {
	const tree = new SyntaxTree();
	const nodes = [tree.int(0, 1n), tree.string(1, "a"), tree.list(2, [])];
	expect(tree.size).toBe(3);
	expect(nodes.map(({ id }) => id)).toEqual([1n, 2n, 3n]);
});

test("nodes of other trees are none of ours", () => {
	const ours = new SyntaxTree().boolean(0, true);
	expect(nodeOf(ours)).toBe(ours);
	const { $typeName, exprKind } = ours;
	expect(() => nodeOf({ $typeName, exprKind, id: 1n })).toThrow("not built here");
});

/** Trees know where their nodes were written and how deep they are. */
import { expect, test } from "vitest";
import { SyntaxTree } from "../../src/cel/syntax.ts";

test("depth counts the longest way down, whatever the kind of node", () => {
	const tree = new SyntaxTree();
	const leaf = tree.identifier(3, "a");
	const select = tree.select(4, leaf, "b");
	const call = tree.call(5, "f", [leaf], select);
	const list = tree.list(6, [leaf, call]);
	const map = tree.map(7, [[leaf, list]]);
	expect([leaf, select, call, list, map].map((node) => tree.depthOf(node))).toEqual([
		1, 2, 3, 4, 5,
	]);
	expect([leaf, select, call, list, map].map((node) => tree.offsetOf(node))).toEqual([
		3, 4, 5, 6, 7,
	]);
	expect(tree.depthOf(tree.list(0, []))).toBe(1);
});

/** What nodes call, name and hold. */
import { expect, test } from "vitest";
import {
	chainOf,
	childrenOf,
	intLiteral,
	operationOf,
	perTurn,
	textLiteral,
	textsOf,
	variableOf,
} from "../../../src/cel/tree/parts.ts";
import { checkedTree, shapeOf } from "../checked.ts";

const treeOf = (source: string) => checkedTree(source).expr;
const shapes = (nodes: readonly Parameters<typeof shapeOf>[0][] = []) => nodes.map(shapeOf);

test.each([
	["!true", "!_"],
	["req.host == 'a'", "_==_"],
	["true ? 1 : 2", "_?_:_"],
	["req.host.size()", "size"],
	["size(req.host)", "size"],
	["req.host", undefined],
	["dyn({}).?a", undefined],
	["[1].all(x, true)", undefined],
])("%s calls %s with what is below it", (source, name) => {
	const node = treeOf(source);
	const operation = operationOf(node);
	expect(operation?.name).toBe(name);
	if (operation !== undefined) expect(operation.operands).toEqual(childrenOf(node));
});

test("children are in the order in which they are evaluated", () => {
	const below = (source: string) => shapes(childrenOf(treeOf(source)));
	expect(below("req.host.startsWith(req.method)")).toEqual(["req.host", "req.method"]);
	expect(below("{req.host: req.method}")).toEqual(["req.host", "req.method"]);
	expect(below("cel.bind(x, req.host, x)")).toEqual(["req.host", "x"]);
	expect(below("['a'].map(x, x == req.host, x)")).toEqual([
		'[stringValue "a"]',
		"_==_(x, req.host)",
		"x",
	]);
	expect(below("has(req.headers.a)")).toEqual(["req.headers"]);
	expect(below("req.host")).toEqual([]);
});

test("a turn of a macro evaluates all but its range", () => {
	const node = treeOf("['a'].transformMap(i, v, v == req.host, v + 'b')");
	if (node.kind !== "mapMacro") throw new Error(node.kind);
	expect(shapes(perTurn(node))).toEqual(["_==_(v, req.host)", "i", '_+_(v, stringValue "b")']);
});

test("chains of an operator, however they are balanced", () => {
	const names = ["req.host", "req.method", "req.version", "req.url"];
	const tree = treeOf(names.map((name) => `${name} == 'a'`).join(" || "));
	expect(shapes(chainOf(tree, "_||_"))).toEqual(
		names.map((name) => `_==_(${name}, stringValue "a")`),
	);
	expect(chainOf(tree, "_&&_")).toEqual([tree]);
});

test("variables, texts and ints", () => {
	expect(variableOf(treeOf("req.url.path"))).toBe("req.url.path");
	expect(variableOf(treeOf("'req.url.path'"))).toBeUndefined();
	expect(textLiteral(treeOf("'a'"))).toBe("a");
	expect(textLiteral(treeOf("b'a'"))).toBeUndefined();
	expect(intLiteral(treeOf("-3"))).toBe(-3);
	expect(intLiteral(treeOf("3u"))).toBeUndefined();
	expect(intLiteral(treeOf("3.0"))).toBeUndefined();
	expect(intLiteral(treeOf("1 + 2"))).toBeUndefined();
	expect(textsOf(treeOf("['a', 'b']"))).toEqual(["a", "b"]);
	expect(textsOf(treeOf("['a', 1]"))).toBeUndefined();
	expect(textsOf(treeOf("'a'"))).toBeUndefined();
});

/** Names inside of loops. */
import { expect, it } from "vitest";
import { largest } from "../../../src/cel/cost/bound.ts";
import { CostLocals } from "../../../src/cel/cost/locals.ts";
import { countOf } from "../../../src/cel/cost/part.ts";
import { sized, text, texts, turnOf } from "../../../src/cel/cost/size.ts";
import type { LoopVariables } from "../../../src/cel/tree/node.ts";

const MAP = sized(10, texts(50, 100), texts(20, 60));
const LIST = sized(10, texts(50, 100));

function entered(range: typeof MAP, names: LoopVariables, isMap: boolean) {
	const locals = new CostLocals();
	locals.enterLoop(names, range, turnOf(range, true), isMap);
	const count = (name: string): number => largest(countOf(locals.find(name)?.size));
	return { locals, count };
}

it("are elements of lists, keys of maps, and either where that is open", () => {
	expect(entered(LIST, ["x"], false).count("x")).toBe(50);
	expect(entered(MAP, ["x"], true).count("x")).toBe(20);
	expect(entered(MAP, ["x"], false).count("x")).toBeGreaterThanOrEqual(50);
	const both = entered(MAP, ["k", "v"], true);
	expect([both.count("k"), both.count("v")]).toEqual([20, 50]);
	const indexed = entered(LIST, ["i", "v"], false);
	expect([indexed.count("i"), indexed.count("v")]).toEqual([1, 50]);
});

it("know the map that they are keys of", () => {
	const { locals } = entered(MAP, ["k"], true);
	expect(locals.find("k")?.keyOf?.map).toBe(MAP);
});

it("hide outer ones of the same name until they are left", () => {
	const locals = new CostLocals();
	locals.bind("x", text(1));
	locals.bind("x", text(2));
	expect(locals.find("x")?.size).toEqual(text(2));
	locals.leave(1);
	expect([locals.find("x")?.size, locals.count]).toEqual([text(1), 1]);
});

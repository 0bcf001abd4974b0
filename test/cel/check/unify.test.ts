/** Types agree as the specification has them agree, and a failed attempt leaves nothing bound. */
import { expect, test } from "vitest";
import { readType } from "../../../src/cel/check/signatures.ts";
import { listOf, newVariable, resolve, type Type, typeName } from "../../../src/cel/check/types.ts";
import { isLessSpecific, Unifier, widest } from "../../../src/cel/check/unify.ts";

const type = (text: string): Type => readType(text, new Map());

test.each([
	["int", "int", true],
	["int", "uint", false],
	["int", "dyn", true],
	["list<int>", "list<dyn>", true],
	["list<int>", "list<string>", false],
	["map<string, int>", "map<string, dyn>", true],
	["map<string, int>", "list<int>", false],
	["timestamp", "null", true],
	["string", "null", false],
	["null", "null", true],
	["optional<int>", "optional<dyn>", true],
	["optional<int>", "optional<string>", false],
	["optional<int>", "int", false],
	["optional<int>", "list<int>", false],
	["optional<int>", "null", true],
])("%s and %s", (left, right, agreed) => {
	expect(new Unifier().unify(type(left), type(right))).toBe(agreed);
	expect(new Unifier().unify(type(right), type(left))).toBe(agreed);
});

test("a variable takes the most general of what it meets", () => {
	const variable = newVariable();
	const unifier = new Unifier();
	expect(unifier.unify(variable, type("int"))).toBe(true);
	expect(unifier.unify(variable, type("dyn"))).toBe(true);
	expect(typeName(variable)).toBe("dyn");
});

test("a failed attempt binds nothing", () => {
	const variable = newVariable();
	const pair = (left: Type, right: Type): Type => ({ kind: "map", key: left, value: right });
	const given = pair(type("int"), type("string"));
	expect(new Unifier().unify(pair(variable, variable), given)).toBe(false);
	expect(resolve(variable)).toBe(variable);
});

test("no type contains itself", () => {
	const variable = newVariable();
	expect(new Unifier().unify(variable, { kind: "list", element: variable })).toBe(false);
});

test("what stands for a key takes nothing that no key can be", () => {
	const key = newVariable(true);
	expect(new Unifier().unify(key, type("list<int>"))).toBe(true);
	expect(typeName(key)).toBe("dyn");
	const other = newVariable(true);
	expect(new Unifier().unify(other, type("string"))).toBe(true);
	expect(typeName(other)).toBe("string");
});

test("two open variables are one, that of a key if one is, in whatever order", () => {
	for (const [left, right] of [
		[newVariable(true), newVariable()],
		[newVariable(), newVariable(true)],
	] as const) {
		const unifier = new Unifier();
		expect(unifier.unify(left, right)).toBe(true);
		expect(resolve(left)).toBe(resolve(right));
		expect(resolve(left)).toMatchObject({ isKey: true });
	}
});

test("chains of variables stay short, whichever way they are joined", () => {
	for (const isForward of [true, false]) {
		const unifier = new Unifier();
		const variables = Array.from({ length: 1000 }, () => newVariable());
		variables.forEach((variable, at) => {
			const before = variables[at - 1];
			if (before === undefined) return;
			const [left, right] = isForward ? [before, variable] : [variable, before];
			expect(unifier.unify(left, right)).toBe(true);
		});
		for (const variable of variables) expect(chainLength(variable)).toBeLessThan(12);
	}
});

function chainLength(type: Type | undefined): number {
	return type?.kind === "variable" ? 1 + chainLength(type.bound) : 0;
}

test("dyn is more general than anything", () => {
	expect(isLessSpecific(type("dyn"), type("list<int>"))).toBe(true);
	expect(isLessSpecific(type("list<dyn>"), type("list<int>"))).toBe(true);
	expect(isLessSpecific(type("list<int>"), type("list<dyn>"))).toBe(false);
});

test.each([
	["map<dyn, int>", "map<string, dyn>", "map<dyn, dyn>"],
	["list<map<dyn, int>>", "list<map<string, dyn>>", "list<map<dyn, dyn>>"],
	["optional<list<dyn>>", "optional<list<int>>", "optional<list<dyn>>"],
	["int", "int", "int"],
	["dyn", "list<int>", "dyn"],
	["null", "timestamp", "timestamp"],
])("%s and %s are %s", (left, right, both) => {
	expect(typeName(widest(type(left), type(right)))).toBe(both);
	expect(typeName(widest(type(right), type(left)))).toBe(both);
});

test("what meets a dyn is of any type, whatever it meets later", () => {
	for (const [first, second] of [
		["list<int>", "dyn"],
		["dyn", "list<int>"],
	] as const) {
		const unifier = new Unifier();
		const element = newVariable();
		expect(unifier.unify(listOf(element), type(first))).toBe(true);
		expect(unifier.unify(listOf(element), type(second))).toBe(true);
		expect(unifier.unify(element, type("string"))).toBe(true);
		expect(typeName(element)).toBe("dyn");
	}
});

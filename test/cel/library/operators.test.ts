/** What operators say of themselves: whether they may fail, and that each is defined once. */
import { describe, expect, it } from "vitest";
import type { Operand } from "../../../src/cel/library/operator-failures.ts";
import { OPERATORS, operatorMayFail, operatorNamed } from "../../../src/cel/library/operators.ts";

const of = (kind: Operand["kind"], more: Partial<Operand> = {}): Operand => ({
	kind,
	mayBeNull: false,
	hasEveryName: false,
	...more,
});

describe("an operator may fail", () => {
	it.each<[string, readonly Operand[]]>([
		["!_", [of("dyn")]],
		["_&&_", [of("bool"), of("dyn")]],
		["_?_:_", [of("dyn"), of("int"), of("int")]],
		["_<_", [of("int"), of("uint")]],
		["_<_", [of("string"), of("dyn")]],
		["_<_", [of("timestamp"), of("timestamp", { mayBeNull: true })]],
		["_+_", [of("int"), of("int")]],
		["_%_", [of("double"), of("double")]],
		["-_", [of("int")]],
		["_[_]", [of("list"), of("int")]],
		["_[_]", [of("map", { hasEveryName: true }), of("dyn")]],
		["_[_]", [of("map"), of("string")]],
		["_[?_]", [of("list"), of("int")]],
		["_?._", [of("dyn"), of("string")]],
		["@in", [of("string"), of("dyn")]],
	])("%s", (name, operands) => {
		expect(operatorMayFail(name, operands)).toBe(true);
	});
});

describe("an operator does not fail", () => {
	it.each<[string, readonly Operand[]]>([
		["!_", [of("bool")]],
		["_||_", [of("bool"), of("bool")]],
		["_?_:_", [of("bool"), of("dyn"), of("dyn")]],
		["_==_", [of("dyn"), of("dyn")]],
		["_>=_", [of("int"), of("double")]],
		["_<_", [of("string"), of("string")]],
		["_<_", [of("timestamp"), of("timestamp")]],
		["_*_", [of("double"), of("double")]],
		["_[_]", [of("map", { hasEveryName: true }), of("string")]],
		["@in", [of("dyn"), of("map")]],
	])("%s", (name, operands) => {
		expect(operatorMayFail(name, operands)).toBe(false);
	});
});

it("is defined once, with its text", () => {
	expect(new Set(OPERATORS.map(({ name }) => name)).size).toBe(OPERATORS.length);
	for (const { doc, examples, written } of OPERATORS) {
		expect(doc, written).toMatch(/[.?]$/);
		expect(examples.length, written).toBeGreaterThan(0);
	}
	expect(operatorNamed("nothing")).toBeUndefined();
	expect(() => operatorMayFail("nothing", [])).toThrow("there is no operator nothing");
});

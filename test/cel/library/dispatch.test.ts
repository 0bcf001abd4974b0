/** Calls with operands of type dyn: the overload that takes them, or a failure that names their types. */
import { expect, test } from "vitest";
import { type Overload, readSignature } from "../../../src/cel/check/signatures.ts";
import { dispatch } from "../../../src/cel/library/dispatch.ts";
import { entryMap } from "../../../src/cel/values/entry-map.ts";
import { RecordValue, type Value } from "../../../src/cel/values/value.ts";
import { outcome } from "./calls.ts";

const overloads = (name: string, ...signatures: readonly string[]): readonly Overload[] =>
	signatures.map((signature) => readSignature(name, signature, new Map()));

const SIZE = overloads(
	"size",
	"size(string) -> int",
	"size(bytes) -> int",
	"size(list<A>) -> int",
	"size(map<A, B>) -> int",
);

const size = (operand: Value): Value => outcome(() => dispatch("size", SIZE, [operand]));

test("the overload is the one whose parameters take the operands", () => {
	expect(size("a😀")).toBe(2n);
	expect(size(new Uint8Array(3))).toBe(3n);
	expect(size(["a"])).toBe(1n);
	expect(size(entryMap([["a", 1n]]))).toBe(1n);
	expect(size(new RecordValue({ name: "a", value: "b" }))).toBe(2n);
});

test.each<[Value, string]>([
	[1n, "int"],
	[1, "double"],
	[true, "bool"],
	[null, "null_type"],
])("%s has no size", (operand, name) => {
	expect(size(operand)).toBe(`failure: no matching overload for size(${name})`);
});

test("ints become numbers for functions that take numbers, and bigints again in the result", () => {
	const indexOf = overloads(
		"indexOf",
		"string.indexOf(string) -> int",
		"string.indexOf(string, int) -> int",
	);
	expect(dispatch("indexOf", indexOf, ["abcb", "b", 2n])).toBe(3n);
	expect(dispatch("indexOf", indexOf, ["abcb", "b"])).toBe(1n);
	expect(outcome(() => dispatch("indexOf", indexOf, ["abcb", "b", 2]))).toBe(
		"failure: no matching overload for indexOf(string, string, double)",
	);
});

test("an overload without implementation is a bug, not a failure", () => {
	const unknown = overloads("nothing", "nothing(string) -> int");
	expect(() => dispatch("nothing", unknown, ["a"])).toThrow("not implemented");
});

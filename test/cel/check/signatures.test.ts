/** Signatures are read as they are written. */
import { expect, test } from "vitest";
import { readSignature, readType } from "../../../src/cel/check/signatures.ts";
import { resolve, typeName } from "../../../src/cel/check/types.ts";

test("functions, methods, and functions in namespaces", () => {
	const method = readSignature("join", "list<string>.join(string) -> string", new Map());
	expect(method.isMethod).toBe(true);
	expect(method.parameters.map(typeName)).toEqual(["list<string>", "string"]);
	const named = readSignature("rand.int", "rand.int(int, uint) -> double", new Map());
	expect(named.isMethod).toBe(false);
	expect([...named.parameters, named.result].map(typeName)).toEqual(["int", "uint", "double"]);
	expect(readSignature("f", "f() -> bool", new Map()).parameters).toEqual([]);
});

test("one letter is one parameter throughout", () => {
	const { parameters, result } = readSignature("_[_]", "_[_](map<A, B>, A) -> B", new Map());
	const [map, key] = parameters.map(resolve);
	expect(map?.kind === "map" && resolve(map.key)).toBe(key);
	expect(map?.kind === "map" && resolve(map.value)).toBe(resolve(result));
});

test("a mistake in a declaration is found at start-up", () => {
	expect(() => readType("lisp<int>", new Map())).toThrow("unknown type lisp");
	expect(() => readType("list(int)", new Map())).toThrow("cannot be read");
});

/** The table of string functions: sizes, and the ends of texts. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { entryMap } from "../../../src/cel/values/entry-map.ts";
import { call } from "./calls.ts";

test("sizes count characters, bytes, elements and entries", () => {
	expect(call("string.size() -> int", "a😀")).toBe(2n);
	expect(call("bytes.size() -> int", new TextEncoder().encode("a😀"))).toBe(5n);
	expect(call("list<A>.size() -> int", ["a", "b"])).toBe(2n);
	expect(call("map<A, B>.size() -> int", entryMap([[1n, 2n]]))).toBe(1n);
});

test("property: a text starts and ends with its parts", () => {
	const text = fc.string({ unit: fc.constantFrom("a", "b", "😀") });
	fc.assert(
		fc.property(text, text, (subject, part) => {
			const startsWith = [...part].every((each, at) => [...subject][at] === each);
			const endsWith = [...part].reverse().every((each, at) => [...subject].reverse()[at] === each);
			expect(call("string.startsWith(string) -> bool", subject, part)).toBe(startsWith);
			expect(call("string.endsWith(string) -> bool", subject, part)).toBe(endsWith);
			expect(call("string.startsWith(string) -> bool", part + subject, part)).toBe(true);
			expect(call("string.endsWith(string) -> bool", subject + part, part)).toBe(true);
		}),
	);
});

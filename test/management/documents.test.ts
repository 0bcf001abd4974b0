/** Fields that follow from the path may be sent back as they were answered, and nowhere else. */
import { expect, it } from "vitest";
import { ApiError } from "../../src/errors.ts";
import { jsonIn, withoutOwnFields } from "../../src/management/documents.ts";

it("tells line and column of what is no JSON", () => {
	expect(jsonIn(Buffer.from('{"a":[1]}'))).toEqual({ a: [1] });
	expect(() => jsonIn(Buffer.from("{\n  x"))).toThrow(/not valid JSON: line 2, column 3: /);
	expect(() => jsonIn(new Uint8Array())).toThrow(ApiError);
});

it("takes own fields out and leaves everything else as it is", () => {
	const own = { id: "e" };
	expect(withoutOwnFields({ id: "e", a: 1 }, own, "edge")).toEqual({ a: 1 });
	expect(withoutOwnFields({ a: { id: "x" } }, own, "edge")).toEqual({ a: { id: "x" } });
	for (const value of [null, 1, "id", [{ id: "x" }]]) {
		expect(withoutOwnFields(value, own, "edge")).toBe(value);
	}
	expect(withoutOwnFields({ toString: 1 }, own, "edge")).toEqual({ toString: 1 });
	for (const id of ["x", 5, null, ["e"]]) {
		expect(() => withoutOwnFields({ id }, own, "edge")).toThrow("The edge has 1 problem.");
	}
});

/** Fields that follow from the path may be sent back as they were answered, and nowhere else. */
import { expect, it } from "vitest";
import { z } from "zod";
import { ApiError } from "../../../src/errors.ts";
import { documentIn } from "../../../src/management/resources/documents.ts";

const own = { id: "e" };
const read = (body: unknown, schema: z.ZodType = z.unknown()): unknown =>
	documentIn(Buffer.from(JSON.stringify(body)), schema, own, "edge");

function refusal(body: unknown, schema: z.ZodType = z.unknown()): ApiError {
	try {
		read(body, schema);
	} catch (error) {
		if (error instanceof ApiError) return error;
		throw error;
	}
	throw new Error("not refused");
}

it("tells line and column of what is no JSON", () => {
	const parse = (text: string) => () => documentIn(Buffer.from(text), z.unknown(), own, "edge");
	expect(parse("{\n  x")).toThrow(/not valid JSON: line 2, column 3: /);
	expect(parse("")).toThrow(ApiError);
});

it("takes own fields out and leaves everything else as it is", () => {
	expect(read({ id: "e", a: 1 })).toEqual({ a: 1 });
	expect(read({ a: { id: "x" } })).toEqual({ a: { id: "x" } });
	for (const value of [null, 1, "id", [{ id: "x" }]]) expect(read(value)).toEqual(value);
	expect(read({ toString: 1 })).toEqual({ toString: 1 });
	for (const id of ["x", 5, null, ["e"]]) {
		expect(refusal({ id }).message).toBe("The edge has 1 problem.");
	}
});

it("takes null for a field that has a default as absent", () => {
	const schema = z.strictObject({ a: z.string().default("x"), b: z.number() });
	expect(read({ a: null, b: 1 }, schema)).toEqual({ a: "x", b: 1 });
	expect(refusal({ a: null, b: null }, schema).problems.map(({ pointer }) => pointer)).toEqual([
		"/b",
	]);
});

it("tells a misplaced document's other problems too, in the document's order", () => {
	const schema = z.strictObject({ a: z.string(), b: z.number() });
	const { problems } = refusal({ a: 1, id: "other", b: "x", c: 0 }, schema);
	expect(problems.map(({ pointer }) => pointer)).toEqual(["/a", "/id", "/b", "/c"]);
});

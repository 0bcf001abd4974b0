/** Nulls are left out where the schema has a default, and nowhere else. */
import { expect, test } from "vitest";
import { z } from "zod";
import { withoutNulls } from "../../src/documents/nulls.ts";

const schema = z.strictObject({
	needed: z.string(),
	nullable: z.string().nullable(),
	optional: z.string().optional(),
	defaulted: z.array(z.string()).default([]),
	inner: z.strictObject({ needed: z.int(), optional: z.int().optional() }).optional(),
	list: z.array(z.strictObject({ optional: z.int().optional() })).default([]),
});

test.each([
	[{ optional: null, defaulted: null }, {}],
	[
		{ needed: null, nullable: null },
		{ needed: null, nullable: null },
	],
	[{ inner: { needed: null, optional: null } }, { inner: { needed: null } }],
	[{ inner: null }, {}],
	[{ unknown: null }, { unknown: null }],
	[{ list: [{ optional: null }] }, { list: [{ optional: null }] }],
])("%j", (value, expected) => {
	const before = structuredClone(value);
	expect(withoutNulls(value, schema)).toEqual(expected);
	expect(value).toEqual(before);
});

test("what holds none, or has no known fields, is not copied", () => {
	const plain = { needed: "a", inner: { needed: 1 } };
	expect(withoutNulls(plain, schema)).toBe(plain);
	const unknown = { a: null };
	expect(withoutNulls(unknown, z.unknown())).toBe(unknown);
});

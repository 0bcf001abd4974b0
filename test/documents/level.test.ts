/** A document needs the level of the newest element that it holds, wherever that stands; what it holds by default counts not. */
import { expect, it } from "vitest";
import { z } from "zod";
import { levelIn, since } from "../../src/documents/level.ts";

const plain = z.strictObject({ name: z.string() });

it("is 1 as long as no element says another", () => {
	expect(levelIn(plain, { name: "x" })).toBe(1);
});

it.each([
	["nothing new", { name: "x" }, 1],
	["a field", { name: "x", extra: 1 }, 2],
	["a field with its default", { name: "x", list: [] }, 1],
	["a field with another value", { name: "x", list: ["y"] }, 3],
	["one of several forms", { name: "x", actions: [{ type: "old" }, { type: "new" }] }, 4],
	["the other form", { name: "x", actions: [{ type: "old" }] }, 1],
	["a value of a table", { name: "x", table: { any: { deep: true } } }, 5],
	["what does not fit", { name: "x", actions: 7, table: null }, 1],
])("%s", (_, document, level) => {
	const schema = plain.extend({
		extra: since(2, z.int()).optional(),
		list: since(3, z.array(z.string()).default([])),
		actions: z
			.array(
				z.discriminatedUnion("type", [
					z.strictObject({ type: z.literal("old") }),
					since(4, z.strictObject({ type: z.literal("new") })),
				]),
			)
			.optional(),
		table: z
			.record(z.string(), z.strictObject({ deep: since(5, z.boolean()) }))
			.nullable()
			.optional(),
	});
	expect(levelIn(schema, document)).toBe(level);
});

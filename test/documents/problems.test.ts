import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { check, findings } from "../../src/documents/problems.ts";
import { LIMITS } from "../../src/limits/limits.ts";

const leaf = z.strictObject({ size: z.int().min(1).max(5), name: z.string().max(3).optional() });
const shape = z.union([
	z.string(),
	z.array(z.strictObject({ address: z.string(), port: z.number().optional() })).min(1),
]);
const kind = z.discriminatedUnion("type", [
	z.strictObject({ type: z.literal("deny") }),
	z.strictObject({ type: z.literal("log"), config: leaf }),
]);
const schema = z.strictObject({
	"a/b": z.array(leaf).optional(),
	listen: shape.optional(),
	kinds: z.array(kind).optional(),
	level: z.enum(["warn", "info"]).optional(),
	path: z.string().startsWith("/").optional(),
});

const messages = (value: unknown): string[] => {
	const checked = check(schema, value);
	return checked.ok
		? []
		: checked.error.map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`);
};

describe("says what is wrong, where, in words", () => {
	test.each<[unknown, string[]]>([
		[{}, []],
		[null, [" wrong_type: expected an object, got null"]],
		[[], [" wrong_type: expected an object, got a list"]],
		[{ lisen: 1 }, ['/lisen unknown_field: unknown field "lisen"; did you mean "listen"?']],
		[
			{ zzz: 1 },
			['/zzz unknown_field: unknown field "zzz"; valid here: a/b, listen, kinds, level, path'],
		],
		[
			{ "a/b": [{ size: 0.5 }, { size: 9 }, { size: 1, name: "long" }, {}] },
			[
				"/a~1b/0/size wrong_type: expected an integer, got the number 0.5",
				"/a~1b/1/size too_big: must be at most 5, got the number 9",
				"/a~1b/2/name too_big: must have at most 3 characters, has 4",
				"/a~1b/3/size required: is required: a number",
			],
		],
		[{ listen: 5 }, ["/listen wrong_type: expected a string or a list, got the number 5"]],
		[{ listen: [] }, ["/listen too_small: must have at least 1 element, has 0"]],
		[
			{ listen: [{ adress: "x" }] },
			[
				'/listen/0/adress unknown_field: unknown field "adress"; did you mean "address"?',
				"/listen/0/address required: is required: a string",
			],
		],
		[
			{ kinds: [{ type: "dney" }, {}, { type: 5 }, 3, { type: "log" }] },
			[
				'/kinds/0/type unknown_value: unknown value "dney"; did you mean "deny"? Valid values: "deny", "log"',
				'/kinds/1/type required: is required: one of "deny", "log"',
				'/kinds/2/type wrong_type: expected one of "deny", "log", got the number 5',
				"/kinds/3 wrong_type: expected an object, got the number 3",
				"/kinds/4/config required: is required: an object",
			],
		],
		[{ level: null }, ['/level wrong_type: expected one of "warn", "info", got null']],
		[{ path: "x" }, ['/path invalid_value: must start with "/"']],
	])("%j", (value, expected) => {
		expect(messages(value)).toEqual(expected);
	});
});

test("problems come in the order of the document, missing fields last", () => {
	const value = { path: 1, zzz: 1, level: 1, "a/b": [{ name: 1 }, 3] };
	expect(messages(value).map((line) => line.split(" ")[0])).toEqual([
		"/path",
		"/zzz",
		"/level",
		"/a~1b/0/name",
		"/a~1b/0/size",
		"/a~1b/1",
	]);
});

test("more problems than the bound are counted in the last entry", () => {
	const total = LIMITS.problemsPerDocument + 23;
	const value = Object.fromEntries(Array.from({ length: total }, (_, index) => [`x${index}`, 1]));
	const lines = messages(value);
	expect(lines).toHaveLength(LIMITS.problemsPerDocument);
	expect(lines.at(-1)).toBe(" more_problems: and 24 more problems");
});

test("a very long name is not repeated whole", () => {
	expect(messages({ ["x".repeat(100_000)]: 1 })[0]?.split(": ")[1]?.length).toBeLessThan(200);
});

test("no value makes it throw, and no sentence speaks of the schema's insides", () => {
	fc.assert(
		fc.property(fc.anything({ withNullPrototype: true }), (value) => {
			const given = { "a/b": [value], listen: value, kinds: [value], level: value };
			const checked = check(schema, given);
			for (const { message } of checked.ok ? [] : checked.error) {
				// Names and values that were given may be anything, and are quoted.
				const words = message.replace(/"(?:[^"\\]|\\.)*"/g, "");
				expect(words).not.toMatch(/invalid input|discriminator|zod/i);
			}
		}),
	);
});

describe("a secret", () => {
	test("is not repeated by any sentence", () => {
		const schema = z.strictObject({ list: z.array(z.string()), one: z.enum(["a", "b"]) });
		const given = { list: "secret-1", one: "secret-2" };
		const found = findings(schema, given, () => true);
		const messages = found.ok ? [] : found.error.map(({ message }) => String(message));
		expect(messages).toEqual([
			"expected a list, got a string (not repeated here, as it may hold a secret)",
			'unknown value; valid values: "a", "b" (not repeated here, as it may hold a secret)',
		]);
	});
});

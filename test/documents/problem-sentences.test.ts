import { expect, test } from "vitest";
import { z } from "zod";
import { described, sentenceFor } from "../../src/documents/problem-sentences.ts";

const sentence = (schema: z.ZodType, value: unknown): string => {
	const issue = schema.safeParse(value).error?.issues[0];
	if (issue === undefined) throw new Error("accepted");
	return sentenceFor(issue, value).message;
};

test.each<[z.ZodType, unknown, string]>([
	[z.string(), 1, "expected a string, got the number 1"],
	[z.boolean(), "true", 'expected true or false, got the string "true"'],
	[z.number(), null, "expected a number, got null"],
	[z.int(), 1.5, "expected an integer, got the number 1.5"],
	[z.array(z.string()), {}, "expected a list, got an object; a list of one is [{…}]"],
	[z.record(z.string(), z.string()), [], "expected an object, got a list"],
	[z.string(), undefined, "is required: a string"],
	[z.literal("a"), "b", 'unknown value "b"; valid values: "a"'],
	[z.union([z.string(), z.boolean()]), 1, "expected a string or true or false, got the number 1"],
	[z.number().min(2), 1, "must be at least 2, got the number 1"],
	[z.number().gt(2), 2, "must be more than 2, got the number 2"],
	[z.string().min(1), "", "must have at least 1 character, has 0"],
	[z.string().max(2), "\u{1f600}".repeat(3), "must have at most 2 characters, has 3"],
	[z.string().max(2), "e\u0301\ud83d", "must have at most 2 characters, has 3"],
	[z.string().min(2), "\u{1f600}", "must have at least 2 characters, has 1"],
	[z.string().endsWith("x"), "y", 'must end with "x"'],
	[z.number().multipleOf(5), 4, "must be a multiple of 5"],
	[z.string().refine(() => false, "is not mine"), "y", "is not mine"],
])("%#: %j", (schema, value, expected) => {
	expect(sentence(schema, value)).toBe(expected);
});

test("describes values without repeating long ones", () => {
	expect(described("x".repeat(1000)).length).toBeLessThan(120);
	expect([null, [], {}, true, 3, "a"].map(described)).toEqual([
		"null",
		"a list",
		"an object",
		"true",
		"the number 3",
		'the string "a"',
	]);
});

import { expect, test } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { name, statusCode, text } from "../../../src/policy/document/fields.ts";

test("text is bounded in bytes, and published with the bound", () => {
	const four = text(4);
	expect(["éé", "abcd", "ééa", 5].map((value) => four.safeParse(value).success)).toEqual([
		true,
		true,
		false,
		false,
	]);
	expect(four.safeParse("ééa").error?.issues[0]?.message).toBe("is 5 bytes long; at most 4");
	expect(four.meta()).toEqual({ maxLength: 4 });
});

test("names are bounded in characters", () => {
	expect(name.safeParse("é".repeat(LIMITS.nameCharacters)).success).toBe(true);
	expect(name.safeParse("é".repeat(LIMITS.nameCharacters + 1)).success).toBe(false);
});

test("status codes are whole and within their bounds", () => {
	const given = [200, 599, 199, 600, 200.5, "200"];
	expect(given.map((value) => statusCode.safeParse(value).success)).toEqual([
		true,
		true,
		false,
		false,
		false,
		false,
	]);
});

import { describe, expect, test } from "vitest";
import { isObject, isText, member } from "../../../src/policy/document/members.ts";

test("member reads own members only", () => {
	expect(member({ a: 1 }, "a")).toBe(1);
	expect(member({ a: 1 }, "toString")).toBeUndefined();
});

describe("kinds of values", () => {
	test("objects are neither lists nor null", () => {
		expect([{}, [], null, "x"].map(isObject)).toEqual([true, false, false, false]);
	});

	test("text is bounded in bytes", () => {
		expect([isText("éé", 4), isText("éé", 3), isText(5, 9)]).toEqual([true, false, false]);
	});
});

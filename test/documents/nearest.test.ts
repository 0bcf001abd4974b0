import { describe, expect, test } from "vitest";
import { nearest, suggestion } from "../../src/documents/nearest.ts";

const FIELDS = ["enabled", "inbound", "outbound", "expressions", "status_code", "content"];

describe("nearest", () => {
	test.each([
		["expresions", "expressions"],
		["statusCode", "status_code"],
		["status-code", "status_code"],
		["INBOUND", "inbound"],
		["oubtound", "outbound"],
		["zzz", undefined],
		["", undefined],
		["x".repeat(100_000), undefined],
	])("$0", (name, expected) => {
		expect(nearest(name, FIELDS)).toBe(expected);
	});

	test("one letter is not mistaken for another", () => {
		expect(nearest("b", ["a"])).toBeUndefined();
	});
});

test("names of older documents are answered with today's, where that exists", () => {
	expect(suggestion("body", ["content", "headers"])).toBe('; did you mean "content"?');
	expect(suggestion("on_http_request", FIELDS)).toBe('; did you mean "inbound"?');
	expect(suggestion("on_http_response", FIELDS)).toBe('; did you mean "outbound"?');
	expect(suggestion("body", ["metadata"])).toBe("");
	expect(suggestion("constructor", FIELDS)).toBe("");
});

import { expect, test } from "vitest";
import { contentTypeOf } from "../../../../src/policy/actions/custom-response/content-type.ts";

const HTML = "text/html; charset=utf-8";
const TEXT = "text/plain; charset=utf-8";

test.each([
	["", TEXT],
	["hello", TEXT],
	["{}", "application/json"],
	[' {"a": [1]}\n', "application/json"],
	["[]", "application/json"],
	["{not json}", TEXT],
	["[1,]", TEXT],
	["42", TEXT],
	['"text"', TEXT],
	["null", TEXT],
	["<!doctype html><p>", HTML],
	["<!DOCTYPE HTML>", HTML],
	["<html><body>", HTML],
	["\n <HTML lang=en>", HTML],
	["<p>hello</p>", TEXT],
	["<!-- --><html>", TEXT],
	["[".repeat(100_000), TEXT],
])("$0 is $1", (content, type) => {
	expect(contentTypeOf(content)).toBe(type);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import {
	isUrlVariable,
	queryArgument,
	urlVariable,
} from "../../../../src/policy/actions/url-rewrite/variables.ts";
import { exchangeOf } from "../../support.ts";

const { url } = exchangeOf({ url: "http://h:81/a%20b/./c?x=1&Y=%2f&x=2&z&=e" });

test.each([
	["args", "x=1&Y=%2f&x=2&z&=e"],
	["query_string", "x=1&Y=%2f&x=2&z&=e"],
	["is_args", "?"],
	["uri", "/a%20b/c"],
	["request_uri", "/a%20b/c?x=1&Y=%2f&x=2&z&=e"],
	["scheme", "http"],
	["host", "h"],
	["authority", "h:81"],
	["port", "81"],
	["arg_x", "1"],
	["arg_y", "%2f"],
	["arg_z", ""],
	["arg_q", ""],
])("$%s is %j", (name, expected) => {
	expect(isUrlVariable(name)).toBe(true);
	expect(urlVariable(name)(url)).toBe(expected);
});

test("is_args is empty without a query, also behind a lonely question mark", () => {
	expect(urlVariable("is_args")(exchangeOf({ url: "http://h/" }).url)).toBe("");
	expect(urlVariable("is_args")(exchangeOf({ url: "http://h/?" }).url)).toBe("");
});

test.each(["", "arg_", "ARGS", "remote_addr", "constructor", "toString"])("$%s is none", (name) => {
	expect(isUrlVariable(name)).toBe(false);
});

test("queryArgument finds what splitting finds", () => {
	const text = fc.stringMatching(/^[abA=]{0,3}$/);
	fc.assert(
		fc.property(fc.array(text), fc.constantFrom("a", "b", "ab", "B"), (pieces, name) => {
			const found = pieces
				.map((piece) => /^([^=]*)=?(.*)$/.exec(piece))
				.find((match) => match?.[1]?.toLowerCase() === name.toLowerCase());
			expect(queryArgument(pieces.join("&"), name)).toBe(found?.[2] ?? "");
		}),
	);
});

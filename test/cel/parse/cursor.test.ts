/** What is said about the first token that does not fit, and where. */
import { expect, test } from "vitest";
import { parse } from "../../../src/cel/parse/parse.ts";

test.each([
	["a b", 2, 'unexpected "b", where the end of the expression should be'],
	["1 +", 3, "the expression ends where a value should be"],
	["&& a", 0, 'unexpected "&&", where a value should be'],
	["a or b", 2, 'unexpected "or"; "or" is written "||"'],
	["[1, 2", 0, '"[" is not closed with "]"'],
	["f(1 2)", 4, 'unexpected "2", where "," or ")" should be'],
	["{1: 2", 0, '"{" is not closed with "}"'],
	["{1}", 2, 'unexpected "}", where ":" should be'],
	["a ? b", 5, 'the expression ends where ":" should be'],
	["a 1.50 b", 2, 'unexpected "1.50", where the end of the expression should be'],
	["a 'b\\n'", 2, "unexpected \"'b\\\\n'\", where the end of the expression should be"],
	["a..b", 2, 'unexpected ".", where a name should be'],
	[
		`a ${"b".repeat(99)}`,
		2,
		`unexpected "${"b".repeat(40)}…", where the end of the expression should be`,
	],
])("%s", (source, offset, message) => {
	const parsed = parse(source);
	expect(parsed.ok ? undefined : parsed.fault).toEqual({
		offset,
		code: "expression_syntax",
		message,
	});
});

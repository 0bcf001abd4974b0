import { expect, test } from "vitest";
import { canonicalElement } from "../../../../src/policy/actions/rate-limit/bucket-key.ts";
import { keyElements } from "../../../../src/policy/actions/rate-limit/elements.ts";
import { Compiler } from "../../../../src/policy/programs/compiler.ts";
import type { FieldProblem } from "../../../../src/policy/programs/problem.ts";

function read(...bucket_key: unknown[]): { elements: string[]; problems: string[] } {
	const problems: FieldProblem[] = [];
	const elements = keyElements({ bucket_key }, new Compiler(), problems).map(canonicalElement);
	return {
		elements,
		problems: problems.map(
			({ path, code, message }) => `${String(path[1])} ${code}: ${message.split("\n")[0]}`,
		),
	};
}

test("forms and expressions stand in one order, each once, whatever blanks are around them", () => {
	const { elements, problems } = read(
		" req.method ",
		"conn.client_ip ",
		"getReqHeader('X')",
		"int(req.url.port) % 2",
	);
	expect(problems).toEqual([]);
	expect(elements).toEqual([
		"conn.client_ip",
		"int(req.url.port) % 2",
		"req.headers['x']",
		"req.method",
	]);
	expect(read("req.method", "req.method ").problems).toEqual([
		"1 duplicate: is the same element as another one: req.method",
	]);
});

test("an expression may be longer than a line and end in a comment", () => {
	expect(read("req.method // of the request").problems).toEqual([]);
	expect(read("req.method +\n'x'").problems).toEqual([]);
});

test.each([
	["req.hots", '0 invalid_value: unknown bucket_key element "req.hots"; did you mean'],
	["req.headers['a b']", '0 invalid_value: "a b" is no header name'],
	["req.method +", "0 expression_syntax: "],
	["req.method } 'x", "0 "],
	["req.method} {", "0 "],
	["1 + 'a'", "0 expression_type: "],
	["null", '0 expression_type: "null" is a null; an element of a key is'],
	["b'x'", "0 expression_type: \"b'x'\" is a bytes"],
	["[timestamp('2026-01-01T00:00:00Z')]", "0 expression_type: "],
	["res.status_code", "0 "],
	["nothing.there", "0 unknown_variable: "],
])("%s is refused", (text, sentence) => {
	const { problems } = read(text);
	expect(problems[0]?.slice(0, sentence.length)).toBe(sentence);
});

test("a mistake's place is told in the text as it was written", () => {
	const problems: FieldProblem[] = [];
	keyElements({ bucket_key: ["req.method + nothing"] }, new Compiler(), problems);
	expect(problems[0]?.message).toContain("(line 1, column 14)");
	expect(problems[0]?.message).not.toContain("${");
});

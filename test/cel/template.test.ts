/** Texts with expressions in them: where an expression ends, what a value is as text, where problems sit. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { EvaluationFailure, isSuspension } from "../../src/cel/expression.ts";
import { ATTRIBUTES } from "./attributes.ts";
import { compileTemplate } from "./compiled.ts";

function render(source: string): string {
	const compiled = compileTemplate(source, "inbound");
	if (!compiled.ok) throw new Error(compiled.error.map(({ message }) => message).join("; "));
	const text = compiled.value.render(ATTRIBUTES);
	if (isSuspension(text)) return "suspended";
	return text instanceof EvaluationFailure ? `failure: ${text.message}` : text;
}

test.each([
	[
		"began at ${conn.ts.start}, now ${timestamp(time.now)}",
		"began at 2023-11-14T22:13:20Z, now 2023-11-14T22:13:21Z",
	],
	['{"id": "${endpoint.id}"}', '{"id": "edge-1"}'],
	["$${req.method} $$ $ ${req.method}$", "${req.method} $$ $ POST$"],
	["$$${req.method}", "$${req.method}"],
	["${'}'}${\"{\"}${r'\\}'}${'''}'}'''}", "}{\\}}'}"],
	["${ {'a': {'b': 1}} }", '{"a":{"b":1}}'],
	["${req.method // } '\n}", "POST"],
	["${'a\\'}' + 'b'}", "a'}b"],
	["${1}|${2u}|${1.5}|${2.0}|${true}|${null}|${'ä'}|${b'abc'}", "1|2|1.5|2|true||ä|abc"],
	["${duration('1.5s')}|${duration('-90m')}|${duration('0s')}", "1.5s|-5400s|0s"],
	[
		"${[1, 2u, 'a', null, b'x', 1.5, time.now]}",
		'[1,2,"a",null,"eA==",1.5,"2023-11-14T22:13:21Z"]',
	],
	["${[9223372036854775807, 1]}", '["9223372036854775807",1]'],
	["${req.headers['accept']}", '["text/html","application/json"]'],
	["${getReqCookie('theme')}", '{"name":"theme","value":"dark"}'],
	["${type(1)}", "int"],
	["${1 / 0}", "failure: division by zero: 1 / 0"],
	["${b'\\xff'}", "failure: bytes that are not the UTF-8 of a text"],
])("%s", (source, text) => {
	expect(render(source)).toBe(text);
});

test("a text without expressions is known as such", () => {
	const literalOf = (source: string): string | undefined => {
		const compiled = compileTemplate(source, "inbound");
		return compiled.ok ? compiled.value.literal : undefined;
	};
	expect(literalOf("plain")).toBe("plain");
	expect(literalOf("")).toBe("");
	expect(literalOf("$${a}")).toBe("${a}");
	expect(literalOf("a${1}")).toBeUndefined();
});

test("all problems are placed in the whole text", () => {
	const compiled = compileTemplate("a\n${foo_bar} ${1 + 'a'}\n${", "inbound");
	const problems = compiled.ok ? [] : compiled.error;
	expect(problems.map(({ code, line, column }) => `${line}:${column} ${code}`)).toEqual([
		"2:3 unknown_variable",
		"2:16 expression_type",
		"3:1 template_syntax",
	]);
	expect(problems[1]?.excerpt).toBe("${foo_bar} ${1 + 'a'}\n               ^");
});

test("expressions are checked for the phase", () => {
	expect(compileTemplate("${res.status_code}", "inbound").ok).toBe(false);
	expect(compileTemplate("${res.status_code}", "outbound").ok).toBe(true);
});

test("property: any text whose dollars are doubled before braces renders as itself", () => {
	fc.assert(
		fc.property(fc.string({ unit: fc.constantFrom("$", "{", "}", "a", "'", "\n") }), (text) => {
			expect(render(text.replaceAll("${", () => "$${"))).toBe(text);
		}),
	);
});

test("property: a string written into an expression comes out as it went in", () => {
	fc.assert(
		fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, around) => {
			fc.pre(!around.includes("$"));
			expect(render(`${around}\${${JSON.stringify(text)}}${around}`)).toBe(around + text + around);
		}),
	);
});

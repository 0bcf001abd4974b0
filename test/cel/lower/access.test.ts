/** Headers in all their spellings, fields, indices and `has`. */
import { expect, test } from "vitest";
import { resultOf } from "../sources.ts";

test.each([
	["req.headers['ACCEPT']", '[string "text/html", string "application/json"]'],
	["req.headers.Accept", '[string "text/html", string "application/json"]'],
	["getReqHeader('accept')", '[string "text/html", string "application/json"]'],
	["req.headers['Acc' + 'ept']", '[string "text/html", string "application/json"]'],
	["[req.headers][0]['accept'][0]", 'string "text/html"'],
	["dyn(req.headers).accept[0]", 'string "text/html"'],
	["req.headers['no'] == [] && req.headers.no == [] && dyn(req.headers).no == []", "bool true"],
	["'Accept' in req.headers && has(req.headers.ACCEPT) && hasReqHeader('accept')", "bool true"],
	["'no' in req.headers || has(req.headers.no) || has(dyn(req.headers).no)", "bool false"],
	["req.headers.?no.hasValue()", "bool false"],
	["req.headers[?'accept'].orValue([]).size()", "int 2"],
	["req.cookies['theme'][0].value", 'string "dark"'],
	["req.headers['hos\\u017f'] == [] && !('\\u212a' in req.headers)", "bool true"],
	["req.cookies.none", "[]"],
	["res.cookies.id[0].max_age + 1", "int 61"],
	["dyn(getReqCookie('theme')).value", 'string "dark"'],
	["has(getReqCookie('theme').value)", "bool true"],
	["{'a': {'b': 1}}.a.b", "int 1"],
	["has({'a': 1}.b)", "bool false"],
	["[10, 20][1]", "int 20"],
	["[10, 20][dyn(1.0)]", "int 20"],
	["{1: 'a', 2u: 'b'}[dyn(2.0)]", 'string "b"'],
	["type(req.headers) == map && type(1) == int && type(int) == type", "bool true"],
])("%s", (source, result) => {
	expect(resultOf(source)).toBe(result);
	expect(resultOf(source, undefined, true)).toBe(result);
});

test.each([
	"[1][1]",
	"[1][-1]",
	"[1][9223372036854775807]",
	"{'a': 1}.b",
	"{'a': 1}['b']",
	"dyn(1).a",
	"[1][dyn('x')]",
	"dyn({})[?dyn([])].value()",
])("%s fails", (source) => {
	expect(resultOf(source)).toMatch(/^failure: /);
});

test.each([
	["[null, req.cookies.theme[0]].exists(c, has(c.name))", "bool true"],
	[
		"has((req.method == 'GET' ? req.cookies.theme[0] : null).name) || req.method == 'POST'",
		"bool true",
	],
])("%s: a record that is null is a failure that others make up for", (source, result) => {
	expect(resultOf(source)).toBe(result);
});

/** Names: loop variables before variables, variables before groups, fields of maps and records. */
import { expect, test } from "vitest";
import { faultsOf, resultOf, typeOf } from "../checked.ts";

test.each([
	["req.url", "string"],
	["req.url.path", "string"],
	["req.headers.host", "list<string>"],
	["req.cookies.session", "list<cookie>"],
	["req.cookies['a'][0].value", "string"],
	["res.cookies['a'][0].max_age", "int"],
	["google.protobuf.Timestamp", "type"],
	["dyn(1).a.b", "dyn"],
	["{'a': 1}.a", "int"],
	["{1: 1}.a", "expression_type"],
	["conn", "unknown_variable"],
	["req.url.path.a", "expression_type"],
	["has(req.url.path)", "expression_type"],
])("%s is %s", (source, type) => {
	expect(typeOf(source)).toBe(type);
});

test("a loop variable hides a variable's root, a leading dot finds it", () => {
	expect(resultOf("['a'].map(req, req)")).toBe('[string "a"]');
	expect(resultOf("['a'].map(req, .req.method)")).toBe('[string "POST"]');
	expect(resultOf("[{'url': 1}].map(req, req.url)")).toBe("[int 1]");
	expect(resultOf("[[1]].map(conn, conn.map(conn, conn))")).toBe("[[int 1]]");
});

test("unknown names are placed where they start", () => {
	expect(faultsOf("  req.url.pathh == ''")).toEqual([
		'2: unknown variable "req.url.pathh"; did you mean "req.url.path"?',
	]);
	expect(faultsOf("req.content_type.x == ''")).toEqual([
		'0: unknown variable "req.content_type.x"; "req.content_type" has .raw .parameters',
	]);
});

test("what exists outbound only is refused inbound, and checked no less", () => {
	expect(faultsOf("res.status_code == 'a'", "inbound")).toEqual([
		'0: "res.status_code" exists in outbound rules only',
		"16: cannot compare int with string",
	]);
});

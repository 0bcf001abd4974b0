/** Names: loop variables before variables, variables before groups, fields of maps and records. */
import { expect, test } from "vitest";
import { checkedTree, faultsOf, shapeOf, typeOf } from "../checked.ts";

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

test.each([
	["['a'].map(req, req)", "[req]"],
	["['a'].map(req, .req.method)", "[req.method]"],
	["[{'url': 1}].map(req, req.url)", "[(req.url)]"],
	["[[1]].map(req, req.map(conn, [conn, req]))", "[conn, req]"],
	["['a'].map(x, req.method)", "[req.method]"],
	["cel.bind(req, 1, [req])", "[req]"],
	["[1].map(int, int)", "[int]"],
	["[int]", "[int]"],
	["[req.headers.host]", "[(req.headers.host)]"],
	["[has(req.headers.host)]", "[(has req.headers.host)]"],
	["[google.protobuf.Duration]", "[google.protobuf.Duration]"],
])("%s holds %s: loop variables hide others, a leading dot finds them", (source, part) => {
	expect(shapeOf(checkedTree(source).expr)).toContain(part);
});

test("what reads the exchange or asks for chance varies, nothing else", () => {
	for (const source of [
		"req.method",
		"has(req.headers.a)",
		"getReqHeader('a')",
		"rand.int(1, 2)",
	]) {
		expect(checkedTree(source).scope.varies, source).toBe(true);
	}
	for (const source of ["1 + 2", "[1].map(req, req)", "base64.encode('a')", "int"]) {
		expect(checkedTree(source).scope.varies, source).toBe(false);
	}
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

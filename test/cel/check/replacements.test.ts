/** Functions that stand for a look-up, and literals that are judged where they are written. */
import { expect, test } from "vitest";
import { checkedTree, faultsOf, overloadsOf, shapeOf, typeOf } from "../checked.ts";

test.each([
	[
		"getReqHeader('a')",
		'_[_](req.headers, stringValue "a")',
		"list<string>",
		"_[_](map<A, B>, A) -> B",
	],
	["hasReqHeader('a')", '@in(stringValue "a", req.headers)', "bool", "@in(A, map<A, B>) -> bool"],
	[
		"getReqCookie('a')",
		'@firstCookie(_[_](req.cookies, stringValue "a"))',
		"cookie",
		"@firstCookie(list<cookie>) -> cookie",
	],
	[
		"getResCookie('a')",
		'@firstSetCookie(_[_](res.cookies, stringValue "a"))',
		"set_cookie",
		"@firstSetCookie(list<set_cookie>) -> set_cookie",
	],
	["hasResCookie('a')", '@in(stringValue "a", res.cookies)', "bool", "@in(A, map<A, B>) -> bool"],
	[
		"getQueryParam(req.method)",
		"_[_](req.url.query_params, req.method)",
		"list<string>",
		"_[_](map<A, B>, A) -> B",
	],
])("%s becomes %s", (source, tree, type, signature) => {
	const { expr, scope } = checkedTree(source);
	expect(shapeOf(expr)).toBe(tree);
	expect(typeOf(source)).toBe(type);
	expect(overloadsOf(expr).map((overload) => overload.signature)).toEqual([signature]);
	expect(scope.varies).toBe(true);
});

test("the response's are refused inbound", () => {
	expect(faultsOf("hasResHeader('a')", "inbound")).toEqual([
		'0: "res.headers" exists in outbound rules only',
	]);
});

test("patterns are judged where they are written", () => {
	expect(faultsOf("req.method.matches('a') && matches(req.method, '(')")).toHaveLength(1);
	expect(faultsOf("req.method.matches(req.host)")).toEqual([]);
	const many = Array.from({ length: 30 }, (_, at) => `req.method.matches('a{${700 + at}}')`);
	expect(faultsOf(many.join(" || "))[0]).toContain("the patterns of the expression are too large");
});

test("addresses and ranges are judged where they are written, and stay", () => {
	expect(faultsOf("inCidrRange('1.2.3.4', conn.client_ip)")).toEqual([]);
	expect(faultsOf("inCidrRange('1.2.3', '1.2.3.4/33')")).toHaveLength(2);
	expect(
		faultsOf("inCidrRanges(conn.client_ip, ['1.2.3.0/24', 'x', conn.server_ip])"),
	).toHaveLength(1);
	expect(shapeOf(checkedTree("inCidrRange(conn.client_ip, '10.0.0.0/8')").expr)).toBe(
		'inCidrRange(conn.client_ip, stringValue "10.0.0.0/8")',
	);
});

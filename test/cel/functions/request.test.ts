/** Functions that checked expressions call in place of others. */
import { expect, test } from "vitest";
import { resultOf } from "../sources.ts";

test.each([
	["getReqCookie('session')", '{string "name": string "session", string "value": string "abc"}'],
	["getReqCookie('nope')", '{string "name": string "", string "value": string ""}'],
	["getResCookie('id').path", 'string "/"'],
	["getResCookie('nope').max_age", "int 0"],
	["'abc'.matches('b')", "bool true"],
	["'abc'.matches('^b')", "bool false"],
	["req.method.matches(req.method)", "bool true"],
	[
		"req.method.matches('(' + req.method)",
		'failure: the pattern is invalid: missing closing ) at "(POST"',
	],
	["inCidrRange(conn.client_ip, conn.client_ip + '/32')", "bool true"],
	[
		"inCidrRanges('10.0.0.1', ['10.0.0.0/8', req.method])",
		"failure: not the text of an address range",
	],
	["inCidrRanges('10.0.0.1', [])", "bool false"],
	["dyn(1) in {1u: 'a'} && dyn(2.0) in {2: 'a'}", "bool true"],
])("%s", (source, value) => {
	expect(resultOf(source)).toBe(value);
});

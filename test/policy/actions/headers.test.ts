/** Names that no action changes, and values that can't be sent. */
import { expect, test } from "vitest";
import { fieldMistake, isFilled, renderedHeaders } from "../../../src/policy/actions/headers.ts";
import { Compiler } from "../../../src/policy/programs/compiler.ts";
import { exchangeOf, PLACE } from "../support.ts";

test.each([
	["x-a", undefined],
	["host", undefined],
	["Content-Length", "frames the message"],
	["transfer-encoding", "frames the message"],
	["Connection", "belongs to the connection"],
	["proxy-authorization", "belongs to the connection"],
	["x a", "is no header name"],
	["", "is no header name"],
])("%s", (name, mistake) => {
	if (mistake === undefined) expect(fieldMistake(name)).toBeUndefined();
	else expect(fieldMistake(name)).toContain(mistake);
});

test.each([
	["plain", [["x", "plain"]]],
	["${req.method}", [["x", "GET"]]],
	["${'a\\r\\nb'}", { kind: "failed" }],
	["${'a\\u0000'}", { kind: "failed" }],
	["${req.headers['long'].join('')}", { kind: "failed" }],
	["${req.headers['none'][0]}", { kind: "failed" }],
])("%s", (text, expected) => {
	const value = new Compiler().template(text, "inbound");
	if (!value.ok) throw new Error(text);
	const exchange = exchangeOf({ headers: [["long", "v".repeat(8193)]] });
	const lines = renderedHeaders([{ name: "x", value: value.value }], exchange, PLACE, undefined);
	expect(lines).toEqual(expected);
	expect(isFilled(lines)).toBe(Array.isArray(expected));
	expect(exchange.failures).toHaveLength(Array.isArray(expected) ? 0 : 1);
});

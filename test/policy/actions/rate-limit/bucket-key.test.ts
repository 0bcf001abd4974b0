import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Attributes } from "../../../../src/cel/attributes.ts";
import {
	canonicalElement,
	type KeyElement,
	parseKeyForm,
	readKey,
} from "../../../../src/policy/actions/rate-limit/bucket-key.ts";
import { exchangeOf } from "../../support.ts";

/** The key as text, read over what is left of another one. */
function keyOf(elements: readonly KeyElement[], attributes: Attributes): string {
	const parts = elements.map(() => "left over");
	readKey(elements, attributes, 64, parts);
	return JSON.stringify(parts.map((part) => part ?? null));
}

describe("accepts exactly the four forms", () => {
	test.each([
		["req.host", "req.host"],
		["conn.client_ip", "conn.client_ip"],
		["req.headers['x-key']", "req.headers['x-key']"],
		['req.headers["X-Key"]', "req.headers['x-key']"],
		["getReqHeader('X-KEY')", "req.headers['x-key']"],
		["req . headers [ 'x-key' ]", "req.headers['x-key']"],
		["getReqHeader( 'X-Key'\n)", "req.headers['x-key']"],
		["req .host", "req.host"],
		["conn\t. client_ip", "conn.client_ip"],
		['getReqHeader("x-key")', "req.headers['x-key']"],
		["req.headers['Host']", "req.headers['host']"],
	])("%s", (text, canonical) => {
		const parsed = parseKeyForm(text);
		expect(parsed.ok && canonicalElement(parsed.value)).toBe(canonical);
	});

	const forms =
		"req.host, conn.client_ip, req.headers['name'], getReqHeader('Name'), any other CEL expression";
	test.each([
		["", `unknown bucket_key element ""; valid: ${forms}`],
		[
			"req.host ",
			`unknown bucket_key element "req.host "; did you mean "req.host"? Valid: ${forms}`,
		],
		[
			"conn.ClientIP",
			`unknown bucket_key element "conn.ClientIP"; did you mean "conn.client_ip"? Valid: ${forms}`,
		],
		[
			"req.Headers['X']",
			`unknown bucket_key element "req.Headers['X']"; did you mean "req.headers['X']"? Valid: ${forms}`,
		],
		["getReqHeader['x']", `unknown bucket_key element "getReqHeader['x']"; valid: ${forms}`],
		["req.headers['x\"]", `unknown bucket_key element "req.headers['x\\"]"; valid: ${forms}`],
		["req.headers.x", `unknown bucket_key element "req.headers.x"; valid: ${forms}`],
		["req.url.path", `unknown bucket_key element "req.url.path"; valid: ${forms}`],
		["req.headers['']", '"" is no header name'],
		["req.headers['a b']", '"a b" is no header name'],
		["req.headers['it's']", `unknown bucket_key element "req.headers['it's']"; valid: ${forms}`],
		[
			"getReqHeader( 'a' ) + getReqHeader( 'b' )",
			`unknown bucket_key element "getReqHeader( 'a' ) + getReqHeader( 'b' )"; valid: ${forms}`,
		],
		["req.headers['x']\n", `unknown bucket_key element "req.headers['x']\\n"; valid: ${forms}`],
	])("refuses %j", (text, message) => {
		const parsed = parseKeyForm(text);
		expect(parsed.ok ? parsed.value : parsed.error).toBe(message);
	});
});

const element = fc.constantFrom<KeyElement>(
	{ kind: "host" },
	{ kind: "client_ip" },
	{ kind: "header", name: "a" },
	{ kind: "header", name: "b" },
);
const value = fc.stringMatching(/^[ab:;0-3]{0,4}$/);
const request = fc.record({
	// without colons: two spellings of one IPv6 address are one key
	clientIp: fc.stringMatching(/^[ab;0-3]{0,4}$/),
	host: value,
	headers: fc.array(fc.tuple(fc.constantFrom("a", "A", "b"), value), { maxLength: 4 }),
});

test("keys are equal if and only if every element is", () => {
	const parts = (
		elements: readonly KeyElement[],
		given: { clientIp: string; host: string },
		headers: readonly (readonly [string, string])[],
	) =>
		JSON.stringify(
			elements.map((one) => {
				if (one.kind === "host") return given.host;
				if (one.kind === "client_ip") return given.clientIp;
				if (one.kind === "expression") return one.source;
				return headers.filter(([name]) => name.toLowerCase() === one.name).map(([, line]) => line);
			}),
		);
	fc.assert(
		fc.property(fc.array(element, { maxLength: 4 }), request, request, (elements, one, other) => {
			const key = ({ headers, ...given }: typeof one) =>
				keyOf(elements, { ...exchangeOf({ headers }), ...given });
			const same = parts(elements, one, one.headers) === parts(elements, other, other.headers);
			expect(key(one) === key(other)).toBe(same);
		}),
		{ numRuns: 2000 },
	);
});

test("a host has one key, however the client wrote it", () => {
	const elements: KeyElement[] = [{ kind: "header", name: "host" }];
	const keys = ["A.Example", "a.example.", "a.example:80"].map((line) =>
		keyOf(elements, { ...exchangeOf({ headers: [["host", line]] }), host: "a.example" }),
	);
	expect(keys).toEqual(['["a.example"]', '["a.example"]', '["a.example"]']);
});

test("absent, empty and repeated headers are different keys", () => {
	const elements: KeyElement[] = [{ kind: "header", name: "x" }];
	const keys = [
		[],
		[["x", ""]],
		[["x", "a"]],
		[
			["x", "a"],
			["X", "a"],
		],
		[["x", "a, a"]],
	].map((headers) => keyOf(elements, exchangeOf({ headers: headers as [string, string][] })));
	expect(new Set(keys).size).toBe(keys.length);
});

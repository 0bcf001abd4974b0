/**
 * Whole expressions: what is accepted and what it yields, what is refused and with which words, and that
 * an evaluation reads nothing that its expression does not name.
 */
import { describe, expect, test } from "vitest";
import type { Attributes } from "../../src/cel/attributes.ts";
import {
	EvaluationFailure,
	isSuspension,
	type Phase,
	type Predicate,
} from "../../src/cel/expression.ts";
import { ATTRIBUTES } from "./attributes.ts";
import { compileExpression, compilePredicate } from "./compiled.ts";

function predicate(source: string, phase: Phase = "outbound"): Predicate {
	const compiled = compilePredicate(source, phase);
	if (!compiled.ok) throw new Error(compiled.error.map(({ message }) => message).join("; "));
	return compiled.value;
}

const evaluate = (source: string): boolean | string => {
	const value = predicate(source).evaluate(ATTRIBUTES);
	if (isSuspension(value)) return "suspended";
	return value instanceof EvaluationFailure ? value.message : value;
};

function refusals(source: string, phase: Phase = "inbound"): string[] {
	const compiled = compilePredicate(source, phase);
	if (compiled.ok) return [];
	return compiled.error.map(
		({ code, line, column, message }) => `${line}:${column} ${code}: ${message}`,
	);
}

const HOLD = [
	"req.url.contains('v0/')",
	"req.method == 'POST' && req.content_length > 10000",
	"conn.geo.country_code in ['BR', 'CN']",
	"!('ChatGPT' in req.headers['user-agent'])",
	"res.status_code < 200 || res.status_code > 300",
	"'user-agent' in req.headers && 'User-Agent' in req.headers",
	"size(req.headers['user-agent'].filter(x, x.matches('(?i).*Edg/\\\\d+.*'))) > 0",
	"!req.user_agent.matches('(?i).*(chatgpt-user|gptbot)/\\\\d+.*')",
	"req.url.path != '/api/example'",
	"[1].exists(req, req == 1)",
	"['a'].exists(res, res.startsWith('a')) && res.status_code == 500",
	"[{'path': 1}].all(url, url.path == 1)",
	"[{'method': 'x'}].all(req, req['method'] == 'x' && req.method == 'x' && .req.method == 'POST')",
	"req.headers['ACCEPT'] == ['text/html', 'application/json']",
	"req.headers.accept.size() == 2",
	"has(req.headers.Accept) && !has(req.headers.nope) && req.headers['nope'] == []",
	"req.headers.size() == 6 && req.headers.all(name, name == name.lowerAscii())",
	"'a' in req.trailers == false && req.trailers.size() == 0",
	"req.cookies['session'].map(c, c.value) == ['abc', 'def']",
	"getReqCookie('theme').value == 'dark' && getReqCookie('nope').name == ''",
	"hasReqCookie('theme') && !hasReqCookie('Theme')",
	"req.url.query_params['x'] == ['1', '2'] && getQueryParam('filter') == ['a b c']",
	"hasQueryParam('empty') && !hasQueryParam('nope') && req.url.query_params['empty'] == ['']",
	"res.cookies['id'][0].max_age == 60 && getResCookie('id').same_site == 'Lax'",
	"getResCookie('nope').secure == false && getResCookie('id').http_only",
	"getReqHeader('Accept')[1] == 'application/json' && hasResHeader('Content-Type')",
	"req.content_type == 'text/html' && req.content_type.raw.startsWith('Text')",
	"req.content_type.parameters == {'charset': 'utf-8', 'boundary': 'x'}",
	"req.content_encoding == ['gzip', 'br'] && res.content_encoding == []",
	"req.user_agent == req.user_agent.raw && req.location == ''",
	"endpoint.url == 'https://example.com' && endpoint.port == 443 && endpoint.id == edge.id",
	"time.now - req.ts.header_received == duration('877ms')",
	"timestamp(time.now) == time.now && string(conn.ts.start) == '2023-11-14T22:13:20Z'",
	"time.now.getFullYear() == 2023 && time.now.getHours('+01:30') == 23",
	"timestamp(1) == timestamp('1970-01-01T00:00:01Z')",
	"inCidrRange(conn.client_ip, '203.0.113.0/24')",
	"inCidrRange('::ffff:10.1.2.3', '10.0.0.0/8') && inCidrRange('10.1.2.3', '::ffff:10.0.0.0/104')",
	"inCidrRanges(conn.client_ip, ['10.0.0.0/8', '203.0.113.7/32']) && !inCidrRange('::1', '0.0.0.0/0')",
	"inCidrRanges('2001:db8::1', ['2001:db8::' + '/32'])",
	"rand.int(3, 3) == 3 && rand.int(1, 2) in [1, 2] && rand.double() < 1.0",
	"base64.encode('aé') == 'YcOp' && base64.encode(b'a') == 'YQ=='",
	"base64.decode('YQ') == b'a' && string(base64.decode('YQ==')) == 'a'",
	"hash.sha256('') == 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'",
	'json.decode(\'{"a": [1, null, {"constructor": true}]}\').a[2].constructor',
	"'a😀b'.size() == 3 && 'a😀b'.charAt(1) == '😀' && 'a😀b'.substring(2) == 'b'",
	"'a,b,c'.split(',', 2) == ['a', 'b,c'] && 'ab'.reverse() == 'ba'",
	"1 < 1.5 && 2u > 1 && req.content_length >= 10001.0",
	"'a' in {'a': null} && has({'a': null}.a) && has(json.decode('{\"a\": null}').a)",
	"!('b' in {'a': null}) && !has(json.decode('{}').a) && dyn(1.0) in {1: 2} && dyn(1u) in {1: 2}",
	"dyn(1) == 1.0 && dyn(1) != 'a'",
	"true",
];

describe("accepted", () => {
	test.each(HOLD)("%s", (source) => {
		expect(evaluate(source)).toBe(true);
	});
});

test("a failure is absorbed where the other side decides, as CEL has it", () => {
	expect(evaluate("req.headers['nope'][0] == 'a' || true")).toBe(true);
	expect(evaluate("true || req.headers['nope'][0] == 'a'")).toBe(true);
	expect(evaluate("req.headers['nope'][0] == 'a' && false")).toBe(false);
	expect(evaluate("[0, 1].exists(x, 1 / x == 1)")).toBe(true);
	expect(evaluate("[0, 2].all(x, 1 / x == 1)")).toBe(false);
	expect(evaluate("req.headers['nope'][0] == 'a' || false")).toBe(
		"index 0 is outside of the list's 0 elements",
	);
	expect(evaluate("[0, 2].exists(x, 1 / x == 1)")).toContain("division by zero: 1 / 0");
});

test("failures at run time are values", () => {
	expect(evaluate("1 / (req.content_length - 10001) == 1")).toContain("division by zero: 1 / 0");
	expect(evaluate("int(req.method) == 1")).toBe('"POST" is not the text of an int');
	expect(evaluate("inCidrRange(req.method, '10.0.0.0/8')")).toBe('"POST" is no IP address');
	expect(evaluate("req.url.matches(req.method + '(')")).toContain("the pattern is invalid");
	expect(evaluate("dyn(req.method)")).toBe("string where a bool is needed");
	expect(evaluate("rand.int(2, 1) == 1")).toBe("rand.int: 2 is above 1");
});

const REFUSED: readonly (readonly [source: string, ...problems: string[]])[] = [
	[
		"req.URL.contains('v0/')",
		'1:1 unknown_variable: unknown variable "req.URL"; today it is "req.url"',
	],
	[
		"req.Method == 'POST' && req.ContentLength > 10000",
		'1:1 unknown_variable: unknown variable "req.Method"; today it is "req.method"',
		'1:25 unknown_variable: unknown variable "req.ContentLength"; today it is "req.content_length"',
	],
	[
		"conn.Geo.CountryCode in ['BR'] || conn.ClientIP == ''",
		'1:1 unknown_variable: unknown variable "conn.Geo.CountryCode"; today it is "conn.geo.country_code"',
		'1:35 unknown_variable: unknown variable "conn.ClientIP"; today it is "conn.client_ip"',
	],
	[
		"'x' in req.Headers['User-Agent']",
		'1:8 unknown_variable: unknown variable "req.Headers"; today it is "req.headers"',
	],
	[
		"req.ClientTLS.Version > '1.3'",
		'1:1 unknown_variable: unknown variable "req.ClientTLS.Version"; today it is "conn.tls.version"',
	],
	[
		"res.StatusCode < '200'",
		'1:1 unknown_variable: unknown variable "res.StatusCode"; today it is "res.status_code"',
	],
	[
		"req.query_params['filter'][0] == ''",
		'1:1 unknown_variable: unknown variable "req.query_params"; did you mean "req.url.query_params"?',
	],
	[
		"req.url.pth == ''",
		'1:1 unknown_variable: unknown variable "req.url.pth"; did you mean "req.url.path"?',
	],
	[
		"conn.client_pi == ''",
		'1:1 unknown_variable: unknown variable "conn.client_pi"; did you mean "conn.client_ip"?',
	],
	["conn.ts == 1", '1:1 unknown_variable: "conn.ts" is no value; it has .start'],
	["res.status_code > 300", '1:1 wrong_phase: "res.status_code" exists in outbound rules only'],
	["hasResHeader('x')", '1:1 wrong_phase: "res.headers" exists in outbound rules only'],
	[
		"req.url.contain('a')",
		'1:9 unknown_function: unknown function "contain"; did you mean "contains"?',
	],
	[
		"math.cbrt(1.0) == 1.0",
		'1:6 unknown_function: unknown function "math.cbrt"; did you mean "math.sqrt"?',
	],
	[
		"req.content_length > '10'",
		'1:20 expression_type: operator ">" does not take int and string; write 10 without quotes',
	],
	[
		"req.content_length == '10'",
		"1:20 expression_type: cannot compare int with string; write 10 without quotes",
	],
	["req.content_length == 10.0", "1:20 expression_type: cannot compare int with double"],
	["1 == 1u", "1:3 expression_type: cannot compare int with uint"],
	[
		"req.headers['host'] == 'a'",
		"1:21 expression_type: cannot compare list<string> with string; write 'a' in req.headers['host']",
	],
	["req.method", "1:1 expression_type: the expression yields string, where a rule needs a bool"],
	[
		"'a' in req.method",
		'1:5 expression_type: "in" looks into a list or a map, not into string; for texts there is .contains()',
	],
	[
		"req.method.startsWith(1)",
		"1:12 expression_type: string.startsWith(int) does not exist; there is string.startsWith(string)",
	],
	[
		"true ? 1 : 'a'",
		"1:6 expression_type: both outcomes of ?: must have one type, not int and string",
	],
	[
		"req.cookies['a'][0].valu == ''",
		'1:21 expression_type: a cookie has no field "valu"; did you mean "value"?',
	],
	[
		"req.method.matches('(')",
		'1:20 invalid_pattern: the pattern is invalid: missing closing ) at "("',
	],
	[
		"inCidrRange(conn.client_ip, '10.0.0.0/33')",
		'1:29 invalid_argument: "10.0.0.0/33" is no address range; write one as "10.0.0.0/8" or "2001:db8::/32"',
	],
	[
		"inCidrRanges(conn.client_ip, ['10.0.0.0/8', 'x', '1.2.3.4'])",
		'1:45 invalid_argument: "x" is no address range; write one as "10.0.0.0/8" or "2001:db8::/32"',
		'1:50 invalid_argument: "1.2.3.4" is no address range; write one as "10.0.0.0/8" or "2001:db8::/32"',
	],
	["inCidrRange('999.1.1.1', '10.0.0.0/8')", '1:13 invalid_argument: "999.1.1.1" is no IP address'],
	["req.method = 'GET'", '1:12 expression_syntax: unexpected "="; equality is written "=="'],
	["true and false", '1:6 expression_syntax: unexpected "and"; "and" is written "&&"'],
	["not true", '1:1 expression_syntax: unexpected "not"; "not" is written "!"'],
	["(true", '1:1 expression_syntax: "(" is not closed with ")"'],
	[
		"req.method == 'GET",
		"1:15 expression_syntax: the string that starts here is not closed with '",
	],
	["1 +", "1:4 expression_syntax: the expression ends where a value should be"],
	["", "1:1 expression_syntax: the expression is empty"],
	["if", '1:1 expression_syntax: "if" is reserved and cannot be a name'],
	[
		"'\\d' == ''",
		"1:2 expression_syntax: \"\\d\" is no escape sequence; in patterns write the backslash twice, or the string as r'…'",
	],
	[
		"9223372036854775808 > 0",
		"1:1 expression_syntax: 9223372036854775808 does not fit into an int",
	],
	[
		"[1].all(x + 1, true)",
		"1:11 expression_syntax: the first argument of all() names the loop variable, as in list.all(x, …)",
	],
	[
		"has(req)",
		"1:1 expression_syntax: has() takes one field selection, as in has(req.headers.accept)",
	],
	["true &&\n  '😀' == req.xxxxxxx", '2:10 unknown_variable: unknown variable "req.xxxxxxx"'],
	["1 + 'a' == 2 || true", '1:3 expression_type: operator "+" does not take int and string'],
];

describe("refused", () => {
	test.each(REFUSED)("%s", (source, ...problems) => {
		expect(refusals(source)).toEqual(problems);
	});
});

test("a problem shows its line and a caret below its column", () => {
	const compiled = compilePredicate("true &&\n\t'😀' == req.nope", "inbound");
	expect(compiled.ok ? [] : compiled.error.map(({ excerpt }) => excerpt)).toEqual([
		"\t'😀' == req.nope\n\t       ^",
	]);
});

test("constant expressions are told from those that depend on the exchange or on chance", () => {
	expect(predicate("1 < 2").constant).toBe(true);
	expect(predicate("[1, 2].all(x, x > 1)").constant).toBe(false);
	expect(predicate("1 / 0 == 1").constant).toBeUndefined();
	expect(predicate("req.method == 'GET'").constant).toBeUndefined();
	expect(predicate("rand.double() < 2.0").constant).toBeUndefined();
	expect(predicate("time.now == time.now").constant).toBeUndefined();
});

/** Names of the members that were read, with the arguments of those that are functions. */
function watched(target: object, path: string, reads: string[]): object {
	return new Proxy(target, {
		get(object, key) {
			const value: unknown = Reflect.get(object, key);
			// what the evaluation keeps there itself
			if (key === "derived") return value;
			const name = path === "" ? String(key) : `${path}.${String(key)}`;
			if (typeof value === "function") {
				return (...args: unknown[]) => {
					reads.push(`${name}(${args.join(", ")})`);
					return value.apply(object, args);
				};
			}
			if (typeof value === "object" && value !== null) return watched(value, name, reads);
			reads.push(name);
			return value;
		},
	});
}

test("an evaluation reads what its expression names, and nothing else", () => {
	const readsOf = (source: string): string[] => {
		const reads: string[] = [];
		predicate(source).evaluate(watched({ ...ATTRIBUTES }, "", reads) as Attributes);
		return reads;
	};
	expect(readsOf("req.method == 'GET'")).toEqual(["method"]);
	expect(readsOf("req.headers['User-Agent'][0] == 'a'")).toEqual([
		"requestHeaders.lines(user-agent)",
	]);
	expect(readsOf("'x-a' in req.headers")).toEqual(["requestHeaders.lines(x-a)"]);
	expect(readsOf("hasReqHeader('X-A')")).toEqual(["requestHeaders.lines(x-a)"]);
	expect(readsOf("req.url.path == '/' && req.url.query == ''")).toEqual(["url.path"]);
	expect(readsOf("conn.geo.country_code == 'BR'")).toEqual(["geo.countryCode"]);
	expect(readsOf("hasReqCookie('a')")).toEqual(["requestHeaders.lines(cookie)"]);
	expect(readsOf("getQueryParam('a') == []")).toEqual(["url.query"]);
	expect(readsOf("1 < 2")).toEqual([]);
});

test("an exchange whose members throw makes a failure", () => {
	const broken = {
		...ATTRIBUTES,
		get method(): string {
			throw new Error("no method");
		},
	};
	expect(predicate("req.method == 'GET'").evaluate(broken)).toEqual(
		new EvaluationFailure("no method"),
	);
});

test("texts are bounded, and a bound that is met is a failure like any other", () => {
	const doubled = "req.host".concat(".replace('', 'aaaaaaaaaa')".repeat(6));
	expect(evaluate(`${doubled} == req.method`)).toMatch(/a text of more than|suspended/);
});

test("lists made by map and filter are read in one pass, however long", () => {
	const many = { ...ATTRIBUTES.url, query: "a,".repeat(10_000) };
	const source = "req.url.query.split(',').map(x, x + 'b').filter(x, x == 'ab').size() == 10000";
	const compiled = compileExpression(source, "inbound");
	expect(compiled.ok && compiled.value.evaluate({ ...ATTRIBUTES, url: many })).toBe(true);
});

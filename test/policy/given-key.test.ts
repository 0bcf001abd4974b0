import { describe, expect, test } from "vitest";
import { keyElements } from "../../src/policy/actions/rate-limit/elements.ts";
import { givenKey } from "../../src/policy/given-key.ts";
import { Compiler } from "../../src/policy/programs/compiler.ts";
import { CountingLimiters, compiled, exchangeOf, inbound } from "./support.ts";

const partsOf = (bucket_key: readonly string[], ...texts: string[]) => {
	const parts = givenKey(texts, keyElements({ bucket_key }, new Compiler(), []), 64);
	return parts.ok ? JSON.stringify(parts.value.map((part) => part ?? null)) : parts.error;
};

describe("a key that is given is that of a request with these values", () => {
	test.each([
		["req.host", "h"],
		["conn.client_ip", "2001:DB8::7"],
		["conn.client_ip", "::ffff:192.0.2.9"],
		["req.headers['x-one']", "a value"],
		["req.headers['x-two']", 'json:["a","b"]'],
		["req.headers['x-none']", "json:null"],
		["req.headers['x-odd']", 'json:"json:1"'],
		["req.method", "GET"],
		["size(req.method)", "3"],
		["size(req.method)", "json:3"],
		["req.method == 'GET'", "true"],
		["1.0 * 2.0", "2"],
		["uint(4)", "4"],
		["[1, 2]", "json:[1,2]"],
		["{'a': [req.method]}", 'json:{"a":["GET"]}'],
	])("%s: %s", (element, text) => {
		const clientIp = text.startsWith("::ffff") ? "192.0.2.9" : "2001:db8::1:1";
		const limiters = new CountingLimiters();
		const config = { capacity: 1, rate: "60s", bucket_key: [element] };
		const headers = [
			["x-one", "a value"],
			["x-two", "a"],
			["x-two", "b"],
			["x-odd", "json:1"],
		] as const;
		const policy = compiled(inbound({ type: "rate-limit", config }), { limiters });
		policy.inbound(exchangeOf({ clientIp, headers }));
		expect(partsOf([element], text)).toBe(limiters.keys[0]);
	});
});

test.each([
	[["req.host"], [], "the key of this limit has 1 elements, req.host; 0 are given"],
	[[], ["a"], "the key of this limit has 0 elements, none: it has one bucket for all; 1 are given"],
	[["conn.client_ip"], ["nowhere"], 'conn.client_ip: "nowhere" is no IP address'],
	[["req.headers['x']"], ["json:["], "req.headers['x']: what follows \"json:\" is no JSON"],
	[["req.headers['x']"], ['json:["a"]'], "req.headers['x']: is a text, json:null"],
	[["req.headers['x']"], ["json:1"], "req.headers['x']: is a text, json:null"],
	[["req.host"], ["json:1"], "req.host: is a text"],
	[["size(req.method)"], ["three"], 'size(req.method): "three" is no int'],
	[["size(req.method)"], ["1.5"], 'size(req.method): "1.5" is no int'],
	[["uint(4)"], ["-4"], 'uint(4): "-4" is no uint'],
	[["[1]"], ["json:1.5"], '[1]: "json:1.5" is no list<int>'],
])("%j: %j is told to be none", (bucket_key, texts, sentence) => {
	expect(partsOf(bucket_key, ...texts).slice(0, sentence.length)).toBe(sentence);
});

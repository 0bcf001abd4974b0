import { describe, expect, test } from "vitest";
import {
	configurationOf,
	costMaxOf,
	limitOf,
} from "../../../../src/policy/actions/rate-limit/limit.ts";
import { Compiler } from "../../../../src/policy/programs/compiler.ts";
import { compiled, exchangeOf, inbound, problemsOf } from "../../support.ts";

const AT = "/inbound/0/actions/0/config";
const limit = (config: object): unknown =>
	inbound({ type: "rate-limit", config: { capacity: 10, rate: "60s", ...config } });
const read = (config: object) =>
	limitOf({ capacity: 10, rate: "60s", ...config }, new Compiler(), []);

describe("every field has bounds", () => {
	test.each([
		[{ cost: -1 }, `${AT}/cost`],
		[{ cost: 1.5 }, `${AT}/cost`],
		[
			{ cost: 11 },
			`${AT}/cost too_big: must be at most the capacity, 10: no request that costs 11 would ever be admitted`,
		],
		[{ cost: true }, `${AT}/cost`],
		[
			{ cost: "3" },
			`${AT}/cost wrong_type: expected a whole number or "\${expression}", got the string "3"`,
		],
		[
			{ cost: "${req.method}" },
			`${AT}/cost expression_type: the expression yields a string, where a cost is an int`,
		],
		[{ cost: "${1} ${2}" }, `${AT}/cost`],
		[{ cost: "${1" }, `${AT}/cost template_syntax`],
		[{ cost: "${nothing}" }, `${AT}/cost unknown_variable`],
		[{ ipv6_prefix: 0 }, `${AT}/ipv6_prefix too_small`],
		[{ ipv6_prefix: 129 }, `${AT}/ipv6_prefix too_big`],
		[{ ipv6_prefix: "64" }, `${AT}/ipv6_prefix wrong_type`],
		[{ headers: "yes" }, `${AT}/headers unknown_value`],
		[
			{ headers: "ietf", name: "café" },
			`${AT}/name invalid_value: "café" can't be told to clients`,
		],
		[{ status_code: 399 }, `${AT}/status_code too_small`],
		[{ status_code: 600 }, `${AT}/status_code too_big`],
		[{ content: "${" }, `${AT}/content template_syntax`],
		[{ content: 1 }, `${AT}/content wrong_type`],
		[{ content_type: "text/plain" }, `${AT}/content_type required: needs "content" beside it`],
		[{ content: "x", content_type: "a\nb" }, `${AT}/content_type invalid_header`],
		[{ count: "requests" }, `${AT}/count unknown_variable`],
		[{ count: "res.status_code" }, `${AT}/count expression_type`],
		[{ count: 1 }, `${AT}/count wrong_type`],
		[
			{ bucket_key: Array.from({ length: 11 }, (_, index) => `'${index}'`) },
			`${AT}/bucket_key too_big`,
		],
		[{ bucket_key: [1] }, `${AT}/bucket_key/0 wrong_type`],
		[{ no_such: 1 }, `${AT}/no_such unknown_field`],
	])("%j is refused", (config, problem) => {
		expect(problemsOf(limit(config))[0]?.slice(0, problem.length)).toBe(problem);
	});

	test.each([
		{ cost: 0 },
		{ cost: 10 },
		{ cost: "${1}" },
		{ cost: " ${dyn(2)} " },
		{ cost: "${int(getReqHeader('x')[0])}" },
		{ ipv6_prefix: 1, headers: "legacy", name: "café" },
		{ ipv6_prefix: 128, headers: "ietf", name: 'a "quoted" one' },
		{ status_code: 503, content: "${req.method}", content_type: "text/plain" },
		{ count: "request" },
		{ count: "res.status_code == 401 && req.method == 'POST'" },
	])("%j is taken", (config) => {
		expect(problemsOf(limit(config))).toEqual([]);
	});

	test("outbound it is refused, as ever", () => {
		const config = { capacity: 1, rate: "60s", count: "res.status_code == 401" };
		const document = { outbound: [{ actions: [{ type: "rate-limit", config }] }] };
		expect(problemsOf(document)[0]).toContain("wrong_phase");
	});
});

describe("what a limit is known by", () => {
	test("is what it was where it has nothing new, and does not depend on what clients are told", () => {
		const plain = configurationOf(read({ bucket_key: ["conn.client_ip"] }));
		expect(plain).toBe('["sliding_window",10,"1m",["conn.client_ip"],""]');
		const told = {
			...{ headers: "ietf", status_code: 503, content: "x", ipv6_prefix: 48 },
			...{ cost: 1, count: "request", enforce: false },
		};
		expect(configurationOf(read({ bucket_key: ["conn.client_ip"], ...told }))).toBe(plain);
	});

	test("tells costs and counts apart", () => {
		const all = [
			{},
			{ cost: 2 },
			{ cost: "${2}" },
			{ count: "res.status_code == 401" },
			{ cost: 0 },
		];
		expect(new Set(all.map((config) => configurationOf(read(config)))).size).toBe(all.length);
	});

	test("keeps room for the most that a request may be worth", () => {
		const all = [{}, { cost: 0 }, { cost: 4 }, { cost: "${1}" }];
		expect(all.map((config) => costMaxOf(read(config)))).toEqual([1, 1, 4, 10]);
	});
});

test("a text of a key is compiled for requests alone", () => {
	const policy = compiled(limit({ bucket_key: ["req.method + req.host"] }));
	expect(policy.inbound(exchangeOf()).kind).toBe("continue");
});

import { describe, expect, test } from "vitest";
import { CountingLimiters, compiled, exchangeOf, inbound } from "../../support.ts";

const limit = (config: object): unknown => ({
	type: "rate-limit",
	config: { capacity: 10, rate: "60s", ...config },
});
const LOG = { type: "log", config: { metadata: { said: "${actions.rate_limit}" } } };

describe("costs", () => {
	test("take so many at once, all or none", () => {
		const policy = compiled(inbound(limit({ cost: "${int(getReqHeader('x-cost')[0])}" })));
		const kind = (cost: string) => policy.inbound(exchangeOf({ headers: [["x-cost", cost]] })).kind;
		expect([kind("7"), kind("4"), kind("3"), kind("1"), kind("0")]).toEqual([
			"continue",
			"limited",
			"continue",
			"limited",
			"continue",
		]);
	});

	test.each(["11", "-1", "none"])("of %s fail the request, and count nothing", (cost) => {
		const limiters = new CountingLimiters();
		const policy = compiled(inbound(limit({ cost: "${int(getReqHeader('x-cost')[0])}" })), {
			limiters,
		});
		const exchange = exchangeOf({ headers: [["x-cost", cost]] });
		expect(policy.inbound(exchange).kind).toBe("failed");
		expect(exchange.failures).toHaveLength(1);
		expect(limiters.keys).toEqual([]);
	});

	test("out of bounds fail also where failing expressions are passed over", () => {
		const policy = compiled(inbound(limit({ cost: "${11}" })), { expressionErrors: "skip" });
		expect(policy.inbound(exchangeOf()).kind).toBe("failed");
	});
});

describe("keys of expressions", () => {
	test("tell what the expression tells apart, and no more", () => {
		const limiters = new CountingLimiters();
		const policy = compiled(
			inbound(limit({ capacity: 1, bucket_key: ["req.method", "size(req.url.path)"] })),
			{ limiters },
		);
		const kind = (method: string, url: string) => policy.inbound(exchangeOf({ method, url })).kind;
		expect(kind("GET", "http://h/a")).toBe("continue");
		expect(kind("GET", "http://h/b")).toBe("limited");
		expect(kind("POST", "http://h/b")).toBe("continue");
		expect(kind("GET", "http://h/bb")).toBe("continue");
		expect(limiters.keys[0]).toBe('["sGET","i2"]');
	});

	test("that fail, fail the request closed", () => {
		const policy = compiled(
			inbound(limit({ bucket_key: ["getReqHeader('x')[5]", "1 / size(req.headers['n'])"] })),
		);
		const exchange = exchangeOf();
		expect(policy.inbound(exchange).kind).toBe("failed");
		expect(exchange.failures).toHaveLength(1);
	});

	test("that yield what has no place in a key fail with the reason", () => {
		const policy = compiled(inbound(limit({ bucket_key: ["dyn(null)"] })));
		const exchange = exchangeOf();
		expect(policy.inbound(exchange).kind).toBe("failed");
		expect(exchange.failures[0]?.message).toContain("can't be part of a key");
	});
});

test("an address of IPv6 counts with its network, as much of it as the limit says", () => {
	const kinds = (config: object, ...ips: string[]) => {
		const policy = compiled(
			inbound(limit({ capacity: 1, bucket_key: ["conn.client_ip"], cost: "${1}", ...config })),
			{ ipv6Prefix: 56 },
		);
		return ips.map((clientIp) => policy.inbound(exchangeOf({ clientIp })).kind);
	};
	const ips = ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "2001:db8:0:100::1"];
	expect(kinds({}, ...ips)).toEqual(["continue", "limited", "limited", "continue"]);
	expect(kinds({ ipv6_prefix: 64 }, ...ips)).toEqual([
		"continue",
		"limited",
		"continue",
		"continue",
	]);
	expect(kinds({ ipv6_prefix: 128 }, ...ips.slice(0, 2))).toEqual(["continue", "continue"]);
});

test("results are those of the decision", () => {
	const policy = compiled(
		inbound(
			limit({ capacity: 2, enforce: false, bucket_key: ["req.host", "size(req.method)"] }),
			LOG,
		),
	);
	const said = [1, 2, 3].map(() => {
		const exchange = exchangeOf();
		policy.inbound(exchange);
		return JSON.parse((exchange.logs[0] as { said: string }).said);
	});
	const bucket_key = "h, 3";
	expect(said).toEqual([
		{ limited: false, bucket_key, remaining: 1, retry_after: 0 },
		{ limited: false, bucket_key, remaining: 0, retry_after: 0 },
		{ limited: true, bucket_key, remaining: 0, retry_after: 1 },
	]);
});

test.each(["reject", "skip"] as const)(
	"an answer that can't be filled in lets nobody past the limit, with expression_errors: %s",
	(expressionErrors) => {
		const content = "${req.headers['x'][0]}";
		const policy = compiled(inbound(limit({ capacity: 1, content })), { expressionErrors });
		expect(policy.inbound(exchangeOf()).kind).toBe("continue");
		const over = exchangeOf();
		expect(policy.inbound(over).kind).toBe("failed");
		expect(over.failures).toHaveLength(1);
	},
);

test("a limit that is only watched reports what is over it", () => {
	for (const more of [{}, { cost: "${1}" }]) {
		const policy = compiled(inbound(limit({ capacity: 1, enforce: false, ...more })));
		const exchanges = [exchangeOf(), exchangeOf()];
		expect(exchanges.map((exchange) => policy.inbound(exchange).kind)).toEqual([
			"continue",
			"continue",
		]);
		expect(exchanges.map(({ reported }) => reported)).toEqual([[], ["0 rate-limit"]]);
	}
});

test("a limit's own answer is filled in for the request that it rejects", () => {
	const policy = compiled(
		inbound(limit({ capacity: 1, status_code: 503, content: "not now, ${req.method}" })),
	);
	policy.inbound(exchangeOf());
	expect(policy.inbound(exchangeOf())).toEqual({
		kind: "limited",
		retryAfterSeconds: 1,
		answer: {
			statusCode: 503,
			content: "not now, GET",
			contentType: "text/plain; charset=utf-8",
		},
	});
});

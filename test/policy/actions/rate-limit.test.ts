import { describe, expect, test } from "vitest";
import { CountingLimiters, compiled, exchangeOf, inbound } from "../support.ts";

const limit = (change: object = {}): unknown => ({
	type: "rate-limit",
	config: { capacity: 2, rate: "60s", ...change },
});

test("admits its capacity, then answers 429 with the wait, and reports it", () => {
	const policy = compiled(inbound(limit({ name: "n" })), { limiters: new CountingLimiters(1001) });
	const exchange = exchangeOf();
	const kinds = [1, 2, 3, 4].map(() => policy.inbound(exchange));
	const limited = { kind: "limited", retryAfterSeconds: 2 };
	expect(kinds).toEqual([{ kind: "continue" }, { kind: "continue" }, limited, limited]);
	expect(exchange.exceeded).toHaveLength(2);
	expect(exchange.exceeded[0]).toMatchObject({ name: "n", retryAfterMs: 1001, enforced: true });
});

test("nothing runs after it rejects; earlier limits stay charged", () => {
	const limiters = new CountingLimiters();
	const policy = compiled(
		inbound(limit({ capacity: 5 }), limit({ capacity: 1 }), { type: "log" }),
		{
			limiters,
		},
	);
	const exchange = exchangeOf();
	expect([1, 2, 3].map(() => policy.inbound(exchange).kind)).toEqual([
		"continue",
		"limited",
		"limited",
	]);
	expect(exchange.logs).toHaveLength(1);
	expect(limiters.keys).toHaveLength(6);
});

test("one that is not enforced reports and lets pass", () => {
	const policy = compiled(inbound(limit({ capacity: 1, enforce: false }), { type: "log" }));
	const exchange = exchangeOf();
	expect([1, 2].map(() => policy.inbound(exchange).kind)).toEqual(["continue", "continue"]);
	expect(exchange.exceeded).toMatchObject([{ enforced: false }]);
	expect(exchange.logs).toHaveLength(2);
});

describe("buckets", () => {
	test("are chosen by the elements of the key, whatever their order and spelling", () => {
		const keysOf = (bucket_key: readonly string[]) => {
			const limiters = new CountingLimiters();
			const policy = compiled(inbound(limit({ bucket_key })), { limiters });
			for (const clientIp of ["192.0.2.1", "192.0.2.2"]) {
				policy.inbound(exchangeOf({ clientIp, headers: [["X-Key", "a"]] }));
			}
			return limiters.keys;
		};
		const keys = keysOf(["conn.client_ip", "req.headers['x-key']"]);
		expect(new Set(keys).size).toBe(2);
		expect(keysOf(['getReqHeader("X-KEY")', "conn.client_ip"])).toEqual(keys);
	});

	test("without elements there is one for all", () => {
		const limiters = new CountingLimiters();
		const policy = compiled(inbound(limit()), { limiters });
		policy.inbound(exchangeOf({ clientIp: "a" }));
		policy.inbound(exchangeOf({ clientIp: "b" }));
		expect(new Set(limiters.keys).size).toBe(1);
	});
});

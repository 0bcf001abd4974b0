import { expect, test } from "vitest";
import { compiled, exchangeOf, inbound } from "../../support.ts";

const limit = (config: object): unknown => ({
	type: "rate-limit",
	config: { capacity: 2, rate: "60s", ...config },
});

/** Lines after each of three requests of one client. */
function told(...limits: unknown[]): string[][] {
	const policy = compiled(inbound(...limits));
	return [1, 2, 3].map(() => {
		const exchange = exchangeOf();
		policy.inbound(exchange);
		return exchange.onResponse;
	});
}

test("ietf: policy and state of each limit, admitted or not", () => {
	const [first, , third] = told(
		limit({ headers: "ietf", name: 'say "hi"' }),
		limit({ headers: "ietf", capacity: 5 }),
	);
	expect(first).toEqual([
		'ratelimit-policy: "say \\"hi\\"";q=2;w=60',
		'ratelimit: "say \\"hi\\"";r=1;t=1',
		'ratelimit-policy: "default";q=5;w=60',
		'ratelimit: "default";r=4;t=1',
	]);
	expect(third).toEqual([
		'ratelimit-policy: "say \\"hi\\"";q=2;w=60',
		'ratelimit: "say \\"hi\\"";r=0;t=1',
	]);
});

test("legacy: of several limits the tightest alone, in place of the backend's", () => {
	const loose = limit({ headers: "legacy", capacity: 50 });
	const removed = ["-x-ratelimit-limit", "-x-ratelimit-remaining", "-x-ratelimit-reset"];
	const tight = ["x-ratelimit-limit: 2", "x-ratelimit-remaining: 1", "x-ratelimit-reset: 1"];
	expect(told(limit({ headers: "legacy" }), loose)[0]).toEqual([...removed, ...tight]);
	const both = told(loose, limit({ headers: "legacy" }))[0];
	expect(both?.slice(-6)).toEqual([...removed, ...tight]);
});

test("legacy: of two with as few left the one that the request waits for", () => {
	const other = limit({ headers: "legacy", rate: "70s", capacity: 3, bucket_key: ["req.host"] });
	const tight = limit({ headers: "legacy", rate: "80s", capacity: 3, cost: 3 });
	expect(told(tight, other)[0]?.slice(-3)[0]).toBe("x-ratelimit-limit: 3");
	const one = limit({ headers: "legacy", capacity: 2 });
	const many = limit({ headers: "legacy", rate: "90s", capacity: 1, bucket_key: ["req.method"] });
	const [first, second] = told(one, many);
	expect(first?.slice(-3, -1)).toEqual(["x-ratelimit-limit: 1", "x-ratelimit-remaining: 0"]);
	expect(second?.slice(-3, -1)).toEqual(["x-ratelimit-limit: 1", "x-ratelimit-remaining: 0"]);
});

test("of a limit that charges later, as if the request at hand had been charged", () => {
	const counted = limit({ headers: "ietf", capacity: 3, cost: 2, count: "res.status_code == 401" });
	expect(told(counted)).toEqual(
		Array(3).fill(['ratelimit-policy: "default";q=3;w=60', 'ratelimit: "default";r=1;t=60']),
	);
});

test("nothing where it is not asked for, or where the limit is only watched", () => {
	expect(told(limit({}))).toEqual([[], [], []]);
	expect(told(limit({ headers: "ietf", enforce: false }))).toEqual([[], [], []]);
	const policy = compiled({ inbound: [{ enforce: false, actions: [limit({ headers: "ietf" })] }] });
	const exchange = exchangeOf();
	policy.inbound(exchange);
	expect([exchange.onResponse, exchange.reported]).toEqual([[], []]);
});

/** Tests run on their own: fresh counts, a clock of their own, address lists of their own, and bounds for all together. */
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { runTests } from "../../../src/policy/rehearsal/run-tests.ts";
import { documentOf } from "../support.ts";

const limited = {
	type: "rate-limit",
	config: {
		...{ name: "three", algorithm: "sliding_window", capacity: 3, rate: "60s" },
		bucket_key: ["conn.client_ip"],
	},
};
const run = (policy: object, tests: readonly object[], goesOn = () => true) =>
	[...runTests(documentOf({ ...policy, tests }), { goesOn })].map(({ differences }) =>
		differences.map(({ path, message }) => `/${path.join("/")}: ${message}`),
	);
const test = (parts: object) => ({ name: "t", request: {}, ...parts });

it("counts from nothing in each test, and by the test's clock", () => {
	const policy = { inbound: [{ actions: [limited] }] };
	expect(
		run(policy, [
			test({ expect: { limited_after: 3, status: 429, headers: { "retry-after": "60" } } }),
			test({ expect: { limited_after: 3 }, every_ms: 1000, repeat: 10 }),
			test({ expect: { outcome: "pass" }, every_ms: 20_000, repeat: 50 }),
			test({ expect: { limited_after: 2 } }),
			test({ expect: { limited_after: 5 } }),
			test({ expect: { limited_after: 1 }, every_ms: 20_000 }),
		]),
	).toEqual([
		[],
		[],
		[],
		[
			"/expect/limited_after: expected a rate-limit to let 2 requests through and no more, but none of 3 requests was limited; the last one got 200 (pass: no rule ends the request)",
		],
		[
			"/expect/limited_after: expected a rate-limit to let 5 requests through and no more, but it let 3 requests through",
		],
		[
			"/expect/limited_after: expected a rate-limit to let 1 request through and no more, but none of 2 requests was limited; the last one got 200 (pass: no rule ends the request)",
		],
	]);
});

it("reads the time that the test says", () => {
	const policy = {
		inbound: [{ expressions: ["time.now.getHours() >= 22"], actions: [{ type: "deny" }] }],
	};
	expect(
		run(policy, [
			test({ now: "2026-05-04T21:59:59Z", expect: { outcome: "pass" } }),
			test({ now: "2026-05-04T22:00:00Z", expect: { outcome: "deny" } }),
			test({ now: "2026-05-04T21:59:59Z", repeat: 2, every_ms: 1000, expect: { outcome: "deny" } }),
		]),
	).toEqual([[], [], []]);
});

it("asks the address lists of the test, and finds others empty", () => {
	const policy = {
		inbound: [{ actions: [{ type: "restrict-ips", config: { lists: ["!bad"] } }] }],
	};
	const lists = { ip_lists: { bad: ["192.0.2.0/24"] } };
	expect(
		run(policy, [test({ ...lists, expect: { status: 403 } }), test({ expect: { status: 200 } })]),
	).toEqual([[], []]);
});

it("runs a policy that is switched off as if it were on", () => {
	const policy = { enabled: false, inbound: [{ actions: [{ type: "deny" }] }] };
	expect(run(policy, [test({ expect: { outcome: "deny" } })])).toEqual([[]]);
});

it("ends with the time, and with the number of requests that all may send", () => {
	let left = 3;
	const expected = { expect: { status: 200 } };
	expect(run({}, Array(5).fill(test(expected)), () => left-- > 0)).toEqual([
		[],
		[],
		[],
		[expect.stringContaining(`/: the tests take longer than ${LIMITS.policyTestsMs} ms`)],
	]);
	const many = test({ ...expected, repeat: LIMITS.policyTestRepeatMax });
	const count = LIMITS.policyTestRequests / LIMITS.policyTestRepeatMax;
	const results = run({}, Array(count + 2).fill(many));
	expect(results).toHaveLength(count + 1);
	expect(results.at(-1)).toEqual([expect.stringContaining("send more than")]);
});

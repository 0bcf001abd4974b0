import { describe, expect, it } from "vitest";
import { Counters } from "../../../src/limiter/binding.ts";
import { SharedCounts } from "../../../src/limiter/counted-limits.ts";
import { NativeLimiters } from "../../../src/limiter/limiters.ts";
import { limitsOf } from "../../../src/policy/limits-of.ts";
import { documentOf } from "../../policy/support.ts";
import { expectError, startApi } from "../api.ts";

const ROUTE = "/edges/https/e/routes/r";
const POLICY = {
	inbound: [
		{
			name: "login",
			actions: [
				{
					type: "rate-limit",
					config: {
						name: "tries",
						capacity: 5,
						rate: "90s",
						bucket_key: ["size(req.method)", "conn.client_ip"],
						cost: 2,
					},
				},
				{ type: "rate-limit", config: { capacity: 1, rate: "60s" } },
			],
		},
	],
};

async function limited() {
	const counters = new Counters({});
	const limiters = new NativeLimiters({ counters, keysMax: 100 });
	const counts = new SharedCounts(counters, () => 100);
	const api = await startApi({ counts: () => counts });
	await api.send("PUT", `${ROUTE}/policy`, { body: POLICY });
	const steps = limitsOf(documentOf(POLICY), "e", "r");
	let step = steps.next();
	while (step.done !== true) step = steps.next();
	const [first] = step.value;
	if (first === undefined) throw new Error("no limit");
	const limiter = limiters.open(first.identity);
	const request = () => limiter.decide("charge", 2, ["2001:db8::/64", "i3"]);
	return { api, request, report: () => limiters.report() };
}

const KEY = `${ROUTE}/rate-limits/0/keys/2001%3Adb8%3A%3A5/3`;

describe("rate-limits of a route", () => {
	it("are listed with their configuration and what was counted", async () => {
		const { api, request, report } = await limited();
		expect([request(), request(), request() > 0]).toEqual([0, 0, true]);
		report();
		const { status, json } = await api.send("GET", `${ROUTE}/rate-limits`);
		expect(status).toBe(200);
		expect(json.more).toBe(0);
		expect(json.rate_limits).toMatchObject([
			{
				id: "0",
				keys_uri: `${ROUTE}/rate-limits/0/keys`,
				rule: 0,
				rule_name: "login",
				action: 0,
				name: "tries",
				capacity: 5,
				rate: "1m30s",
				bucket_key: ["conn.client_ip", "size(req.method)"],
				enforce: true,
				config: { cost: 2 },
				live_keys: 1,
				admitted: 2,
				rejected: 1,
			},
			{ id: "1", bucket_key: [], live_keys: 0, admitted: 0, rejected: 0 },
		]);
		expect(JSON.stringify(json)).not.toContain("2001:db8");
	});

	it("tell what a key has used, and forget it, with an audit line that does not name it", async () => {
		const { api, request } = await limited();
		request();
		const state = async () => (await api.send("GET", KEY)).json;
		expect(await state()).toMatchObject({ used: 2, remaining: 3, limited: false });
		request();
		expect(await state()).toMatchObject({ capacity: 5, used: 4, remaining: 1 });
		expect((await state()).frees_in_seconds).toBeGreaterThan(85);
		expect((await api.send("DELETE", KEY)).status).toBe(204);
		expect(await state()).toMatchObject({ used: 0, remaining: 5, frees_in_seconds: 0 });
		expect((await api.send("DELETE", KEY)).status).toBe(204);
		const lines = api.audited.filter(({ operation }) => operation === "resetRateLimitKey");
		expect(lines).toMatchObject([
			{ edge: "e", route: "r", rate_limit: "0", result: "deleted", status: 204 },
			{ result: "unchanged" },
		]);
		expect(JSON.stringify(lines)).not.toContain("2001");
		expect(request()).toBe(0);
	});

	it("have one key where the limit has one bucket", async () => {
		const { api } = await limited();
		const { json } = await api.send("GET", `${ROUTE}/rate-limits/1/keys`);
		expect(json).toMatchObject({ key: [], capacity: 1, remaining: 1, used: 0 });
	});

	it.each([
		[`${ROUTE}/rate-limits/2/keys`, 404, "ERR_RATE_LIMIT_NOT_FOUND"],
		[`${ROUTE}/rate-limits/00/keys`, 404, "ERR_RATE_LIMIT_NOT_FOUND"],
		[`${ROUTE}/rate-limits/tries/keys`, 404, "ERR_RATE_LIMIT_NOT_FOUND"],
		[`${ROUTE}/rate-limits/0/keys`, 400, "ERR_INVALID_KEY"],
		[`${ROUTE}/rate-limits/0/keys/1.2.3.4`, 400, "ERR_INVALID_KEY"],
		[`${ROUTE}/rate-limits/0/keys/1.2.3.4/3/3`, 400, "ERR_INVALID_KEY"],
		[`${ROUTE}/rate-limits/0/keys/1.2.3.4/three`, 400, "ERR_INVALID_KEY"],
		[`${ROUTE}/rate-limits/0/keys/1.2.3.4/%ff`, 400, "ERR_INVALID_KEY"],
		[`${ROUTE}/rate-limits/0/keys${"/x".repeat(200)}`, 400, "ERR_INVALID_KEY"],
		["/edges/https/e/routes/other/rate-limits", 404, "ERR_POLICY_NOT_FOUND"],
		["/edges/https/e/routes/other/rate-limits/0/keys/x", 404, "ERR_POLICY_NOT_FOUND"],
		[`${ROUTE}/rate-limits/0`, 404, "ERR_NOT_FOUND"],
	] as const)("GET %s is %i %s", async (path, status, code) => {
		const { api } = await limited();
		expectError(await api.send("GET", path), status, code);
	});

	it("are not told of while workers count for themselves", async () => {
		const api = await startApi();
		await api.send("PUT", `${ROUTE}/policy`, { body: POLICY });
		for (const path of [`${ROUTE}/rate-limits`, KEY]) {
			expectError(await api.send("GET", path), 503, "ERR_NOT_READY");
		}
	});
});

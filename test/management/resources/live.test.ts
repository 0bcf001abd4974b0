/** `GET /live/…` and hits, asked for over HTTP: routes with what they have had, refusals, the hottest limits. */
import { describe, expect, it, onTestFinished } from "vitest";
import { Counters } from "../../../src/limiter/binding.ts";
import { SharedCounts } from "../../../src/limiter/counted-limits.ts";
import { NativeLimiters } from "../../../src/limiter/limiters.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { LiveApi } from "../../../src/management/live/live-api.ts";
import { compilePolicy } from "../../../src/policy/rules/compile.ts";
import { openStore } from "../../../src/store/open.ts";
import { exchangeOf } from "../../policy/support.ts";
import { temporaryFolder } from "../../store/folder.ts";
import { type Api, edge, expectError, POLICY, route, startApi } from "../api.ts";
import { FakeSource, reportedOf, reportOf, trafficOf } from "../live/source.ts";

const KEYS = 1000;
const LIMITED = {
	inbound: [
		{
			name: "five",
			actions: [{ type: "rate-limit", config: { name: "all", capacity: 5, rate: "60s" } }],
		},
	],
};

interface Tested {
	readonly api: Api;
	readonly source: FakeSource;
	readonly counters: Counters;
	/** resolves when the feed has taken a report */
	told(): Promise<void>;
}

async function start(): Promise<Tested> {
	const store = openStore(temporaryFolder());
	const source = new FakeSource();
	const counters = new Counters({});
	const shared = new SharedCounts(counters, () => KEYS);
	const live = new LiveApi({ source, store, counts: () => shared, version: "1" });
	const api = await startApi({ store, live, counts: () => shared });
	onTestFinished(() => live.close());
	await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
	for (const name of ["r", "s", "t"])
		await api.send("PUT", `/edges/https/e/routes/${name}`, { body: route(`/${name}`) });
	await api.send("PUT", POLICY, { body: LIMITED });
	const told = async () => {
		while (source.reported.length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
	};
	return { api, source, counters, told };
}

const counted = (name: string, ok: number, failed: number) => ({
	...{ edge: "e", route: name, counts: [0, 0, ok, 0, 0, failed, 0], seconds: 0 },
});

describe("routes", () => {
	it("are searched, sorted and told with what they have had", async () => {
		const { api, source, told } = await start();
		const rule = { edge: "e", route: "r", phase: "inbound", rule: 0, name: "five" } as const;
		const traffic = trafficOf({
			routes: [counted("r", 5, 1), counted("s", 90, 0)],
			rules: [{ ...rule, matched: 6, refused: 2 }],
		});
		source.reported = [reportedOf({ traffic: [traffic] })];
		await told();
		const { json } = await api.send("GET", "/live/routes?sort=requests&per_page=2");
		expect(json).toMatchObject({ page: 1, per_page: 2, found: 3, total: 3 });
		expect(json.routes).toMatchObject([
			{ id: "s", requests: 90, errors: 0, policy: { state: "none" } },
			{
				...{ id: "r", edge_id: "e", uri: "/edges/https/e/routes/r", match: "/r" },
				...{ hostports: ["a.example"], backends: ["http://127.0.0.1:9000"] },
				...{ requests: 6, errors: 1, refusals: 2, refusals_per_second: 2 },
				policy: { state: "enabled", rules: 1, rate_limits: 1 },
			},
		]);
		const found = await api.send("GET", "/live/routes?q=%2FT");
		expect(found.json.routes.map(({ id }: { id: string }) => id)).toEqual(["t"]);
		const hits = await api.send("GET", `${POLICY}/hits`);
		expect(hits.json.rules).toEqual([
			{ phase: "inbound", index: 0, name: "five", matches: 6, refusals: 2 },
		]);
		expect(hits.json.etag).toBe((await api.send("GET", POLICY)).headers.get("etag"));
	});

	it("are those of the store, when they are changed", async () => {
		const { api } = await start();
		const names = async () =>
			(await api.send("GET", "/live/routes")).json.routes.map(({ id }: { id: string }) => id);
		expect(await names()).toEqual(["r", "s", "t"]);
		await api.send("DELETE", "/edges/https/e/routes/s");
		expect(await names()).toEqual(["r", "t"]);
		await api.send("DELETE", "/edges/https/e");
		expect(await names()).toEqual([]);
	});

	it.each([
		["sort=size", "sort must be one of name, requests_per_second"],
		["order=up", "order must be one of asc, desc"],
		["page=0", "page must be a number from 1"],
		["per_page=101", "per_page must be a number from 1 to 100"],
		["q=a&q=b", "q may be given once only"],
		[`q=${"x".repeat(300)}`, "at most 256 characters"],
	])("can't be asked for by %s", async (query, words) => {
		const { api } = await start();
		const answer = await api.send("GET", `/live/routes?${query}`);
		expect(expectError(answer, 400, "ERR_INVALID_QUERY").json.msg).toContain(words);
	});
});

it("refusals are told, newest first", async () => {
	const { api, source, told } = await start();
	const record = {
		...{ ms: 1, requestId: undefined, clientIp: "192.0.2.1", edgeId: "e", routeId: "r" },
		...{ method: "GET", host: "h", path: "/", status: 429, reason: "rate_limit" as const },
		...{ rule: undefined, limit: "all" },
	};
	source.reported = [
		reportedOf({ report: reportOf({ refusals: 2, refused: [record, { ...record, ms: 2 }] }) }),
	];
	await told();
	const { json } = await api.send("GET", "/live/refusals?limit=1");
	expect(json).toMatchObject({
		refusals: [{ ts: 2, limit: "all", client_ip: "192.0.2.1" }],
		left_out: 1,
	});
	const most = `/live/refusals?limit=${LIMITS.liveRefusals + 1}`;
	expectError(await api.send("GET", most), 400, "ERR_INVALID_QUERY");
});

it("limits are told with what all workers have counted, and what is left", async () => {
	const { api, source, counters, told } = await start();
	expect((await api.send("GET", "/live/limits")).json).toEqual({ limits: [], left_out: 0 });
	source.reported = [reportedOf({ traffic: [trafficOf({ routes: [counted("r", 1, 0)] })] })];
	await told();
	const look = async () => (await api.send("GET", "/live/limits")).json.limits[0];
	expect(await look()).toMatchObject({
		...{ edge_id: "e", route_id: "r", rule: 0, rule_name: "five", name: "all", capacity: 5 },
		...{ rate: "1m", bucket_key: [], admitted: 0, rejected: 0, live_keys: 0, remaining: 5 },
	});
	const limiters = new NativeLimiters({ counters, keysMax: KEYS, onNoRoom: () => {} });
	const document = (await api.send("GET", POLICY)).json;
	const place = { edgeId: "e", routeId: "r", limiters, expressionErrors: "reject" } as const;
	const policy = compilePolicy(document, place);
	for (let count = 0; count < 7; count++) policy.inbound(exchangeOf());
	limiters.report();
	expect(await look()).toMatchObject({ admitted: 5, rejected: 2, live_keys: 1, remaining: 0 });
	policy.close();
});

it("hits are of a policy that there is", async () => {
	const { api } = await start();
	const missing = await api.send("GET", "/edges/https/e/routes/s/policy/hits");
	expectError(missing, 404, "ERR_POLICY_NOT_FOUND");
});

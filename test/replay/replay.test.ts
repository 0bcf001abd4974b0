/** Replays from lines to reports: limits in the log's time, differences, what the log lacks. */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { BEGIN_MS, jsonLine, replayed, source } from "./lines.ts";

const limit = (config: object) => ({
	actions: [
		{ type: "rate-limit", config: { name: "l", bucket_key: ["conn.client_ip"], ...config } },
	],
});
const deny = (expression: string, status = 403) => ({
	expressions: [expression],
	actions: [{ type: "deny", config: { status_code: status } }],
});
const EMPTY = source({ inbound: [] });

describe("rate-limits", () => {
	it("count in the log's time, as a window that slides", async () => {
		const ends = [1000, 2000, 30_000, 60_500, 61_500, 61_600, 90_000];
		const policy = source({ inbound: [limit({ capacity: 2, rate: "1m" })] });
		const report = await replayed(
			ends.map((ms) => jsonLine(ms)),
			{ policy },
		);
		// two seconds' requests fill it; the first of them leaves it a minute after it began, the second later
		expect(report.samples.map(({ line }) => line)).toEqual([3, 4]);
		expect(report.requests).toMatchObject({ now_blocked: 3, same: 4 });
		expect(report.rules).toEqual([
			{
				...{ of: "new", phase: "inbound", rule: 0, rule_name: "", rate_limit: "l" },
				...{ now_blocked: 3, now_passed: 0, changed: 0 },
			},
		]);
	});

	it("count in the order in which requests began", async () => {
		const policy = source({ inbound: [limit({ capacity: 1, rate: "1h" })] });
		const slow = jsonLine(9000, { duration_ms: 8000, request_id: "slow" });
		const quick = jsonLine(5000, { request_id: "quick" });
		const report = await replayed([quick, slow], { policy });
		expect(report.samples.map((each) => each.request_id)).toEqual(["quick"]);
		const late = await replayed([jsonLine(LIMITS.replayReorderMs - 1), quick, slow], { policy });
		expect(late.lines.late).toBe(0);
		const far = jsonLine(3 * LIMITS.replayReorderMs);
		expect((await replayed([quick, far, far, slow], { policy })).lines.late).toBe(1);
	});

	it("count by what was answered, when it was", async () => {
		const count = "res.status_code == 401";
		const policy = source({ inbound: [limit({ capacity: 1, rate: "1h", count })] });
		const failed = { status: 401 };
		const lines = [
			jsonLine(1000),
			// began before the failed one was answered
			jsonLine(5000, { ...failed, duration_ms: 3000 }),
			jsonLine(4000, { request_id: "before" }),
			jsonLine(6000, { request_id: "after" }),
		];
		const report = await replayed(lines, { policy });
		expect(report.samples.map((each) => each.request_id)).toEqual(["after"]);
		expect(report.requests).toMatchObject({ same: 3, now_blocked: 1 });
	});
});

describe("beside what the log says", () => {
	it("tells by rule, route, client and path", async () => {
		const policy = source({ inbound: [deny("req.url.path.startsWith('/admin')")] });
		const lines = [
			jsonLine(1, { path: "/admin/a", client_ip: "192.0.2.1" }),
			jsonLine(2, { path: "/admin/a", client_ip: "192.0.2.2" }),
			jsonLine(3, { path: "/admin/b", status: 403, outcome: "deny", phase: "inbound", rule: 7 }),
			jsonLine(4, { status: 404, outcome: "deny", phase: "inbound", rule: 1, rule_name: "old" }),
			jsonLine(5, { path: "/admin/c", status: 429, outcome: "limited", phase: "inbound", rule: 2 }),
			jsonLine(6, { status: 502, outcome: "edge", error_code: "ERR_UPSTREAM_FAILED" }),
			jsonLine(7, { status: 508, outcome: "edge", error_code: "ERR_LOOP_DETECTED" }),
			jsonLine(8, { edge: "", route: "", status: 404, outcome: "edge" }),
			jsonLine(9, { edge: "strange" }),
			jsonLine(10, { status: 0, outcome: "none", aborted: true }),
		];
		const report = await replayed(lines, { policy });
		expect(report.requests).toEqual({
			...{ same: 3, now_blocked: 2, now_passed: 1, changed: 1, unknown: 0, uncertain: 0 },
		});
		expect(report.lines).toMatchObject({
			read: 10,
			requests: 7,
			before_policies: 2,
			other_routes: 1,
		});
		expect(report.rules.map(({ of, rule, rule_name }) => [of, rule, rule_name])).toEqual([
			["new", 0, ""],
			["old", 1, "old"],
		]);
		expect(report.clients[0]).toMatchObject({ client_ip: "192.0.2.7", now_passed: 1, changed: 1 });
		expect(report.paths[0]).toMatchObject({ path: "/admin/a", now_blocked: 2 });
		expect(report.routes).toMatchObject([{ edge_id: "e", route_id: "r", now_blocked: 2 }]);
		expect(report.samples[0]).toMatchObject({
			...{ file: "log", line: 1, difference: "now_blocked", path: "/admin/a" },
			before: { outcome: "passed", status: 200 },
			after: { outcome: "deny", status: 403, rule: 0 },
		});
		expect([report.from, report.until]).toEqual([
			new Date(BEGIN_MS).toISOString(),
			new Date(BEGIN_MS + 10).toISOString(),
		]);
	});

	it("shows outbound rules the response that the line tells of, and judges no other", async () => {
		const answer = { type: "custom-response", config: { status_code: 500, content: "no" } };
		const policy = source({
			outbound: [{ expressions: ["res.headers['x-a'].exists(v, v == '1')"], actions: [answer] }],
		});
		const lines = [
			jsonLine(1, { response_headers: { "x-a": "1" } }),
			jsonLine(2, { response_headers: { "x-a": "2" } }),
			jsonLine(3, { status: 503, outcome: "respond", phase: "outbound", rule: 0 }),
			jsonLine(4, { status: 403, outcome: "deny", phase: "inbound", rule: 0 }),
		];
		const { requests } = await replayed(lines, { policy });
		expect(requests).toMatchObject({ now_blocked: 1, same: 1, unknown: 1, now_passed: 1 });
	});

	it("counts lines that can't be read, and says of the first why", async () => {
		const lines = ["", "{", jsonLine(1), '{"a":1}', '{"level":"info","msg":"weir is ready"}'];
		const { lines: counts } = await replayed(
			[...lines, '{"level":"info","msg":"refused","status":400}'],
			{ policy: EMPTY },
		);
		expect(counts).toMatchObject({ read: 5, bad: 2, other: 1, refused: 1, requests: 1 });
		expect(counts.first_bad).toEqual({ file: "log", line: 2, why: "it is no whole JSON object" });
	});
});

describe("beside another policy", () => {
	it("compares what backend and client would get", async () => {
		const add = (headers: object) => ({ actions: [{ type: "add-headers", config: { headers } }] });
		const answer = (content: string) => ({
			expressions: ["req.url.path == '/own'"],
			actions: [{ type: "custom-response", config: { status_code: 200, content } }],
		});
		const old = source({
			inbound: [answer("a"), add({ "x-a": "1" })],
			outbound: [add({ "x-o": "1" })],
		});
		const lines = [jsonLine(1), jsonLine(2, { path: "/own", outcome: "respond" })];
		const beside = async (policy: object) => {
			const report = await replayed(lines, { policy: source(policy), against: old });
			expect(report.agreement).toEqual({ same: 2, other: 0 });
			return [report.requests.same, report.requests.changed];
		};
		const [inbound, outbound] = [[answer("a"), add({ "x-a": "1" })], [add({ "x-o": "1" })]];
		expect(await beside({ inbound, outbound })).toEqual([2, 0]);
		expect(await beside({ inbound: [answer("b"), inbound[1]], outbound })).toEqual([1, 1]);
		expect(await beside({ inbound: [inbound[0], add({ "x-a": "2" })], outbound })).toEqual([1, 1]);
		expect(await beside({ inbound, outbound: [add({ "x-o": "2" })] })).toEqual([0, 2]);
		const rewrite = { actions: [{ type: "url-rewrite", config: { from: "/x$", to: "/y" } }] };
		expect(await beside({ inbound: [...inbound, rewrite], outbound })).toEqual([1, 1]);
	});

	it("takes no difference of what is left of limits for one of answers", async () => {
		const of = (capacity: number) =>
			source({ inbound: [limit({ capacity, rate: "1h", headers: "ietf" })] });
		const lines = [jsonLine(1), jsonLine(2), jsonLine(3)];
		const { requests } = await replayed(lines, { policy: of(10), against: of(2) });
		expect(requests).toMatchObject({ same: 2, now_passed: 1, changed: 0 });
	});
});

describe("what the log lacks", () => {
	it("is told where a policy reads it, with the lines that it concerns", async () => {
		const policy = source({
			inbound: [
				deny("req.headers['x-role'].exists(r, r == 'bad') || req.url.query == 'a'"),
				deny("req.method == 'PUT' && conn.client_port == 1"),
				deny("req.headers['authorization'].size() == 0", 401),
			],
		});
		const lines = [
			jsonLine(1, { headers: { authorization: "Bearer [redacted]" } }),
			jsonLine(2, { method: "PUT" }),
		];
		const report = await replayed(lines, { policy });
		expect(new Map(report.lacks.map(({ what, lines: count }) => [what, count]))).toEqual(
			new Map([
				["request header x-role", 2],
				["query", 2],
				["whole request header authorization", 1],
				["client's port", 1],
			]),
		);
		expect(report.requests).toMatchObject({ now_blocked: 1, uncertain: 1, same: 1 });
		const { lacks } = await replayed(
			[...lines, jsonLine(3, { headers: { "x-role": "a" }, query: "" })],
			{
				policy,
			},
		);
		expect(lacks.map(({ what }) => what)).not.toContain("request header x-role");
		expect(lacks.map(({ what }) => what)).not.toContain("query");
	});

	it("is an address list that nobody knows, and a sample that stands for more", async () => {
		const policy = source({
			inbound: [{ actions: [{ type: "restrict-ips", config: { lists: ["l"] } }] }],
		});
		const { lacks, lines } = await replayed([jsonLine(1, { sample_rate: 0.1 })], { policy });
		expect([lacks[0]?.what, lines.sampled]).toEqual(["address list l", 1]);
	});

	it("is who answered, in the combined format", async () => {
		const line = (path: string, status: number) =>
			`192.0.2.7 - - [22/Nov/2026:17:00:00 +0000] "GET ${path} HTTP/1.1" ${status} 12 "-" "curl"`;
		const policy = source({ inbound: [deny("req.url.path == '/a'")] });
		const lines = [line("/a", 200), line("/a", 403), line("/b", 200), line("/b", 429)];
		const { requests } = await replayed(lines, { policy });
		expect(requests).toMatchObject({ now_blocked: 1, same: 2, unknown: 1 });
		const byRoute = { ...policy, isByRoute: true };
		await expect(replayed(lines, { policy: byRoute })).rejects.toThrow("--route EDGE/ROUTE");
		const named = await replayed(lines, { policy: byRoute, route: "shop/all" });
		expect(named.routes).toMatchObject([{ edge_id: "shop", route_id: "all" }]);
	});
});

it("replays one route's lines alone", async () => {
	const lines = [jsonLine(1), jsonLine(2, { route: "s" })];
	const { lines: counts } = await replayed(lines, { policy: EMPTY, route: "e/s" });
	expect(counts).toMatchObject({ requests: 1, other_routes: 1 });
});

it("does at once what live requests wait for a thread for", async () => {
	const heavy = `${"'a'.matches('a') && ".repeat(20)}req.url.path.matches('^/(x+x+)+$')`;
	const many = `lists.range(200000).map(i, i * 2).filter(i, i % 3 == 1).size() > 1`;
	for (const expression of [heavy, many]) {
		let policy: ReturnType<typeof source>;
		try {
			policy = source({ inbound: [deny(expression)] });
		} catch {
			continue;
		}
		const { requests } = await replayed([jsonLine(1)], { policy });
		expect(requests.now_blocked + requests.same).toBe(1);
	}
});

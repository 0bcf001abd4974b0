/**
 * `/metrics` of a real server: every request is counted once, by route, rule, rate-limit and backend, over all workers
 * and through their replacement; in both formats; `promtool` has nothing to say against a whole scrape.
 */
import { execFileSync } from "node:child_process";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { familyNameOf } from "../../src/telemetry/metric-families.ts";
import { KEY, type Server, send, startServer, until } from "./harness.ts";
import { ENVIRONMENT, freePort, isInstalled } from "./programs.ts";

const EDGE = "/edges/https/e";
const backend: HttpServer = createServer((request, response) => {
	request.resume();
	response.writeHead(request.url === "/broken" ? 500 : 200).end("hello");
});
let server: Server;
let url = "";
let deadUrl = "";

const put = async (path: string, body: object) => {
	const { status } = await server.api("PUT", path, body);
	expect([200, 201]).toContain(status);
};
const routed = (route: string, urls: string[], match = `/${route}`) =>
	put(`${EDGE}/routes/${route}`, {
		match_type: "path_prefix",
		match,
		backend: { urls },
	});
const limit = { name: "few", capacity: 3, rate: "60s" };

beforeAll(async () => {
	backend.listen(0, "127.0.0.1");
	[server, deadUrl] = await Promise.all([
		startServer({ workers: 2, config: { metrics: { routes: 2 } } }),
		freePort().then((port) => `http://127.0.0.1:${port}`),
	]);
	url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`;
	await put(EDGE, { hostports: ["*"] });
	await routed("rest", [url], "/");
	await routed("limited", [url]);
	await routed("dead", [deadUrl]);
	await put(`${EDGE}/routes/limited/policy`, {
		inbound: [
			{ name: "few only", actions: [{ type: "rate-limit", config: limit }] },
			{
				name: "no secrets",
				expressions: ["req.url.path.endsWith('secret')"],
				actions: [{ type: "deny" }],
			},
		],
	});
});
afterAll(async () => {
	await server?.cleanUp();
	backend.close();
});

const scrape = async (accept?: string) => {
	const headers = { authorization: `Bearer ${KEY}`, ...(accept === undefined ? {} : { accept }) };
	const { status, body, headers: got } = await send(server.managementPort, "/metrics", { headers });
	expect(status).toBe(200);
	return { text: body, type: got["content-type"] };
};
const valuesOf = (text: string) =>
	Object.fromEntries(
		text
			.split("\n")
			.filter((line) => line !== "" && !line.startsWith("#"))
			.map((line) => [
				line.slice(0, line.lastIndexOf(" ")),
				Number(line.slice(line.lastIndexOf(" ") + 1)),
			]),
	);
const counted = async () => valuesOf((await scrape()).text);
const statusOf = async (path: string, method = "GET") =>
	(await send(server.port, path, { method, ...(method === "POST" ? { body: "12345" } : {}) }))
		.status;

describe("a scrape", () => {
	it("counts each request once, wherever it ended", async () => {
		const paths = ["/limited/a", "/limited/secret", "/limited/b", "/limited/c", "/limited/d"];
		const statuses: number[] = [];
		for (const path of paths) statuses.push(await statusOf(path));
		expect(statuses).toEqual([200, 403, 200, 429, 429]);
		expect(await statusOf("/broken")).toBe(500);
		expect(await statusOf("/", "POST")).toBe(200);
		expect(await statusOf("/dead")).toBe(502);
		// It is for a second, which the rest may take.
		const aside = `weir_backend_set_aside_seconds{address="${deadUrl}"}`;
		expect((await counted())[aside]).toBeGreaterThan(0);
		// What has been decided is told to all within a second.
		const few = '{edge="e",route="limited",rule="0",name="few"}';
		await until(async () => {
			const { [`weir_rate_limit_admitted_total${few}`]: admitted, ...values } = await counted();
			return (admitted === 3 && values[`weir_rate_limit_rejected_total${few}`] === 2) || undefined;
		}, "all is told");
		const values = await counted();
		const rule = (index: number, name: string) =>
			`{edge="e",route="limited",phase="inbound",rule="${index}",name="${name}"}`;
		expect(values).toMatchObject({
			'weir_route_requests_total{edge="e",route="limited",class="2xx"}': 2,
			'weir_route_requests_total{edge="e",route="limited",class="4xx"}': 3,
			[`weir_rule_matches_total${rule(0, "few only")}`]: 5,
			[`weir_rule_refusals_total${rule(0, "few only")}`]: 2,
			[`weir_rule_refusals_total${rule(1, "no secrets")}`]: 1,
			[`weir_rate_limit_rejected_total${few}`]: 2,
			[`weir_rate_limit_room${few}`]: 0,
			[`weir_backend_requests_total{address="${url}"}`]: 4,
			[`weir_backend_failures_total{address="${deadUrl}",reason="connect"}`]: 1,
			'weir_request_duration_seconds_count{by="weir"}': 3,
			'weir_request_duration_seconds_count{by="backend"}': 5,
			weir_policy_duration_seconds_count: 5,
			weir_upstream_duration_seconds_count: 4,
			'weir_body_bytes_total{direction="in"}': 5,
			'weir_store_version{process="worker 1"}': values['weir_store_version{process="supervisor"}'],
		});
		expect(values['weir_store_version{process="supervisor"}']).toBe(5);
		expect(values.weir_upstream_duration_seconds_sum).toBeGreaterThan(0);
	});

	it("has series for as many routes as it may, and one sum for others", async () => {
		const { text } = await scrape();
		const routes = new Set(
			[...text.matchAll(/weir_route_requests_total\{edge="([^"]*)",route="([^"]*)"/g)].map(
				([, edge, route]) => `${edge}/${route}`,
			),
		);
		expect([...routes].filter((route) => route.startsWith("e/"))).toHaveLength(2);
		expect(routes).toContain("(others)/");
		const total = Object.entries(valuesOf(text))
			.filter(([name]) => name.startsWith("weir_route_requests_total"))
			.reduce((sum, [, value]) => sum + value, 0);
		expect(total).toBe(8);
	});

	it("tells of each process, and of no series that the table lacks", async () => {
		const { text, type } = await scrape();
		expect(type).toBe("text/plain; version=0.0.4; charset=utf-8");
		const values = valuesOf(text);
		for (const name of ["supervisor", "worker 0", "worker 1"]) {
			expect(values[`weir_process_resident_bytes{process="${name}"}`]).toBeGreaterThan(1e7);
			expect(values[`weir_process_open_descriptors{process="${name}"}`]).toBeGreaterThan(5);
		}
		expect(Object.keys(values).filter((name) => familyNameOf(name) === undefined)).toEqual([]);
	});

	it("is OpenMetrics for who asks for it", async () => {
		const { text, type } = await scrape(
			"application/openmetrics-text;version=1.0.0,text/plain;q=0.5",
		);
		expect(type).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
		expect(text).toMatch(/^# TYPE weir_requests counter$/m);
		expect(text).toMatch(/\n# EOF\n$/);
	});

	const hasPromtool = isInstalled("promtool", "--version", "a scrape is not checked");
	it.skipIf(!hasPromtool)("is what promtool wants", async () => {
		const { text } = await scrape();
		const said = execFileSync("promtool", ["check", "metrics"], {
			input: text,
			env: ENVIRONMENT,
			encoding: "utf8",
		});
		expect(said).toBe("");
	});

	it("loses nothing of a worker that is told to leave", async () => {
		const before = await counted();
		const worker = Number(server.workerPids()[0]);
		for (let request = 0; request < 10; request++) expect(await statusOf("/")).toBe(200);
		process.kill(worker, "SIGTERM");
		await until(
			async () => (await counted()).weir_worker_restarts_total === 1 || undefined,
			"another worker",
		);
		const after = await counted();
		const sum = (values: Record<string, number>) =>
			Object.entries(values)
				.filter(([name]) => name.startsWith("weir_route_requests_total"))
				.reduce((total, [, value]) => total + value, 0);
		expect(sum(after) - sum(before)).toBe(10);
		for (const [name, value] of Object.entries(before))
			if (/_(?:total|count|bucket)(?:\{|$)/.test(name))
				expect(after[name], name).toBeGreaterThanOrEqual(value);
	});
});

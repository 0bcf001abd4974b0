/**
 * What `/metrics` tells of the counters, and the bound on their memory (contract 1, `counters.keys_max`):
 * a flood of keys costs no more than that, and a key over its limit stays limited through it.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ANSWER, counting, limit, passing, routed } from "./counting.ts";
import { byKey, Crowd, count } from "./crowd.ts";
import { type Server, startServer, until } from "./harness.ts";

const KEYS_MAX = 16;
const FLOOD = 500;
const CLIENTS = 2;
const CONNECTIONS = 4;
const USER = ["req.headers['x-user']"];

let server: Server;
let crowd: Crowd;
beforeAll(async () => {
	const config = { counters: { keys_max: KEYS_MAX } };
	[server, crowd] = await Promise.all([startServer({ workers: 2, config }), Crowd.start(CLIENTS)]);
	await routed(server);
});
afterAll(async () => {
	await crowd?.close();
	await server?.cleanUp();
});

/** So many keys, each used once. */
const flood = (name: string) =>
	crowd.send(server.port, (client) =>
		Array.from({ length: CONNECTIONS }, (_, connection) => ({
			path: `/${name}`,
			requests: Math.ceil(FLOOD / (CLIENTS * CONNECTIONS)),
			rotating: { header: "x-user", prefix: `${name} ${client} ${connection} `, every: 1 },
		})),
	);
const metric = (name: string) => server.metric(`weir_${name}`);

it("gauges tell what is kept, and the size of the file", async () => {
	expect(await metric("rate_limits")).toBe(0);
	expect(await metric("rate_limit_live_keys")).toBe(0);
	await server.policy({
		inbound: [{ actions: [limit({ bucket_key: USER }), limit({ name: "other" }), ANSWER] }],
	});
	expect(await metric("rate_limits"), "no request has met them").toBe(0);
	for (const user of ["a", "b", "c", "b"]) await server.get("/", { "x-user": user });
	expect(await metric("rate_limits")).toBe(2);
	expect(await metric("rate_limit_live_keys")).toBe(4);
	expect(await metric("rate_limit_evicted_keys_total")).toBe(0);
	expect(await metric("rate_limit_full_total")).toBe(0);
	const { size } = statSync(join(server.folder, "data", "counters"));
	expect(await metric("counters_bytes")).toBe(size);
});

it("the sum of a limit goes on when its capacity is changed, and changed back", async () => {
	const series = 'weir_rate_limit_admitted_total{edge="e",route="r",rule="0",name="changed"}';
	const admitted = (wanted: number) =>
		until(
			async () => ((await server.metric(series)) === wanted ? true : undefined),
			`${wanted} admissions in all`,
		);
	let sum = 0;
	for (const [capacity, requests] of [
		[50, 10],
		[60, 3],
		[50, 1],
	] as const) {
		await server.policy(counting({ name: "changed", capacity }));
		if (sum > 0) expect(await server.metric(series)).toBe(sum);
		expect(await passing(server, requests)).toBe(requests);
		sum += requests;
		await admitted(sum);
	}
});

describe("a flood of keys", () => {
	it("evicts, and leaves the limited key limited; another limit's keys are not touched", async () => {
		const flooded = { expressions: ["size(req.headers['x-user']) > 0"] };
		await server.policy({
			inbound: [
				{ ...flooded, actions: [limit({ name: "flooded", capacity: 2, bucket_key: USER })] },
				{ ...flooded, actions: [ANSWER] },
				{ actions: [limit({ name: "quiet", capacity: 2, bucket_key: ["req.host"] }), ANSWER] },
			],
		});
		const limited = { "x-user": "limited" };
		expect(await passing(server, 3, "/", limited)).toBe(2);
		expect(await passing(server, 1)).toBe(1);
		const before = await metric("rate_limit_live_keys");
		const evicted = await metric("rate_limit_evicted_keys_total");
		const sent = await flood("once");
		expect(byKey(sent).size).toBeGreaterThanOrEqual(FLOOD);
		expect(count(sent, 200)).toBe(sent.length);
		expect((await metric("rate_limit_live_keys")) - before).toBeLessThan(KEYS_MAX);
		expect((await metric("rate_limit_evicted_keys_total")) - evicted).toBeGreaterThanOrEqual(
			FLOOD - KEYS_MAX,
		);
		expect(await metric("rate_limit_full_total")).toBe(0);
		expect(await passing(server, 4, "/", limited)).toBe(0);
		expect(await passing(server, 2)).toBe(1);
	});

	it("of keys that are limited at once turns newcomers away, and says for how long", async () => {
		await server.policy(counting({ name: "full", capacity: 1, rate: "60s", bucket_key: USER }));
		const full = await metric("rate_limit_full_total");
		const evicted = await metric("rate_limit_evicted_keys_total");
		const sent = await flood("full");
		const passed = count(sent, 200);
		expect(passed).toBeGreaterThan(0);
		expect(passed).toBeLessThanOrEqual(KEYS_MAX);
		expect((await metric("rate_limit_full_total")) - full).toBe(sent.length - passed);
		expect(await metric("rate_limit_evicted_keys_total")).toBe(evicted);
		for (const { status, retryAfterSeconds } of sent) {
			if (status === 200) continue;
			expect(status).toBe(429);
			expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
			expect(retryAfterSeconds).toBeLessThanOrEqual(60);
		}
		// As asked of the API, before and after.
		const asked = async () => {
			const keys = "/edges/https/e/routes/r/rate-limits/0/keys";
			const { limited, remaining } = JSON.parse((await server.api("GET", `${keys}/new`)).body);
			const request = { url: "http://e.example/", headers: { "x-user": "new" } };
			const explained = JSON.parse((await server.api("POST", "/explain", { request })).body);
			return { limited, remaining, status: explained.answer.status };
		};
		const turnedAway = { limited: true, remaining: 0, status: 429 };
		expect(await asked()).toEqual(turnedAway);
		expect(await passing(server, 1, "/", { "x-user": "new" })).toBe(0);
		expect(await asked()).toEqual(turnedAway);
		for (const { key } of sent.filter(({ status }) => status === 200)) {
			expect(await passing(server, 1, "/", { "x-user": key })).toBe(0);
		}
	});
});

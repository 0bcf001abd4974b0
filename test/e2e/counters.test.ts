/**
 * One count for all workers (contract 5, rate-limit): eight client processes and two workers at once, and
 * what passes is the capacity, to the last request, every time.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ANSWER, counting, everyWorkerAnswered, limit, routed } from "./counting.ts";
import { byKey, Crowd, count, type Lane } from "./crowd.ts";
import { type Server, startServer } from "./harness.ts";

const CLIENTS = 8;
const CONNECTIONS = 6;
const KEYS = 5;

let server: Server;
let crowd: Crowd;
beforeAll(async () => {
	[server, crowd] = await Promise.all([
		startServer({ workers: 2, config: { log: { access: true } } }),
		Crowd.start(CLIENTS),
	]);
	await routed(server);
});
afterAll(async () => {
	await crowd?.close();
	await server?.cleanUp();
});

/** Half as many requests again as may pass, on connections of all clients. */
const lanes = (path: string, capacity: number, more: Partial<Lane> = {}) => {
	const requests = Math.ceil((1.5 * capacity) / (CLIENTS * CONNECTIONS)) + 2;
	return (client: number): Lane[] =>
		Array.from({ length: CONNECTIONS }, (_, connection) => ({
			path: `${path}/${client}/${connection}`,
			requests,
			...more,
		}));
};

describe.each([1, 5, 61, 100, 1000])("capacity %i", (capacity) => {
	it("on one key exactly so many pass, every run", async () => {
		for (let run = 0; run < 3; run++) {
			await server.policy(counting({ name: `run ${run}`, capacity }));
			const sent = await crowd.send(server.port, lanes(`/one/${capacity}/${run}`, capacity));
			expect(count(sent, 200)).toBe(capacity);
			expect(count(sent, 429)).toBe(sent.length - capacity);
			await everyWorkerAnswered(server, sent);
			for (const { status, retryAfterSeconds } of sent) {
				if (status !== 429) continue;
				expect(retryAfterSeconds).toBeGreaterThan(3500);
				expect(retryAfterSeconds).toBeLessThanOrEqual(3600);
			}
		}
	});

	it("on several keys exactly so many pass on each", async () => {
		await server.policy(counting({ capacity, bucket_key: ["req.headers['x-user']"] }));
		// Every connection goes from key to key, all at about the same time.
		const each = lanes("", capacity)(0)[0]?.requests ?? 0;
		const sent = await crowd.send(
			server.port,
			lanes(`/several/${capacity}`, capacity, {
				requests: each * KEYS,
				rotating: { header: "x-user", prefix: "u", every: each },
			}),
		);
		const groups = byKey(sent);
		expect(groups.size).toBe(KEYS);
		for (const group of groups.values()) {
			expect(count(group, 200)).toBe(capacity);
			expect(count(group, 429)).toBe(group.length - capacity);
			await everyWorkerAnswered(server, group);
		}
	});
});

/** Requests over any of the limits that only watch, which have a series each. */
async function exceeded(): Promise<number> {
	const { body } = await server.api("GET", "/metrics");
	const lines = body
		.split("\n")
		.filter((line) => line.startsWith("weir_rate_limit_exceeded_total{"))
		.filter((line) => line.includes('enforced="false"'));
	return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}

it("of 256 limits that every request is counted by, none is off by one", async () => {
	const capacity = 1000;
	const watched = (rule: number) => ({
		actions: Array.from({ length: 32 }, (_, n) =>
			limit({ name: `watched ${rule} ${n}`, capacity, enforce: false }),
		),
	});
	await server.policy({
		inbound: [...Array.from({ length: 8 }, (_, rule) => watched(rule)), { actions: [ANSWER] }],
	});
	const sent = await crowd.send(server.port, lanes("/watched", capacity));
	expect(count(sent, 200)).toBe(sent.length);
	await everyWorkerAnswered(server, sent);
	expect(await exceeded()).toBe(256 * (sent.length - capacity));
});

it("admissions are shared: each worker lets some of them through", async () => {
	await server.policy(counting({ name: "shared", capacity: 1000 }));
	const sent = await crowd.send(server.port, lanes("/shared", 1000));
	const passed = sent.filter(({ status }) => status === 200);
	expect(passed).toHaveLength(1000);
	await everyWorkerAnswered(server, passed);
});

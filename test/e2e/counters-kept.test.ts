/**
 * What a count belongs to and how long it lives (contract 5, rate-limit): it outlives orderly restarts,
 * reloads and everything about a policy that is not the limit itself; another limit has a count of its own.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ANSWER, counting, type Limit, limit, passing, retryAfter, routed } from "./counting.ts";
import { kill, type Server, startServer, until } from "./harness.ts";

/** milliseconds of a test that starts the server twice */
const timeout = 60_000;
const POLICY = "/edges/https/e/routes/r/policy";

let server: Server;
beforeAll(async () => {
	server = await startServer({ workers: 2 });
	await routed(server);
});
afterAll(async () => {
	await server?.cleanUp();
});

/** A limit that no other test has. */
let name = "";
let names = 0;
beforeEach(() => {
	name = `limit ${names++}`;
});
const own = (config: Limit = {}): Limit => ({ name, ...config });
const put = (config: Limit) => server.policy(counting(config));

describe("a count is kept", () => {
	it("by SIGTERM and a new start; waiting goes on where it was", { timeout }, async () => {
		await put(own({ capacity: 4 }));
		expect(await passing(server, 3)).toBe(3);
		expect(await server.stop()).toBe(0);
		server = await startServer({ folder: server.folder, workers: 2 });
		expect(await passing(server, 6)).toBe(1);
		const before = await retryAfter(server);
		expect(await server.stop()).toBe(0);
		server = await startServer({ folder: server.folder, workers: 2 });
		expect(await retryAfter(server)).toBeLessThanOrEqual(before);
		expect(await passing(server, 4)).toBe(0);
	});

	it("by SIGHUP, over to the new workers", async () => {
		await put(own({ capacity: 4 }));
		expect(await passing(server, 3)).toBe(3);
		const before = server.workerPids();
		server.replaceWorkers();
		await server.replaced();
		expect(server.workerPids().filter((pid) => before.includes(pid))).toEqual([]);
		expect(await passing(server, 5)).toBe(1);
	});

	it("by a PUT of the same again", async () => {
		for (let round = 0; round < 4; round++) {
			await put(own({ capacity: 10 }));
			expect(await passing(server, 4)).toBe(round < 2 ? 4 : round === 2 ? 2 : 0);
		}
	});

	it("by a change elsewhere in the policy, and another place in it", async () => {
		const action = limit(own());
		const deny = { expressions: ["req.url.path == '/x'"], actions: [{ type: "deny" }] };
		await server.policy({ inbound: [{ actions: [action, ANSWER] }] });
		expect(await passing(server, 2)).toBe(2);
		await server.policy({
			inbound: [deny, { name: "moved", actions: [{ type: "log" }, action, ANSWER] }],
			outbound: [{ actions: [{ type: "log" }] }],
		});
		expect(await passing(server, 3)).toBe(1);
	});

	it.each([
		["rate", { rate: "60s" }, { rate: "1m" }],
		["rate with several units", { rate: "90m" }, { rate: "1h30m" }],
		[
			"header",
			{ bucket_key: ["req.headers['X-Team']"] },
			{ bucket_key: ["getReqHeader('x-team')"] },
		],
		[
			"order of bucket_key",
			{ bucket_key: ["req.host", "conn.client_ip"] },
			{ bucket_key: ["conn.client_ip", "req.host"] },
		],
		["enforce", { enforce: true }, {}],
	])("by another spelling: %s", async (_, one, other) => {
		await put(own(one));
		expect(await passing(server, 2)).toBe(2);
		await put(own(other));
		expect(await passing(server, 2)).toBe(1);
		await put(own(one));
		expect(await passing(server, 1)).toBe(0);
	});

	it("while it is only watched, and holds once it is enforced", async () => {
		await put(own({ enforce: false }));
		expect(await passing(server, 5)).toBe(5);
		await put(own({ enforce: true }));
		expect(await passing(server, 1)).toBe(0);
	});

	it("by DELETE of the policy and a PUT within the window", async () => {
		await put(own());
		expect(await passing(server, 2)).toBe(2);
		expect((await server.api("DELETE", POLICY)).status).toBe(204);
		await put(own());
		expect(await passing(server, 3)).toBe(1);
	});

	it("by DELETE of the policy, a restart and a PUT within the window", async () => {
		await put(own());
		expect(await passing(server, 2)).toBe(2);
		expect((await server.api("DELETE", POLICY)).status).toBe(204);
		await server.stop();
		server = await startServer({ folder: server.folder, workers: 2 });
		await put(own());
		expect(await passing(server, 3)).toBe(1);
	});
});

describe("what a limit has admitted and rejected is told", () => {
	const told = async () => {
		const { body } = await server.api("GET", "/edges/https/e/routes/r/rate-limits");
		const [{ admitted, rejected }] = JSON.parse(body).rate_limits;
		return { admitted, rejected };
	};
	/** Most are rejected by the front itself. */
	const reject = async (times: number) => {
		expect(await passing(server, times)).toBe(0);
	};

	it("of workers that leave right afterwards", { timeout }, async () => {
		await put(own({ capacity: 2 }));
		expect(await passing(server, 2)).toBe(2);
		await reject(48);
		expect(await server.stop()).toBe(0);
		server = await startServer({ folder: server.folder, workers: 2 });
		expect(await told()).toEqual({ admitted: 2, rejected: 48 });

		await reject(50);
		server.replaceWorkers();
		await server.replaced();
		expect(await told()).toEqual({ admitted: 2, rejected: 98 });

		const pids = server.workerPids();
		await reject(50);
		for (const pid of pids) kill(pid, "SIGTERM");
		await until(
			() => !server.workerPids().some((pid) => pids.includes(pid)) || undefined,
			"the workers to end",
		);
		expect(await told()).toEqual({ admitted: 2, rejected: 148 });
	});
});

describe("a count of its own", () => {
	it.each<[string, Limit]>([
		["capacity", { capacity: 2 }],
		["rate", { rate: "2h" }],
		["bucket_key", { bucket_key: ["req.host"] }],
		["name", { name: "another" }],
	])("has a limit with another %s; the old one's holds if it comes back", async (_, changed) => {
		await put(own());
		expect(await passing(server, 4)).toBe(3);
		const capacity = changed.capacity ?? 3;
		await put(own(changed));
		expect(await passing(server, capacity + 1)).toBe(capacity);
		await put(own());
		expect(await passing(server, 1)).toBe(0);
		await put(own(changed));
		expect(await passing(server, 1)).toBe(0);
	});

	it("has each of several identical actions, by their order", async () => {
		const at = (path: string) => ({
			expressions: [`req.url.path == '${path}'`],
			actions: [limit(own()), ANSWER],
		});
		await server.policy({ inbound: [at("/first"), at("/second")] });
		expect(await passing(server, 4, "/first")).toBe(3);
		expect(await passing(server, 1, "/second")).toBe(1);
		// Whoever comes first now has the full count.
		await server.policy({ inbound: [at("/second"), at("/first")] });
		expect(await passing(server, 1, "/second")).toBe(0);
		expect(await passing(server, 3, "/first")).toBe(2);
	});

	it("has each route", async () => {
		await put(own());
		expect(await passing(server, 4)).toBe(3);
		const route = {
			match_type: "path_prefix",
			match: "/other",
			backend: { urls: ["http://127.0.0.1:9"] },
		};
		await server.must(server.api("PUT", "/edges/https/e/routes/other", route));
		await server.must(server.api("PUT", "/edges/https/e/routes/other/policy", counting(own())));
		expect(await passing(server, 4, "/other")).toBe(3);
		expect(await passing(server, 1)).toBe(0);
		await server.must(server.api("DELETE", "/edges/https/e/routes/other"));
	});

	it("has each value of a header; absent, empty and two lines are three of them", async () => {
		await put(own({ capacity: 1, bucket_key: ["req.headers['x-team']"] }));
		const lines: Record<string, string | string[]>[] = [
			{},
			{ "x-team": "" },
			{ "x-team": "a" },
			{ "x-team": ["a", "a"] },
		];
		for (const expected of [200, 429]) {
			for (const headers of lines) expect((await server.get("/", headers)).status).toBe(expected);
		}
	});
});

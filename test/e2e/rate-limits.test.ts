/**
 * The second version of rate-limit on real servers (contract 5): a client that owns a /64 has one limit, behind a trusted
 * proxy and behind one that speaks PROXY protocol; costs, header fields, answers of its own and counts after the response
 * hold over two workers; the management API tells and resets what all of them have counted, after a restart as well.
 */
import { type AddressInfo, connect, createServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { RawClient } from "../edge/harness.ts";
import { ANSWER, limit, routed } from "./counting.ts";
import { type Server, startServer, startUpstream, type TestUpstream, until } from "./harness.ts";

let server: Server | undefined;
let upstream: TestUpstream | undefined;
afterEach(async () => {
	await server?.cleanUp();
	await upstream?.close();
	server = undefined;
	upstream = undefined;
});

const started = async (config: Record<string, unknown> = {}): Promise<Server> => {
	server = await startServer({ workers: 2, config });
	await routed(server);
	return server;
};

const limited = (config: object) => ({
	inbound: [
		{ actions: [{ type: "rate-limit", config: { capacity: 3, rate: "1h", ...config } }, ANSWER] },
	],
});

/** Forty addresses of one /64. */
const addresses = Array.from(
	{ length: 40 },
	(_, n) => `2001:db8:7:8:${(n * 977).toString(16)}::${n}`,
);
/** Nobody listens there. */
async function closedPort(): Promise<number> {
	const listener = createServer();
	await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
	const { port } = listener.address() as AddressInfo;
	await new Promise((resolve) => listener.close(resolve));
	return port;
}

/** As soon as its last byte is there. */
async function statusOnNewConnection(port: number): Promise<number> {
	const client = new RawClient(port).send("GET / HTTP/1.1\r\nhost: a.example\r\n\r\n");
	await client.until(({ received }) => received.includes("\r\n\r\n"));
	client.socket.destroy();
	return Number(client.received.slice(9, 12));
}

const admitted = (statuses: readonly number[]) =>
	statuses.filter((status) => status === 200).length;

describe("a client that owns a /64", () => {
	it("gets no more than the capacity through a trusted proxy", async () => {
		const at = await started({ trusted_proxies: ["127.0.0.1"] });
		await at.policy(limited({ bucket_key: ["conn.client_ip"] }));
		const statuses: number[] = [];
		for (const address of addresses) {
			statuses.push((await at.get("/", { "x-forwarded-for": address })).status);
		}
		expect(admitted(statuses)).toBe(3);
		expect((await at.get("/", { "x-forwarded-for": "2001:db8:7:9::1" })).status).toBe(200);
		const mapped = ["::ffff:192.0.2.1", "192.0.2.1", "::ffff:c000:201", "192.0.2.1"];
		const four: number[] = [];
		for (const address of mapped)
			four.push((await at.get("/", { "x-forwarded-for": address })).status);
		expect(four).toEqual([200, 200, 200, 429]);
	});

	it("gets no more than the capacity through PROXY protocol", async () => {
		const at = await started({ listen: [{ address: "127.0.0.1:0", proxy_protocol: true }] });
		await at.policy(limited({ bucket_key: ["conn.client_ip"], cost: "${1}" }));
		const statuses: number[] = [];
		for (const address of addresses) {
			const client = new RawClient(0, connect({ port: at.port, host: "127.0.0.1" }));
			client.send(`PROXY TCP6 ${address} ::1 4000 8080\r\nGET / HTTP/1.1\r\nhost: h.test\r\n\r\n`);
			statuses.push((await client.response()).status);
			client.destroy();
		}
		expect(admitted(statuses)).toBe(3);
	});

	it("has as much of its address counted as the configuration and the limit say", async () => {
		const at = await started({
			trusted_proxies: ["127.0.0.1"],
			rate_limits: { ipv6_prefix: 48 },
		});
		const two = async () => {
			const statuses: number[] = [];
			for (const address of ["2001:db8:1:1::1", "2001:db8:1:2::1"]) {
				statuses.push((await at.get("/", { "x-forwarded-for": address })).status);
			}
			return statuses;
		};
		await at.policy(limited({ capacity: 1, bucket_key: ["conn.client_ip"] }));
		expect(await two()).toEqual([200, 429]);
		await at.policy(limited({ capacity: 1, bucket_key: ["conn.client_ip"], ipv6_prefix: 64 }));
		expect(await two()).toEqual([200, 200]);
	});
});

describe("what a limit has beside its capacity", () => {
	it("costs, header fields and an answer of its own, over both workers", async () => {
		const at = await started();
		await at.policy(
			limited({
				name: "quota",
				capacity: 10,
				cost: "${int(getReqHeader('x-cost')[0])}",
				headers: "ietf",
				status_code: 503,
				content: "come back later, ${req.method}",
				content_type: "text/plain",
			}),
		);
		const ask = (cost: number) => at.get("/", { "x-cost": `${cost}` });
		const first = await ask(6);
		expect(first.status).toBe(200);
		expect(first.headers["ratelimit-policy"]).toBe('"quota";q=10;w=3600');
		expect(first.headers.ratelimit).toMatch(/^"quota";r=4;t=3600$/);
		const second = await ask(5);
		expect([second.status, second.body]).toEqual([503, "come back later, GET"]);
		expect(second.headers["content-type"]).toBe("text/plain");
		expect(Number(second.headers["retry-after"])).toBeGreaterThan(3500);
		expect(second.headers.ratelimit).toMatch(/^"quota";r=4;t=3\d\d\d$/);
		expect((await ask(4)).status).toBe(200);
		expect((await ask(1)).status).toBe(503);
		expect((await ask(0)).status).toBe(200);
		expect((await ask(11)).status).toBe(500);
		const name =
			'weir_rate_limit_exceeded_total{edge="e",route="r",rule="0",name="quota",enforced="true"}';
		await until(
			async () => ((await at.metric(name)) === 2 ? true : undefined),
			"two over the limit",
		);
	});

	it("failed logins are counted when they are answered", async () => {
		upstream = await startUpstream();
		upstream.status = 401;
		server = await startServer({ workers: 2 });
		await server.route(upstream.port);
		await server.policy({
			inbound: [{ actions: [limit({ capacity: 2, count: "res.status_code == 401" })] }],
		});
		const statuses: number[] = [];
		for (const status of [200, 200, 200, 401, 401, 200]) {
			upstream.status = status;
			statuses.push((await server.get("/login")).status);
		}
		expect(statuses).toEqual([200, 200, 200, 401, 401, 429]);
	});

	it("who has an answer has been counted, whichever worker is asked next", async () => {
		server = await startServer({ workers: 2 });
		await server.route(await closedPort());
		for (let round = 0; round < 20; round++) {
			await server.policy({
				inbound: [
					{ actions: [limit({ name: `n${round}`, capacity: 2, count: "res.status_code == 502" })] },
				],
			});
			const statuses: number[] = [];
			for (let n = 0; n < 3; n++) statuses.push(await statusOnNewConnection(server.port));
			expect(statuses).toEqual([502, 502, 429]);
		}
	});

	it("an answer that outbound rules put in is counted by its own fields", async () => {
		upstream = await startUpstream();
		upstream.headers = { "x-login": "ok" };
		server = await startServer({ workers: 1 });
		await server.route(upstream.port);
		const count = "res.headers['x-login'] == ['failed']";
		const own = { type: "custom-response", config: { headers: { "x-login": "failed" } } };
		await server.policy({
			inbound: [{ actions: [limit({ capacity: 2, count })] }],
			outbound: [{ expressions: ["res.status_code == 200"], actions: [own] }],
		});
		const statuses: number[] = [];
		for (let n = 0; n < 3; n++) statuses.push((await server.get("/")).status);
		expect(statuses).toEqual([200, 200, 429]);
	});

	const COUNTS = [
		"hasResHeader('x-fail')",
		"res.headers['x-fail'][0] == '1'",
		"'x-fail' in res.headers",
	];
	it.each(COUNTS)(
		"%s counts answers of backends and policies that no rule looks at",
		async (count) => {
			upstream = await startUpstream();
			upstream.headers = { "x-fail": "1" };
			server = await startServer({ workers: 1 });
			await server.route(upstream.port);
			const own = {
				type: "custom-response",
				config: { status_code: 203, headers: { "x-fail": "1" } },
			};
			for (const [name, actions, status] of [
				["backend", [], 200],
				["policy", [own], 203],
			] as const) {
				await server.policy({
					inbound: [{ actions: [limit({ name, capacity: 2, count }), ...actions] }],
				});
				const statuses: number[] = [];
				for (let n = 0; n < 3; n++) statuses.push((await server.get("/")).status);
				expect(statuses).toEqual([status, status, 429]);
			}
		},
	);

	it("legacy fields tell of the tightest limit, in place of the backend's", async () => {
		upstream = await startUpstream();
		upstream.headers = { "x-ratelimit-limit": "9999" };
		server = await startServer({ workers: 1 });
		await server.route(upstream.port);
		const one = { type: "rate-limit", config: { capacity: 50, rate: "1h", headers: "legacy" } };
		const two = { type: "rate-limit", config: { capacity: 4, rate: "60s", headers: "legacy" } };
		await server.policy({ inbound: [{ actions: [one, two] }] });
		const { headers } = await server.get("/");
		expect(headers["x-ratelimit-limit"]).toBe("4");
		expect(headers["x-ratelimit-remaining"]).toBe("3");
		expect(headers["x-ratelimit-reset"]).toBe("60");
	});
});

it("counts are told and reset over all workers, and after a restart", async () => {
	const at = await started({ trusted_proxies: ["127.0.0.1"] });
	const path = "/edges/https/e/routes/r/rate-limits";
	await at.policy(limited({ bucket_key: ["conn.client_ip"] }));
	for (let n = 0; n < 4; n++) await at.get("/", { "x-forwarded-for": addresses[n] ?? "" });
	const key = `${path}/0/keys/${encodeURIComponent("2001:db8:7:8::")}`;
	let now = at;
	const read = async (uri: string) => JSON.parse((await now.api("GET", uri)).body);
	expect(await read(key)).toMatchObject({ used: 3, remaining: 0, limited: true });
	await until(async () => {
		const { rate_limits } = await read(path);
		const { admitted: passed, rejected, live_keys } = rate_limits[0];
		return passed === 3 && rejected === 1 && live_keys === 1 ? true : undefined;
	}, "both workers to have told what they decided");
	await at.killAll();
	server = await startServer({
		workers: 2,
		folder: at.folder,
		config: { trusted_proxies: ["127.0.0.1"] },
	});
	now = server;
	expect(await read(key)).toMatchObject({ used: 3, remaining: 0, limited: true });
	expect((await now.get("/", { "x-forwarded-for": addresses[9] ?? "" })).status).toBe(429);
	expect((await now.api("DELETE", key)).status).toBe(204);
	expect(await read(key)).toMatchObject({ used: 0, remaining: 3 });
	expect((await now.get("/", { "x-forwarded-for": addresses[9] ?? "" })).status).toBe(200);
});

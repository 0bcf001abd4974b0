/**
 * Standing refusals (native/README.md) change nothing but the cost: random requests to random policies get the same bytes
 * and leave the same counts on a server with them and on one without. And they end: with another policy, route or edge,
 * with a key that is forgotten, and in a drain.
 */
import { afterEach, describe, expect, it } from "vitest";
import { type Server, sendRaw, startServer, until } from "./harness.ts";
import { LISTS, PASSES, randomOf, randomPolicy, randomRequests } from "./standing-generator.ts";

const servers: Server[] = [];
afterEach(async () => {
	await Promise.all(servers.splice(0).map((server) => server.cleanUp()));
});

const start = async (config: Record<string, unknown> = {}): Promise<Server> => {
	const server = await startServer({ workers: 1, config });
	servers.push(server);
	await server.route(9);
	return server;
};

const STOOD = "weir_standing_refusals_total";
const stood = async (server: Server): Promise<number> => (await server.metric(STOOD)) || 0;

/** Without what two servers tell differently at different moments. */
const comparable = (received: string): string =>
	received
		.replaceAll(/\r\ndate: [^\r]*/g, "\r\ndate: D")
		.replaceAll(/retry-after: 3\d\d\d/g, "retry-after: S")
		.replaceAll(/"retry_after":3\d\d\d/g, '"retry_after":S')
		.replaceAll(/;t=3\d\d\d/g, ";t=S");

const COUNTS =
	/^weir_(requests_total|requests_refused|policy_outcomes|rate_limit_exceeded|rate_limit_rejected|body_bytes|route_requests|rule_matches|rule_refusals|policy_duration_seconds_count|answered)/;
const counts = async (server: Server): Promise<string[]> => {
	const { body } = await server.api("GET", "/metrics");
	return body
		.split("\n")
		.filter((line) => COUNTS.test(line))
		.sort();
};

/** Mistakes of the server's own that the log tells of, each once. */
const mistakes = (server: Server): string[] => [
	...new Set(
		server
			.logLines()
			.filter(({ level }) => level === "error")
			.map(({ msg }) => String(msg)),
	),
];

const POLICIES = Number(process.env.STANDING_POLICIES ?? 30);
const CONNECTIONS = 20;

/** Whose clients are named by a PROXY protocol header, and one of whose clients is a proxy itself. */
const behindProxies = (config: Record<string, unknown> = {}): Promise<Server> =>
	start({
		...config,
		listen: [{ address: "127.0.0.1:0", proxy_protocol: true }],
		trusted_proxies: ["10.1.0.0/16"],
	});

/** What the lists hold after so many changes. */
const putLists = async (server: Server, change: number): Promise<void> => {
	for (const [name, contents] of Object.entries(LISTS)) {
		const entries = contents[change % contents.length];
		await server.must(server.api("PUT", `/ip-lists/${name}`, { entries }));
	}
};

describe("a server with standing refusals", () => {
	it("answers and counts as one without", async () => {
		const both = await Promise.all([behindProxies(), behindProxies({ standing_refusals: false })]);
		const [standing, plain] = both;
		const random = randomOf(Number(process.env.STANDING_SEED ?? 7));
		await Promise.all(both.map((server) => putLists(server, 0)));
		for (let number = 0; number < POLICIES; number++) {
			const policy = randomPolicy(random, `limit ${number}`);
			await Promise.all(both.map((server) => server.policy(policy)));
			for (let connection = 0; connection < CONNECTIONS; connection++) {
				if (random([true, ...new Array<boolean>(9).fill(false)]))
					await Promise.all(both.map((server) => putLists(server, connection)));
				const bytes = Buffer.from(randomRequests(random), "latin1");
				const [one, other] = await Promise.all(both.map(({ port }) => sendRaw(port, bytes)));
				const context = `${JSON.stringify(policy)} ${JSON.stringify(bytes.toString("latin1"))}`;
				expect(comparable(one?.received ?? ""), context).toBe(comparable(other?.received ?? ""));
			}
		}
		// Limits report what they have rejected once a second.
		let seen: string[][] = [];
		await until(
			async () => {
				seen = await Promise.all([counts(standing), counts(plain)]);
				return JSON.stringify(seen[0]) === JSON.stringify(seen[1]) || undefined;
			},
			"the same counts",
			30_000,
		).catch(() => undefined);
		expect(seen[0]).toEqual(seen[1]);
		expect([mistakes(standing), mistakes(plain)]).toEqual([[], []]);
		expect(await stood(standing)).toBeGreaterThan(2 * POLICIES);
		expect(await stood(plain)).toBe(0);
	}, 240_000);

	const usual = (key = "a") => `GET /a HTTP/1.1\r\nhost: h.test\r\nx-k: ${key}\r\n\r\n`;
	const statusesOf = async (server: Server, requests: readonly string[]): Promise<number[]> => {
		const end = "GET /end HTTP/1.1\r\nhost: h.test\r\nconnection: close\r\n\r\n";
		const { received } = await sendRaw(server.port, `${requests.join("")}${end}`);
		const statuses = Array.from(received.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) =>
			Number(status),
		);
		return statuses.slice(0, -1);
	};
	/**
	 * The first request to a policy may have to wait until that is compiled, and stands for nothing then; behind the second
	 * one the front refuses. @returns how many it has refused by then
	 */
	const standsOf = async (server: Server): Promise<number> => {
		await statusesOf(server, [usual()]);
		await statusesOf(server, [usual()]);
		return stood(server);
	};
	const deny = { inbound: [{ actions: [{ type: "deny" }] }] };
	const limit = {
		inbound: [
			{
				actions: [
					{
						type: "rate-limit",
						config: { name: "l", capacity: 2, rate: "1h", bucket_key: ["req.headers['x-k']"] },
					},
				],
			},
			PASSES,
		],
	};

	it("refuses by another policy, route or edge from its PUT on", async () => {
		const server = await start();
		await server.policy(deny);
		const before = await standsOf(server);
		expect(await statusesOf(server, [usual(), usual(), usual()])).toEqual([403, 403, 403]);
		expect(await stood(server)).toBe(before + 3);
		await server.policy({
			inbound: [{ actions: [{ type: "deny", config: { status_code: 451 } }] }],
		});
		expect(await statusesOf(server, [usual(), usual()])).toEqual([451, 451]);
		await server.must(
			server.api("PUT", "/edges/https/e/routes/exact", {
				match_type: "exact_path",
				match: "/a",
				backend: { urls: ["http://127.0.0.1:9"] },
			}),
		);
		await server.must(
			server.api("PUT", "/edges/https/e/routes/exact/policy", { inbound: [PASSES] }),
		);
		expect(await statusesOf(server, [usual(), usual()])).toEqual([200, 200]);
		const last = await standsOf(server);
		await server.must(server.api("DELETE", "/edges/https/e"));
		expect(await statusesOf(server, [usual(), usual()])).toEqual([404, 404]);
		// What no route is found for is JavaScript's.
		expect(await stood(server)).toBe(last);
	}, 120_000);

	it("admits a key again that was forgotten, and no other", async () => {
		const server = await start();
		await server.policy(limit);
		const both = ["a", "a", "a", "a", "b", "b", "b", "b"].map((key) => usual(key));
		expect(await statusesOf(server, both)).toEqual([200, 200, 429, 429, 200, 200, 429, 429]);
		expect(await stood(server)).toBeGreaterThan(1);
		await server.must(server.api("DELETE", "/edges/https/e/routes/r/rate-limits/0/keys/a"));
		expect(await statusesOf(server, both)).toEqual([200, 200, 429, 429, 429, 429, 429, 429]);
	}, 120_000);

	it("has a line for each request where requests have lines, and then refuses none by itself", async () => {
		const server = await start({ log: { access: true } });
		await server.policy(deny);
		expect(await statusesOf(server, [usual(), usual(), usual()])).toEqual([403, 403, 403]);
		expect(await stood(server)).toBe(0);
		await until(
			() => server.logLines().filter(({ msg }) => msg === "request").length >= 4 || undefined,
			"a line of each request",
		);
	}, 120_000);

	it("tells who looks on of requests that it refused by itself", async () => {
		const server = await start();
		await server.policy(deny);
		const before = await standsOf(server);
		await statusesOf(
			server,
			Array.from({ length: 20 }, () => usual()),
		);
		const { body } = await server.api("GET", "/metrics");
		expect(body).toContain(`weir_standing_refusals_total ${before + 20}\n`);
	}, 120_000);
});

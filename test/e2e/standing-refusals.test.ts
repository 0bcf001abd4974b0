/**
 * Standing refusals (native/README.md) change nothing but the cost: random requests to random policies get the same bytes
 * and leave the same counts on a server with them and on one without. And they end: with another policy, route or edge,
 * with a key that is forgotten, and in a drain.
 */
import { afterEach, describe, expect, it } from "vitest";
import { type Server, sendRaw, startServer, until } from "./harness.ts";

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

type Random = <T>(choices: readonly [T, ...T[]]) => T;
const randomOf = (seed: number): Random => {
	let state = seed;
	return (choices) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return choices[Math.floor((state / 2 ** 32) * choices.length)] ?? choices[0];
	};
};

const PASSES = { actions: [{ type: "custom-response", config: { content: "in" } }] };

const limitAction = (random: Random, name: string) => ({
	type: "rate-limit",
	config: {
		name,
		capacity: random([1, 2, 4]),
		rate: "1h",
		bucket_key: random<string[]>([
			[],
			["conn.client_ip"],
			["req.headers['x-k']"],
			["req.host", "getReqHeader('X-K')"],
			["conn.client_ip", "req.headers['x-k']", "req.host"],
			["req.headers['host']"],
			["req.url.path"],
		]),
		...random<object>([{}, {}, {}, { enforce: false }, { headers: "ietf" }, { status_code: 503 }]),
	},
});

function randomPolicy(random: Random, name: string): object {
	const action = random<() => object>([
		() => ({
			type: "deny",
			config: random<object>([{}, { status_code: 404 }, { status_code: 204 }]),
		}),
		() => ({
			type: "custom-response",
			config: {
				status_code: random([200, 403, 304, 503]),
				content: random(["", "no", '{"é":"☃"}', "${req.method}"]),
				headers: random<object>([{}, { "X-Why": "é", location: "/there" }]),
			},
		}),
		() => limitAction(random, name),
		() => limitAction(random, name),
		() => limitAction(random, name),
	])();
	const before = random<object[]>([
		[],
		[],
		[],
		[{ type: "log", config: { metadata: { a: "b" } } }],
	]);
	const rule = {
		name: random(["", "first"]),
		actions: [...before, action],
		...random<object>([{}, {}, {}, { expressions: ["req.method != 'PUT'"] }, { enforce: false }]),
	};
	const outbound = random<object[]>([
		[],
		[],
		[{ actions: [{ type: "add-headers", config: { headers: { "x-out": "1" } } }] }],
	]);
	return { inbound: [rule, PASSES], ...(outbound.length > 0 && { outbound }) };
}

/** As most are, which the front may refuse by itself. */
const USUAL = {
	methods: ["GET", "GET", "POST", "PUT", "OPTIONS"],
	paths: ["/", "/a/b", "/a?x=1&y", "/*"],
	hosts: ["h.test", "h.test:80"],
	keys: [[], ["x-k: a"], ["X-K:  b "], ["x-k:"]],
	others: [[], ["connection: keep-alive"], ["user-agent: a/1.0"]],
	bodies: [undefined, undefined, ""],
	versions: ["HTTP/1.1"],
} as const;

/** As they may be, too. */
const UNUSUAL = {
	methods: ["GET", "HEAD", "get", "PURGE", "TRACE"],
	paths: ["/a", "/%61", "/a/../b", "/.well", "//a", "/a?é", "/a%zz", "/a#b"],
	hosts: ["h.test", "H.test", "[::1]", "h..test"],
	keys: [["x-k: a", "x-k: b"], ["x-k: a"], ["x-k: é"]],
	others: [
		...[[], ["x-forwarded-for: 192.0.2.1"], ["x_y: 1"], ["via: 1.1 a"]],
		...[
			["connection: x-k"],
			["connection: close"],
			["upgrade: websocket"],
			["expect: 100-continue"],
		],
	],
	bodies: [undefined, "abc"],
	versions: ["HTTP/1.1", "HTTP/1.1", "HTTP/1.0"],
} as const;

/** Up to eight requests over one connection; the last one ends it. */
function randomRequests(random: Random): string {
	const count = random([1, 4, 8]);
	let text = "";
	for (let index = 1; index <= count; index++) {
		const choices = random([USUAL, USUAL, USUAL, USUAL, UNUSUAL]);
		const body = random(choices.bodies);
		const lines = [
			`${random<string>(choices.methods)} ${random<string>(choices.paths)} ${random<string>(choices.versions)}`,
			`${random(["host", "Host"])}: ${random<string>(choices.hosts)}`,
			...random<readonly string[]>(choices.keys),
			...random<readonly string[]>(choices.others as unknown as readonly [string[]]),
		];
		if (body !== undefined) lines.push(`content-length: ${body.length}`);
		if (index === count) lines.push("connection: close");
		text += `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
	}
	return Buffer.from(text).toString("latin1");
}

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

const POLICIES = Number(process.env.STANDING_POLICIES ?? 20);
const CONNECTIONS = 20;

describe("a server with standing refusals", () => {
	it("answers and counts as one without", async () => {
		const [standing, plain] = await Promise.all([start(), start({ standing_refusals: false })]);
		const random = randomOf(Number(process.env.STANDING_SEED ?? 7));
		for (let number = 0; number < POLICIES; number++) {
			const policy = randomPolicy(random, `limit ${number}`);
			await Promise.all([standing.policy(policy), plain.policy(policy)]);
			for (let connection = 0; connection < CONNECTIONS; connection++) {
				const bytes = Buffer.from(randomRequests(random), "latin1");
				const [one, other] = await Promise.all(
					[standing, plain].map(({ port }) => sendRaw(port, bytes)),
				);
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
		expect(await statusesOf(server, [usual(), usual(), usual()])).toEqual([403, 403, 403]);
		expect(await stood(server)).toBe(2);
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
		await server.must(server.api("DELETE", "/edges/https/e"));
		expect(await statusesOf(server, [usual(), usual()])).toEqual([404, 404]);
		// Of each first the answer was JavaScript's, and what no route is found for always is.
		expect(await stood(server)).toBe(4);
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
		await statusesOf(
			server,
			Array.from({ length: 20 }, () => usual()),
		);
		const seen = await until(async () => {
			const { body } = await server.api("GET", "/metrics");
			return /weir_standing_refusals_total 19/.test(body) || undefined;
		}, "the counts");
		expect(seen).toBe(true);
	}, 120_000);
});

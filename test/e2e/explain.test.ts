/**
 * Explain says what the data path does (contract 2, "Explain"): requests made at random, under policies made at random, are
 * explained and then sent to a real server; the answer and what the backend got have to be what was said.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Explanation } from "../../src/explain/shapes.ts";
import { run } from "./commands.ts";
import { type GeneratedRequest, generatedPolicy, generatedRequest } from "./explain-generator.ts";
import {
	type Answer,
	KEY,
	type Seen,
	type Server,
	send,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

const POLICIES = Number(process.env.EXPLAIN_POLICIES ?? 10);
const REQUESTS = 6;

let server: Server;
let upstream: TestUpstream;
beforeAll(async () => {
	upstream = await startUpstream();
	server = await startServer({ workers: 1, config: { trusted_proxies: ["127.0.0.1"] } });
	await server.route(upstream.port);
	await server.must(
		server.api("PUT", "/ip-lists/l", { entries: ["192.0.2.0/25", "2001:db8::/32"] }),
	);
});
afterAll(async () => {
	await server.cleanUp();
	await upstream.close();
});

const question = ({ method, path, host, headers, body, status, answered }: GeneratedRequest) => ({
	request: {
		method,
		url: `http://${host}${path}`,
		headers: {
			...headers,
			connection: "close",
			...(body && { "content-length": String(body.length) }),
		},
	},
	response: { status, headers: answered, body_length: status === 204 ? 0 : "upstream".length },
});

async function explained(asked: object): Promise<Explanation> {
	const answer = await server.must(server.api("POST", "/explain", asked));
	return JSON.parse(answer.body);
}

/** Fields that the connection has, or that tell a time. */
const PASSING = new Set([
	"connection",
	"keep-alive",
	"content-length",
	"transfer-encoding",
	"date",
	"ratelimit",
]);
const sorted = (lines: readonly (readonly [string, string])[]): string[] =>
	lines
		.map(([name, value]) => `${name.toLowerCase()}: ${value}`)
		.filter((line) => !PASSING.has(line.slice(0, line.indexOf(":"))))
		.sort();
const pairs = (raw: readonly string[]): [string, string][] =>
	raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""]] : []));

const without = (text: string): string => text.replace(/"?retry.after"?: ?\d+/g, "retry-after");

function compare(told: Explanation, answer: Answer, seen: Seen | undefined): void {
	const { upstream: meant, answer: said } = told;
	expect(seen === undefined ? null : [seen.method, seen.target]).toEqual(
		meant && [meant.method, meant.target],
	);
	if (seen !== undefined)
		expect(sorted(pairs(seen.rawHeaders))).toEqual(sorted(meant?.headers ?? []));
	expect(answer.status).toBe(said?.status);
	expect(sorted(pairs(answer.rawHeaders)).map(without)).toEqual(
		sorted(said?.headers ?? []).map(without),
	);
	if (said?.content !== null && said !== null)
		expect(without(answer.body)).toBe(without(said.content));
}

describe("explain", () => {
	it("says what the data path does", { timeout: 120_000 }, async () => {
		const seed = Number(process.env.EXPLAIN_SEED ?? Date.now() % 1_000_000);
		const policies = fc.sample(generatedPolicy, { numRuns: POLICIES, seed });
		const requests = fc.sample(generatedRequest, { numRuns: POLICIES * REQUESTS, seed });
		for (const [at, policy] of policies.entries()) {
			await server.policy(policy);
			for (const asked of requests.slice(at * REQUESTS, (at + 1) * REQUESTS)) {
				const told = await explained(question(asked));
				upstream.seen.length = 0;
				const length = asked.status === 204 ? {} : { "content-length": "upstream".length };
				Object.assign(upstream, {
					status: asked.status,
					headers: { ...asked.answered, ...length },
				});
				const { method, path, host, headers, body } = asked;
				const sent = body === "" ? {} : { "content-length": String(body.length) };
				const answer = await send(server.port, path, {
					method,
					headers: { ...headers, host, ...sent },
					...(body && { body }),
				});
				try {
					compare(told, answer, upstream.seen[0]);
				} catch (error) {
					const about = { seed, policy, asked, told: { ...told, inbound: told.inbound.rules } };
					throw new Error(`${(error as Error).message}\n${JSON.stringify(about, null, 1)}`);
				}
			}
		}
	});
});

describe("POST /explain", () => {
	const url = "http://a.example/x";
	const limited = {
		inbound: [
			{
				name: "few",
				actions: [
					{
						type: "rate-limit",
						config: { capacity: 2, rate: "1h", bucket_key: ["conn.client_ip"] },
					},
				],
			},
		],
	};

	it("tells what a rate-limit has used, over all workers, and counts nothing", async () => {
		await server.policy(limited);
		await server.get("/x");
		for (let time = 0; time < 3; time++) {
			const { inbound } = await explained({ request: { url } });
			expect(inbound.rules[0]?.actions[0]?.effects).toMatchObject([
				{ kind: "rate_limit", used: 1, remaining: 1, admitted: true },
			]);
		}
		await server.get("/x");
		expect((await explained({ request: { url } })).answer?.status).toBe(429);
		const key = "/edges/https/e/routes/r/rate-limits/0/keys/127.0.0.1";
		expect(JSON.parse((await server.api("GET", key)).body).used).toBe(2);
	});

	it("takes a policy in place of the stored one, and says what is wrong with it", async () => {
		const denying = { inbound: [{ actions: [{ type: "deny", config: { status_code: 410 } }] }] };
		const told = await explained({ request: { url }, policy: denying });
		expect([told.answer?.status, told.policy.source]).toEqual([410, "given"]);
		const broken = { inbound: [{ expressions: ["req.nothing"], actions: [] }] };
		const refused = await server.api("POST", "/explain", { request: { url }, policy: broken });
		expect(refused.status).toBe(400);
		expect(JSON.parse(refused.body).problems).toContainEqual(
			expect.objectContaining({ pointer: "/policy/inbound/0/expressions/0" }),
		);
		const noList = {
			inbound: [{ actions: [{ type: "restrict-ips", config: { lists: ["no"] } }] }],
		};
		const missing = await server.api("POST", "/explain", { request: { url }, policy: noList });
		expect(missing.body).toContain("unknown_ip_list");
	});

	it("explains a named route, whether or not the request comes to it", async () => {
		const path = "/edges/https/e/routes/s/policy/explain";
		expect((await server.api("POST", path, { request: { url } })).status).toBe(404);
		const route = {
			match_type: "exact_path",
			match: "/s",
			backend: { urls: ["http://127.0.0.1:9"] },
		};
		await server.must(server.api("PUT", "/edges/https/e/routes/s", route));
		const answer = await server.must(server.api("POST", path, { request: { url } }));
		expect(JSON.parse(answer.body)).toMatchObject({
			route: { route_id: "s", reached: false },
			policy: { source: "none" },
		});
	});

	it("explains a policy whose own tests fail", async () => {
		const tests = [{ name: "t", request: {}, expect: { status: 403 } }];
		const asked = { request: { url: "http://a/x" }, policy: { inbound: [], tests } };
		expect(await explained(asked)).toMatchObject({ policy: { source: "given" } });
	});

	it("refuses a URL that is none", async () => {
		const refused = await server.api("POST", "/explain", { request: { url: "/x" } });
		expect(JSON.parse(refused.body).problems).toMatchObject([{ pointer: "/request/url" }]);
	});
});

describe("commands", () => {
	beforeAll(() => void vi.stubEnv("WEIR_API_KEY", KEY));
	afterAll(() => void vi.unstubAllEnvs());
	const api = () => ["--url", `http://127.0.0.1:${server.managementPort}`];

	it("explain prints what a person reads, for a line of curl", async () => {
		await server.policy({
			inbound: [
				{
					name: "no bots",
					expressions: ["'bot' in req.headers['x-role']"],
					actions: [{ type: "deny" }],
				},
			],
		});
		const ran = await run(
			"explain",
			...api(),
			"--",
			"curl",
			"-s",
			"-H",
			"x-role: bot",
			"http://a/x",
		);
		expect(ran.stderr).toBe("");
		expect(ran.stdout).toMatch(
			/^GET http:\/\/a\/x\n[\s\S]*Route {2}e\/r\n[\s\S]*■ 0 no bots[\s\S]*\["bot"\][\s\S]*Answer {2}403 {2}by deny\n$/,
		);
		expect(ran.status).toBe(0);
		const other = await run("explain", ...api(), "--json", "--policy", "/nowhere", "http://a/x");
		expect([other.status, other.stderr]).toEqual([2, expect.stringContaining("/nowhere")]);
	});

	it("why tells the rule that refused a request, by the request's id", async () => {
		await server.get("/why", { "x-role": "bot" });
		const id = await until(async () => {
			const { body } = await server.api("GET", "/live/refusals");
			const { refusals } = JSON.parse(body);
			return refusals.find(({ path }: { path: string }) => path === "/why")?.request_id;
		}, "the refusal");
		const ran = await run("why", id, ...api());
		expect(ran.stdout).toContain("It was answered with 403: a rule denied it.\n  Route: e/r\n");
		const unknown = await run("why", "no-such-id", ...api());
		expect([unknown.status, unknown.stderr]).toEqual([
			1,
			expect.stringContaining("ERR_DECISION_NOT_FOUND"),
		]);
	});
});

/**
 * Real requests are explained as they went (contract 2, "Explain"): requests made at random, under policies made at random,
 * are sent to a real server with a token, and the explanation of each has to say what happened to it.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Decision } from "../../src/management/live/shapes.ts";
import { run } from "./commands.ts";
import { type GeneratedRequest, generatedPolicy, generatedRequest } from "./explain-generator.ts";
import {
	type Answer,
	KEY,
	kill,
	type Server,
	send,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

const POLICIES = Number(process.env.EXPLAIN_POLICIES ?? 10);
const REQUESTS = 6;
const POLICIES_OF_A_TOKEN = 100;
const TOKEN = "x-weir-explain";

let server: Server;
let upstream: TestUpstream;
beforeAll(async () => {
	upstream = await startUpstream();
	server = await startServer({ workers: 2, config: { trusted_proxies: ["127.0.0.1"] } });
	await server.route(upstream.port);
	await server.must(
		server.api("PUT", "/ip-lists/l", { entries: ["192.0.2.0/25", "2001:db8::/32"] }),
	);
});
afterAll(async () => {
	await server.cleanUp();
	await upstream.close();
});

async function tokenFor(wish: object): Promise<string> {
	const answer = await server.must(server.api("POST", "/explain-tokens", wish));
	expect(answer.status).toBe(200);
	return JSON.parse(answer.body).token;
}
const ANYBODY = { client_ip: "0.0.0.0/0" };

/** By the id that the answer tells. */
async function decisionOn(answer: Answer): Promise<Decision> {
	const id = answer.headers["x-request-id"];
	expect(id).toEqual(expect.any(String));
	return decisionOf(`${id}`);
}

/** A worker may be allowed fewer explanations in a second than this test asks for, and the thread be busy. */
const decisionOf = (id: string): Promise<Decision> =>
	until(async () => {
		const { status, body } = await server.api("GET", `/decisions/${encodeURIComponent(id)}`);
		return status === 200 ? JSON.parse(body) : undefined;
	}, `the decision of ${id}`);

const sorted = (lines: readonly (readonly [string, string])[]): string[] =>
	lines
		.map(([name, value]) => `${name.toLowerCase()}: ${value}`)
		.filter((line) => !/^(?:connection|content-length|date|cookie):/.test(line))
		.sort();
const pairs = (raw: readonly string[]): [string, string][] =>
	raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""]] : []));

async function sent(asked: GeneratedRequest, headers: Readonly<Record<string, string>>) {
	upstream.seen.length = 0;
	const length = asked.status === 204 ? {} : { "content-length": "upstream".length };
	Object.assign(upstream, { status: asked.status, headers: { ...asked.answered, ...length } });
	const { method, path, host, body } = asked;
	const framing = body === "" ? {} : { "content-length": String(body.length) };
	return send(server.port, path, {
		method,
		headers: { ...asked.headers, host, ...framing, ...headers },
		...(body && { body }),
	});
}

/** As many as there may be in a second are taken down; others go their way. */
async function explained(
	asked: GeneratedRequest,
	token: string,
): Promise<readonly [Answer, Decision]> {
	const answer = await until(async () => {
		const got = await sent(asked, { [TOKEN]: token });
		return got.headers["x-request-id"] === undefined ? undefined : got;
	}, "a request that is explained");
	return [answer, await decisionOn(answer)];
}

describe("a real request with a token", () => {
	const DENY = {
		name: "no bots",
		expressions: ["'bot' in req.headers['x-role']"],
		actions: [{ type: "deny" }],
	};
	const LIMIT = {
		name: "few",
		actions: [
			{ type: "rate-limit", config: { capacity: 2, rate: "1h", bucket_key: ["conn.client_ip"] } },
		],
	};

	it("is told by its id, refused or not, and in the log, rule by rule", async () => {
		await server.policy({ inbound: [DENY, LIMIT] });
		const token = await tokenFor(ANYBODY);
		const refused = await server.get("/live", { "x-role": "bot", [TOKEN]: token });
		expect(await decisionOn(refused)).toMatchObject({
			...{ status: 403, reason: "deny", path: "/live", route_id: "r" },
			rule: { phase: "inbound", index: 0, name: "no bots" },
			explained: { agrees: true, explanation: { answer: { status: 403, by: "deny" } } },
		});
		const passed = await server.get("/live", { [TOKEN]: token });
		expect(await decisionOn(passed)).toMatchObject({
			...{ reason: null, rule: null, path: "/live", route_id: "r" },
			explained: { agrees: true, explanation: { inbound: { outcome: "continue" } } },
		});
		const id = passed.headers["x-request-id"];
		const line = await until(
			() =>
				server
					.logLines()
					.find(({ event, request_id }) => event === "explained" && request_id === id),
			"the explanation's line",
		);
		expect(line).toMatchObject({
			...{ edge: "e", route: "r", agrees: true },
			rules: [
				{ rule: 0, rule_name: "no bots", state: "skipped", because: DENY.expressions[0] },
				{ rule: 1, rule_name: "few", state: "applied", actions: ["rate-limit: ran"] },
			],
		});
	});

	it("is counted once, and told what its limits said", async () => {
		await server.policy({ inbound: [{ ...LIMIT, name: "counted" }] });
		const token = await tokenFor(ANYBODY);
		const from = { "x-forwarded-for": "192.0.2.50", [TOKEN]: token };
		const states: unknown[] = [];
		for (let time = 0; time < 3; time++) {
			const { explained: told } = await decisionOn(await server.get("/limited", from));
			expect(told?.agrees).toBe(true);
			const [effect] = told?.explanation?.inbound.rules[0]?.actions[0]?.effects ?? [];
			states.push(effect?.kind === "rate_limit" && [effect.used, effect.admitted]);
		}
		expect(states).toEqual([
			[0, true],
			[1, true],
			[2, false],
		]);
		const key = "/edges/https/e/routes/r/rate-limits/0/keys/192.0.2.50";
		expect(JSON.parse((await server.api("GET", key)).body).used).toBe(2);
	});

	it("brings a token that never goes upstream, and is like any other with a wrong one", async () => {
		await server.policy({ inbound: [] });
		const elsewhere = await tokenFor({ client_ip: "192.0.2.0/24" });
		const once = await tokenFor({ ...ANYBODY, requests: 1 });
		const keyed = await tokenFor({ header: { name: "X-Key", value: "k-1" } });
		const isExplained = async (headers: Record<string, string | string[]>): Promise<boolean> => {
			upstream.seen.length = 0;
			const answer = await server.get("/token", headers);
			expect(upstream.seen[0]?.headers[TOKEN]).toBeUndefined();
			return answer.headers["x-request-id"] !== undefined;
		};
		expect(await isExplained({ [TOKEN]: "wrong" })).toBe(false);
		expect(await isExplained({ [TOKEN]: elsewhere })).toBe(false);
		expect(await isExplained({ [TOKEN]: elsewhere, "x-forwarded-for": "192.0.2.9" })).toBe(true);
		expect(await isExplained({ [TOKEN]: keyed })).toBe(false);
		expect(await isExplained({ [TOKEN]: keyed, "x-key": "k-2" })).toBe(false);
		expect(await isExplained({ [TOKEN]: keyed, "x-key": "k-1" })).toBe(true);
		expect(await isExplained({ [TOKEN]: [once, once] })).toBe(false);
		expect(await isExplained({ [TOKEN]: once })).toBe(true);
		await until(async () => !(await isExplained({ [TOKEN]: once })) || undefined, "its end");
	});

	it("is explained by workers that have come since, too", { timeout: 60_000 }, async () => {
		await server.policy({ inbound: [] });
		const token = await tokenFor(ANYBODY);
		const before = server.workerPids();
		for (const pid of before) kill(pid, "SIGKILL");
		await until(
			() => server.workerPids().every((pid) => !before.includes(pid)) || undefined,
			"other workers",
		);
		const answer = await until(async () => {
			const got = await server.get("/after", { [TOKEN]: token }).catch(() => undefined);
			return got?.status === 200 ? got : undefined;
		}, "an answer of theirs");
		expect((await decisionOn(answer)).explained?.agrees).toBe(true);
	});

	it("tells no credentials", async () => {
		const expressions = [
			"req.headers['authorization'][0] != '' && req.headers['x-api-key'][0] != ''",
		];
		await server.policy({
			inbound: [
				{
					expressions,
					actions: [{ type: "log", config: { metadata: { a: "${req.headers['cookie'][0]}" } } }],
				},
			],
		});
		const answer = await server.get("/secret", {
			[TOKEN]: await tokenFor(ANYBODY),
			authorization: "Bearer secret-of-mine",
			cookie: "sid=hidden-value; a=b",
			"x-api-key": "key-of-mine",
		});
		const decision = await decisionOn(answer);
		expect(decision.explained?.agrees).toBe(true);
		expect(JSON.stringify(decision)).not.toMatch(/secret-of-mine|hidden-value|key-of-mine/);
		expect(decision.explained?.explanation?.upstream?.headers).toContainEqual([
			"authorization",
			"Bearer [redacted]",
		]);
	});

	it("is explained where the backend gives no answer", async () => {
		const away = await startUpstream();
		await away.close();
		await server.must(
			server.api("PUT", "/edges/https/e/routes/away", {
				...{ match_type: "path_prefix", match: "/away" },
				backend: { urls: [`http://127.0.0.1:${away.port}`] },
			}),
		);
		const answer = await server.get("/away", { [TOKEN]: await tokenFor(ANYBODY) });
		expect([answer.status, (await decisionOn(answer)).explained]).toMatchObject([
			502,
			{ agrees: true, explanation: { answer: { status: 502, by: "edge" } } },
		]);
	});
});

describe("commands", () => {
	beforeAll(() => void vi.stubEnv("WEIR_API_KEY", KEY));
	afterAll(() => void vi.unstubAllEnvs());
	const api = () => ["--url", `http://127.0.0.1:${server.managementPort}`];

	it("explain --live has curl send the request, and why tells it again", {
		timeout: 90_000,
	}, async () => {
		await server.policy({
			inbound: [{ name: "no", actions: [{ type: "deny", config: { status_code: 410 } }] }],
		});
		const url = `http://127.0.0.1:${server.port}/by-curl`;
		const ran = await run("explain", "--live", "--json", ...api(), "--", "curl", "-s", url);
		expect(ran.stderr).toBe("");
		const { request_id: id, status, explained: told } = JSON.parse(ran.stdout);
		expect([ran.status, status, told.agrees]).toEqual([0, 410, true]);
		const why = await run("why", id, ...api());
		expect(why.stdout).toMatch(
			/It was answered with 410: a rule denied it\.[\s\S]*■ 0 no[\s\S]*Answer {2}410 {2}by deny\n {2}x-request-id: /,
		);
		const dry = await run("explain", "--live", "--response", "200", ...api(), url);
		expect([dry.status, dry.stderr]).toEqual([2, expect.stringContaining("--response")]);
		const away = ["--client-ip", "192.0.2.1"];
		const other = await run("explain", "--live", ...away, ...api(), "--", "curl", "-s", url);
		expect([other.status, other.stderr]).toEqual([1, expect.stringContaining("--client-ip")]);
	});
});

// The last one: it has more explained than a worker takes down in a second.
describe("any request", () => {
	it("is explained as it went", { timeout: 240_000 }, async () => {
		const seed = Number(process.env.EXPLAIN_SEED ?? Date.now() % 1_000_000);
		const policies = fc.sample(generatedPolicy, { numRuns: POLICIES, seed });
		const requests = fc
			.sample(generatedRequest, { numRuns: POLICIES * REQUESTS, seed })
			.map((each) => ({ ...each, headers: { ...each.headers, "x-live": "1" } }));
		const wish = { header: { name: "x-live", value: "1" }, requests: 1000, ttl_seconds: 3600 };
		let token = "";
		for (const [at, policy] of policies.entries()) {
			if (at % POLICIES_OF_A_TOKEN === 0) token = await tokenFor(wish);
			await server.policy(policy);
			for (const asked of requests.slice(at * REQUESTS, (at + 1) * REQUESTS)) {
				const [answer, decision] = await explained(asked, token);
				const [seen] = upstream.seen;
				const told = decision.explained;
				try {
					expect(told).toMatchObject({ agrees: true, problem: null });
					expect(decision.status).toBe(answer.status);
					expect(told?.explanation?.answer?.status).toBe(answer.status);
					const meant = told?.explanation?.upstream;
					expect(seen === undefined ? null : [seen.method, seen.target]).toEqual(
						meant ? [meant.method, meant.target] : null,
					);
					if (seen !== undefined)
						expect(sorted(pairs(seen.rawHeaders))).toEqual(sorted(meant?.headers ?? []));
					expect(seen?.headers[TOKEN]).toBeUndefined();
				} catch (error) {
					const about = { seed, policy, asked, decision };
					throw new Error(`${(error as Error).message}\n${JSON.stringify(about, null, 1)}`);
				}
			}
		}
	});
});

describe("POST /explain-tokens", () => {
	it("says what it needs, leaves an audit line, and makes so many and no more", async () => {
		const unbound = await server.api("POST", "/explain-tokens", {});
		expect([unbound.status, unbound.body]).toEqual([400, expect.stringContaining("client_ip")]);
		const wrong = await server.api("POST", "/explain-tokens", { client_ip: "10.0.0.1/8" });
		expect(JSON.parse(wrong.body).problems).toMatchObject([{ pointer: "/client_ip" }]);
		await tokenFor({ ...ANYBODY, ttl_seconds: 600 });
		await until(
			() =>
				server
					.logLines()
					.find((line) => line.operation === "createExplainToken" && line.result === "created"),
			"the audit line",
		);
		expect(JSON.stringify(server.logLines())).not.toContain("wxt_");
		let last = 200;
		for (let more = 0; more < 33 && last === 200; more++)
			last = (await server.api("POST", "/explain-tokens", ANYBODY)).status;
		expect(last).toBe(409);
	});
});

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
	type Server,
	send,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

const POLICIES = Number(process.env.EXPLAIN_POLICIES ?? 10);
const REQUESTS = 6;
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
	expect(answer.status).toBe(201);
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
	it("is explained as it went", { timeout: 240_000 }, async () => {
		const seed = Number(process.env.EXPLAIN_SEED ?? Date.now() % 1_000_000);
		const policies = fc.sample(generatedPolicy, { numRuns: POLICIES, seed });
		const requests = fc
			.sample(generatedRequest, { numRuns: POLICIES * REQUESTS, seed })
			.map((each) => ({ ...each, headers: { ...each.headers, "x-live": "1" } }));
		const token = await tokenFor({
			header: { name: "x-live", value: "1" },
			...{ requests: 1000, ttl_seconds: 3600 },
		});
		for (const [at, policy] of policies.entries()) {
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

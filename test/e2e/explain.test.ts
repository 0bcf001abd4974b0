/**
 * Explain says what the data path does (contract 2, "Explain"): requests made at random, under policies made at random, are
 * explained and then sent to a real server; the answer and what the backend got have to be what was said.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Explanation } from "../../src/explain/shapes.ts";
import { type GeneratedRequest, generatedPolicy, generatedRequest } from "./explain-generator.ts";
import {
	type Answer,
	type Seen,
	type Server,
	send,
	startServer,
	startUpstream,
	type TestUpstream,
} from "./harness.ts";

const POLICIES = Number(process.env.EXPLAIN_POLICIES ?? 25);
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

/**
 * Candidates on a real server (contract 2, "Candidates"): one that is the stored policy never does anything otherwise, none
 * changes what clients and backends get, and what one would do otherwise is reported until it is promoted or dropped.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CandidateReport } from "../../src/management/answers.ts";
import { type GeneratedRequest, generatedPolicy, generatedRequest } from "./explain-generator.ts";
import {
	type Answer,
	type Server,
	send,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

const POLICIES = Number(process.env.CANDIDATE_POLICIES ?? 8);
const REQUESTS = 6;
const EDGE = "/edges/https/e";
const POLICY = `${EDGE}/routes/r/policy`;

let plain: Server;
let server: Server;
let upstream: TestUpstream;
beforeAll(async () => {
	upstream = await startUpstream();
	const options = { workers: 1, config: { trusted_proxies: ["127.0.0.1"] } };
	[plain, server] = await Promise.all([startServer(options), startServer(options)]);
	for (const each of [plain, server]) {
		await each.route(upstream.port);
		const entries = ["192.0.2.0/25", "2001:db8::/32"];
		await each.must(each.api("PUT", "/ip-lists/l", { entries }));
	}
}, 60_000);
afterAll(async () => {
	await Promise.all([plain?.cleanUp(), server?.cleanUp()]);
	await upstream?.close();
});

async function report(policy = POLICY): Promise<CandidateReport> {
	return JSON.parse((await server.must(server.api("GET", `${policy}/candidate/report`))).body);
}

/** Once so many requests are in it. */
const reported = (requests: number, policy = POLICY): Promise<CandidateReport> =>
	until(async () => {
		const found = await report(policy);
		return found.requests >= requests ? found : undefined;
	}, `a report of ${requests} requests`);

async function ask(to: Server, asked: GeneratedRequest): Promise<Answer> {
	const length = asked.status === 204 ? {} : { "content-length": "upstream".length };
	Object.assign(upstream, { status: asked.status, headers: { ...asked.answered, ...length } });
	upstream.seen.length = 0;
	const { method, path, host, headers, body } = asked;
	const sent = body === "" ? {} : { "content-length": String(body.length) };
	const more = body === "" ? {} : { body };
	return send(to.port, path, { method, headers: { ...headers, host, ...sent }, ...more });
}

/** Fields that tell a time, an id or a connection. */
const PASSING = /^(?:date|connection|keep-alive|request-id|retry-after|ratelimit)$/;
const linesOf = (raw: readonly string[]): string[] =>
	raw.flatMap((name, at) =>
		at % 2 === 0 && !PASSING.test(name.toLowerCase()) ? [`${name}: ${raw[at + 1]}`] : [],
	);
const seenBy = (answer: Answer) => ({
	answer: [answer.status, linesOf(answer.rawHeaders)],
	body: answer.status === 429 ? "" : answer.body.replace(/req_[\w-]+/g, "ID"),
	upstream: upstream.seen.map(({ method, target, rawHeaders, body }) => ({
		...{ method, target, body },
		headers: linesOf(rawHeaders).sort(),
	})),
});

describe("a candidate", () => {
	const seed = Number(process.env.CANDIDATE_SEED ?? Date.now() % 1_000_000);
	const policies = fc.sample(generatedPolicy, { numRuns: POLICIES, seed });
	const requests = fc.sample(generatedRequest, { numRuns: POLICIES * REQUESTS, seed });
	const requestsOf = (at: number) => requests.slice(at * REQUESTS, (at + 1) * REQUESTS);

	it("that is the stored policy does nothing otherwise", { timeout: 180_000 }, async () => {
		for (const [at, policy] of policies.entries()) {
			// A route of its own, whose limits nobody has counted on.
			const path = `${EDGE}/routes/r${at}`;
			const route = JSON.parse((await server.must(server.api("GET", `${EDGE}/routes`))).body);
			for (const { id } of route.routes) await server.api("DELETE", `${EDGE}/routes/${id}`);
			const backend = { urls: [`http://127.0.0.1:${upstream.port}`] };
			const document = { match_type: "path_prefix", match: "/", backend };
			await server.must(server.api("PUT", path, document));
			await server.must(server.api("PUT", `${path}/policy`, policy));
			await server.must(server.api("PUT", `${path}/policy?candidate=true`, policy));
			for (const asked of requestsOf(at)) await ask(server, asked);
			const found = await reported(REQUESTS, `${path}/policy`);
			const about = JSON.stringify({ seed, at, policy, found }, null, 1);
			expect(found.requests, about).toBe(REQUESTS);
			// On a machine that stands still the share of time may be used up, and the counts are others then.
			if (found.not_compared.budget > 0) continue;
			expect([found.would_block, found.would_pass, found.different], about).toEqual([0, 0, 0]);
			expect(found.not_compared.failed, about).toBe(0);
		}
	});

	it("changes nothing for clients and backends", { timeout: 180_000 }, async () => {
		await plainRoute();
		for (const [at, policy] of policies.entries()) {
			const candidate = policies[(at + 1) % POLICIES];
			for (const each of [plain, server]) await each.must(each.api("PUT", POLICY, policy));
			await server.must(server.api("PUT", `${POLICY}?candidate=true`, candidate));
			for (const asked of requestsOf(at)) {
				const without = seenBy(await ask(plain, asked));
				const beside = seenBy(await ask(server, asked));
				expect(beside, JSON.stringify({ seed, at, asked })).toEqual(without);
			}
		}
		await server.must(server.api("DELETE", `${POLICY}/candidate`));
	});
});

/** A route of the upstream, whose answer is plain. */
async function plainRoute(): Promise<void> {
	Object.assign(upstream, { status: 200, headers: { "content-type": "text/plain" } });
	const route = JSON.parse((await server.must(server.api("GET", `${EDGE}/routes`))).body);
	for (const { id } of route.routes) await server.api("DELETE", `${EDGE}/routes/${id}`);
	await server.route(upstream.port);
}

const deny = (path: string, status = 403) => ({
	name: `no ${path}`,
	expressions: [`req.url.path == '${path}'`],
	actions: [{ type: "deny", config: { status_code: status } }],
});

describe("its report", () => {
	beforeAll(plainRoute);

	it("says what would be blocked and what would pass, by rule, with samples", async () => {
		await server.policy({ inbound: [deny("/old"), deny("/both")] });
		const candidate = { inbound: [deny("/new"), deny("/both", 404)] };
		await server.must(server.api("PUT", `${POLICY}?candidate=true`, candidate));
		for (const path of ["/old", "/new", "/both", "/other"]) await server.get(path);
		const found = await reported(4);
		expect(found).toMatchObject({ compared: 4, same: 1, sampled: 1, note: null });
		expect(found).toMatchObject({ would_block: 1, would_pass: 1, different: 1 });
		const blocked = found.samples.find(({ result }) => result === "would_block");
		expect(blocked).toMatchObject({
			...{ method: "GET", path: "/new", client_ip: "127.0.0.1" },
			stored: { outcome: "continue", rule: null },
			candidate: { outcome: "deny", status: 403, rule: { index: 0, name: "no /new" } },
		});
		expect(found.samples.find(({ result }) => result === "different")?.differs).toEqual(["status"]);
		expect(found.by_rule).toContainEqual(
			expect.objectContaining({ result: "would_pass", count: 1 }),
		);
		expect(found.cpu_us_per_request).toBeGreaterThan(0);
		expect(
			await server.metric('weir_candidate_requests_total{result="would_block"}'),
		).toBeGreaterThan(0);
	});

	it("begins anew with another candidate", async () => {
		await server.must(server.api("PUT", `${POLICY}?candidate=true`, { inbound: [deny("/y")] }));
		await server.get("/y");
		const before = await reported(1);
		await server.must(server.api("PUT", `${POLICY}?candidate=true`, { inbound: [deny("/z")] }));
		const after = await report();
		expect(after.requests).toBe(0);
		expect(after.etag).not.toBe(before.etag);
		expect(after.since).toBeGreaterThanOrEqual(before.since);
	});

	it("begins anew with another policy beside it, as its hits do, whatever was asked just before", async () => {
		const paths = ["/a", "/b", "/a", "/b"];
		await server.policy({ inbound: [deny(paths[0] ?? "")] });
		await server.must(server.api("PUT", `${POLICY}?candidate=true`, { inbound: [deny("/y")] }));
		for (const path of paths.slice(1)) {
			for (let request = 0; request < 20; request += 1) await server.get("/a");
			await server.policy({ inbound: [deny(path)] });
			await server.get(path);
			expect(await reported(1)).toMatchObject({ requests: 1, compared: 1 });
			const hits = JSON.parse((await server.must(server.api("GET", `${POLICY}/hits`))).body);
			expect(hits.rules).toMatchObject([{ name: `no ${path}`, matches: 1, refusals: 1 }]);
		}
	});
});

describe("its limits", () => {
	beforeAll(plainRoute);

	it("are counted for it alone", async () => {
		const limited = (capacity: number) => ({
			inbound: [{ actions: [{ type: "rate-limit", config: { capacity, rate: "1h" } }] }],
		});
		await server.policy(limited(4));
		await server.must(server.api("PUT", `${POLICY}?candidate=true`, limited(2)));
		const statuses: number[] = [];
		for (let time = 0; time < 4; time++) statuses.push((await server.get("/l")).status);
		expect(statuses).toEqual([200, 200, 200, 200]);
		const found = await reported(4);
		expect(found).toMatchObject({ same: 2, would_block: 2 });
	});
});

describe("promote", () => {
	beforeAll(plainRoute);

	it("swaps at once, on the candidate's etag, and there is no candidate any more", async () => {
		await server.policy({ inbound: [] });
		const put = await server.must(
			server.api("PUT", `${POLICY}?candidate=true`, { inbound: [deny("/p")] }),
		);
		const read = await server.must(server.api("GET", `${POLICY}?candidate=true`));
		expect(JSON.parse(read.body).inbound[0].name).toBe("no /p");
		expect((await server.get("/p")).status).toBe(200);
		const stale = await server.api("POST", `${POLICY}/candidate/promote`, undefined, {
			"if-match": '"another"',
		});
		expect(stale.status).toBe(412);
		const promoted = await server.must(
			server.api("POST", `${POLICY}/candidate/promote`, undefined, {
				"if-match": String(put.headers.etag),
			}),
		);
		expect(promoted.headers.etag).toBe(put.headers.etag);
		expect((await server.get("/p")).status).toBe(403);
		for (const [method, path] of [
			["GET", "?candidate=true"],
			["DELETE", "?candidate=true"],
			["GET", "/candidate/report"],
			["POST", "/candidate/promote"],
		] as const) {
			const missing = await server.api(method, POLICY + path);
			expect([missing.status, missing.body]).toEqual([
				404,
				expect.stringContaining("ERR_CANDIDATE_NOT_FOUND"),
			]);
		}
	});

	it("is gone with its route, and is checked as a policy is", async () => {
		const broken = { inbound: [{ expressions: ["req.nothing"], actions: [] }] };
		expect((await server.api("PUT", `${POLICY}?candidate=true`, broken)).status).toBe(400);
		const untrue = { tests: [{ name: "u", request: {}, expect: { status: 404 } }] };
		const failed = await server.api("PUT", `${POLICY}?candidate=true`, untrue);
		expect(failed.body).toContain("ERR_TESTS_FAILED");
		await server.must(server.api("PUT", `${POLICY}/candidate`, { inbound: [] }));
		await server.must(server.api("DELETE", `${EDGE}/routes/r`));
		expect((await server.api("GET", `${POLICY}/candidate`)).status).toBe(404);
	});
});

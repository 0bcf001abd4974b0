/**
 * Expensive expressions on the real server, with one worker: settled in its thread, while others are served
 * (contract 4). The requests bring hundreds of query parameters, which the rules compare with one another.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	type Answer,
	type Server,
	startServer,
	startUpstream,
	type TestUpstream,
	until,
} from "./harness.ts";

/** Each with each, thrice over: some 10 ms for 300 of them; and never true. */
const NO_PAIR =
	"!req.url.query_params.exists(a, req.url.query_params.exists(b, a + '.' == b || b + ',' == a || a + b == ''))";
/** 8000 of them take longer than a thread is given. */
const NO_CAPITALS =
	"!req.url.query_params.exists(a, req.url.query_params.exists(b, (a + b).lowerAscii().contains('P')))";
const parameters = (count: number): string =>
	Array.from({ length: count }, (_, n) => `p${n}`).join("&");
const HEAVY = `/heavy?${parameters(300)}`;
const TOO_LONG = `/long?${parameters(8000)}`;
const ON_HEAVY = "req.url.path == '/heavy'";

const rule = (expressions: string[], type: string, config: object = {}) => ({
	expressions,
	actions: [{ type, config }],
});

const TOO_LONG_RULES = [
	rule(["req.url.path == '/long'", NO_CAPITALS], "deny"),
	rule(["req.url.path == '/long'"], "custom-response", { status_code: 299 }),
];

let upstream: TestUpstream;
let server: Server;
beforeAll(async () => {
	upstream = await startUpstream();
	server = await startServer({ workers: 1 });
	await server.route(upstream.port);
});
afterAll(async () => {
	await server?.cleanUp();
	await upstream?.close();
});

/** On a busy machine the first evaluations of a new policy may come too late: the thread compiles them first. */
const decided = (status: number): Promise<Answer> =>
	until(async () => {
		const answer = await server.get(HEAVY);
		return answer.status === status ? answer : undefined;
	}, `a ${status}`);

/** What the last requests have logged; lines are written a little after the answer. */
const logs = (...expected: object[]): Promise<unknown> =>
	until(() => {
		const last = server.logged().slice(-expected.length);
		return JSON.stringify(last) === JSON.stringify(expected) || undefined;
	}, JSON.stringify(expected));

describe("a rule with an expensive expression", () => {
	it("decides as any other: deny, custom-response, rewrite and log, inbound and outbound", async () => {
		await server.policy({ inbound: [rule([ON_HEAVY, NO_PAIR], "deny", { status_code: 418 })] });
		await decided(418);
		expect((await server.get("/light")).status).toBe(200);

		const text = `\${${NO_PAIR}}`;
		await server.policy({
			inbound: [
				rule([ON_HEAVY, NO_PAIR], "log", { metadata: { first: text } }),
				rule([ON_HEAVY, NO_PAIR], "url-rewrite", {
					from: "/heavy.*",
					to: `/rewritten/${text}`,
					format: "cel",
				}),
				rule(["req.url.path.startsWith('/rewritten')"], "log", {
					metadata: { second: "rewritten" },
				}),
			],
			outbound: [
				rule(["req.url.path.startsWith('/rewritten')"], "log", { metadata: { third: text } }),
			],
		});
		expect((await decided(200)).body).toBe("upstream");
		expect(upstream.seen.at(-1)?.target).toBe("/rewritten/true");
		await logs({ first: "true" }, { second: "rewritten" }, { third: "true" });

		const outbound = rule([ON_HEAVY, NO_PAIR], "custom-response", {
			status_code: 299,
			content: text,
		});
		await server.policy({ outbound: [outbound] });
		expect((await decided(299)).body).toBe("true");
		await server.policy({
			inbound: [rule([ON_HEAVY], "custom-response", { content: text })],
			outbound: [rule([ON_HEAVY, NO_PAIR], "log", { metadata: { seen: text } })],
		});
		expect((await decided(200)).body).toBe("true");
		await logs({ seen: "true" });
	});

	it("lets others overtake it", async () => {
		await server.policy({ inbound: [rule([ON_HEAVY, NO_PAIR], "deny")] });
		await decided(403);
		let answered = 0;
		const heavy = Array.from({ length: 20 }, async () => {
			const { status } = await server.get(HEAVY);
			answered += 1;
			return status;
		});
		await Promise.race(heavy);
		expect((await server.get("/light")).status).toBe(200);
		expect(answered).toBeLessThan(20);
		await Promise.all(heavy);
	});

	it("fails closed where it takes too long, alone or behind others, and says so", async () => {
		const before = server.logLines().length;
		await server.policy({ inbound: [...TOO_LONG_RULES, rule([ON_HEAVY, NO_PAIR], "deny")] });
		expect((await server.get(TOO_LONG)).status).toBe(500);
		await decidesAlone(server);
		expect(await crowd(server, 500)).toEqual(new Set([403, 500]));
		// Alone it runs out of time or, on a slow machine, of the deadline.
		for (const [index, reasons] of [
			[0, /takes too long|not done in time/],
			[2, /not done in time/],
		] as const) {
			const line = await until(
				() =>
					server
						.logLines()
						.slice(before)
						.find((each) => each.rule === index && reasons.test(`${each.reason}`)),
				`a line about rule ${index}`,
			);
			expect(line).toMatchObject({ edge: "e", route: "r", phase: "inbound", expression: 1 });
		}
		expect((await server.get("/light")).status).toBe(200);
	});

	it("does not apply in such a case where the config says so", async () => {
		const skipping = await startServer({ workers: 1, config: { expression_errors: "skip" } });
		await skipping.route(upstream.port);
		await skipping.policy({ inbound: [...TOO_LONG_RULES, rule([ON_HEAVY, NO_PAIR], "deny")] });
		expect((await skipping.get(TOO_LONG)).status).toBe(299);
		await decidesAlone(skipping);
		expect(await crowd(skipping, 200)).toEqual(new Set([403, 200]));
		await skipping.cleanUp();
	});
});

describe("a url-rewrite that searches long", () => {
	it("finds the matches in the thread, and lets others overtake it", async () => {
		const rewrite = { from: "(.*)/x(.*)y(.*)z", to: "http://h/rewritten/$2/$3" };
		await server.policy({ inbound: [rule([], "url-rewrite", rewrite)] });
		const path = (part: string) => `/${"a/".repeat(30_000)}xone-${part}ytwoz`;
		await until(
			async () => (await server.get(path("first"))).status === 200 || undefined,
			"a rewrite",
		);
		expect(upstream.seen.at(-1)?.target).toBe("/rewritten/one-first/two");

		let answered = 0;
		const asked = Array.from({ length: 6 }, async (_, index) => {
			const { status } = await server.get(path(`${index}`));
			answered += 1;
			return status;
		});
		const first = Promise.race(asked);
		expect((await server.get("/light")).status).toBe(200);
		expect(answered).toBeLessThan(6);
		expect(await first).toBe(200);
		await Promise.all(asked);
	});

	it("answers 500 where it takes too long, whatever the URL", async () => {
		await server.policy({
			inbound: [rule([], "url-rewrite", { from: "(?:x.*){40}!|x", to: "y" })],
		});
		const before = server.logLines().length;
		expect((await server.get(`/${"x".repeat(60_000)}`)).status).toBe(500);
		const line = await until(
			() =>
				server
					.logLines()
					.slice(before)
					.find((each) => each.action === 0),
			"a line about the rewrite",
		);
		expect(line).toMatchObject({ edge: "e", route: "r", phase: "inbound", rule: 0 });
		expect(`${line.reason}`).toMatch(/takes too long|not done in time/);
		expect((await server.get("/light")).status).toBe(200);
	});
});

/** Resolves when nothing is in its way any more: what was given up still runs for a while. */
const decidesAlone = (on: Server): Promise<unknown> =>
	until(async () => (await on.get(HEAVY)).status === 403 || undefined, "a decision");

/** Asks for more than the thread can decide before its deadline; 403 and what came instead, once it did. */
async function crowd(on: Server, instead: number): Promise<ReadonlySet<number>> {
	const path = `/heavy?${parameters(600)}`;
	const statuses = new Set([403]);
	await until(async () => {
		const answers = await Promise.all(Array.from({ length: 120 }, () => on.get(path)));
		for (const { status } of answers) statuses.add(status);
		return statuses.has(instead) || undefined;
	}, `a ${instead}`);
	return statuses;
}

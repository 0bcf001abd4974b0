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

	it("fails closed where it takes too long, or one client has too many waiting, and says so", async () => {
		const before = server.logLines().length;
		await server.policy({ inbound: [...TOO_LONG_RULES, rule([ON_HEAVY, NO_PAIR], "deny")] });
		expect((await server.get(TOO_LONG)).status).toBe(500);
		await decided(403);
		expect(await crowd(server, 500)).toEqual(new Set([403, 500]));
		for (const [index, reasons] of [
			[0, /takes too long/],
			[2, /too many expensive evaluations|no thread was free/],
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

	it("applies also where failures are skipped: nobody gets past a rule by making it expensive", async () => {
		const config = { expression_errors: "skip", expressions: { deadline_ms: 40, threads: 1 } };
		const skipping = await startServer({ workers: 1, config });
		await skipping.route(upstream.port);
		const failing = rule(["req.headers['x'][0] == 'y'"], "deny");
		const rules = [failing, ...TOO_LONG_RULES, rule([ON_HEAVY, NO_PAIR], "deny")];
		await skipping.policy({ inbound: rules });
		expect((await skipping.get("/light")).status).toBe(200);
		expect((await skipping.get(TOO_LONG)).status).toBe(500);
		expect(await crowd(skipping, 500)).toEqual(new Set([403, 500]));
		await skipping.cleanUp();
	});

	it("waits for one of each other client, however many one client has waiting", async () => {
		// The order is what this is about: on a slow machine one of these evaluations takes longer than the usual deadline.
		const expressions = { deadline_ms: 2000 };
		const config = { trusted_proxies: ["127.0.0.1"], expressions };
		const proxied = await startServer({ workers: 1, config });
		await proxied.route(upstream.port);
		await proxied.policy({ inbound: [rule([ON_HEAVY, NO_PAIR], "deny")] });
		const path = `/heavy?${parameters(600)}`;
		const from = async (client: string): Promise<number> =>
			(await proxied.get(path, { "x-forwarded-for": client })).status;
		await until(async () => (await from("192.0.2.1")) === 403 || undefined, "a decision");
		let attacks = 0;
		const attack = Array.from({ length: 60 }, async (_, index) => {
			const status = await from(`2001:db8::${index + 1}`);
			attacks += 1;
			return status;
		});
		const waiting = () => proxied.metric("weir_heavy_evaluations_waiting");
		await until(async () => (await waiting()) > 40 || undefined, "many that wait");
		const begun = attacks;
		expect(await from("192.0.2.1")).toBe(403);
		// In the order of arrival it would have been behind more than 40.
		expect(attacks - begun).toBeLessThan(30);
		expect(new Set(await Promise.all(attack))).toEqual(new Set([403]));
		await proxied.cleanUp();
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
		expect(`${line.reason}`).toMatch(/takes too long/);
		expect((await server.get("/light")).status).toBe(200);
	});
});

/** Asks for more than one client may have waiting; 403 and what came instead, once it did. */
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

/**
 * `kill -9` of workers, then of everything, while eight client processes send: no window ever holds more
 * than the capacity, as the clients saw it, and nothing that was counted is forgotten.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { counting, passing, retryAfter, routed } from "./counting.ts";
import { Crowd, type CrowdRun, count, type Lane, type Sent } from "./crowd.ts";
import { kill, type Server, startServer, until } from "./harness.ts";

const CLIENTS = 8;
const CONNECTIONS = 4;
const USER = ["req.headers['x-user']"];
/** milliseconds; workers are slow to start while clients keep both cores busy */
const DEADLINE_MS = 60_000;
const timeout = 2 * DEADLINE_MS;

let server: Server;
let crowd: Crowd;
beforeAll(async () => {
	[server, crowd] = await Promise.all([startServer({ workers: 2 }), Crowd.start(CLIENTS)]);
	await routed(server);
});
afterAll(async () => {
	await crowd?.close();
	await server?.cleanUp();
});

/** They send until they are stopped. */
const lanes =
	(user: string) =>
	(client: number): Lane[] =>
		Array.from({ length: CONNECTIONS }, (_, connection) => ({
			path: `/${user}/${client}/${connection}`,
			headers: { "x-user": user },
			requests: Number.MAX_SAFE_INTEGER,
		}));

const passed = (run: CrowdRun, requests: number) =>
	until(
		() => (run.progress().admitted >= requests ? true : undefined),
		`${requests} requests to pass`,
		DEADLINE_MS,
	);

/** Lets the clients go on until they have long been told to wait, and stops them. */
async function exhausted(run: CrowdRun): Promise<readonly Sent[]> {
	await until(
		() => (run.progress().rejected >= 1000 ? true : undefined),
		"the limit to be reached",
		DEADLINE_MS,
	);
	run.stop();
	return run.sent;
}

/** Every request that passed is counted once; of those whose connection broke nobody can tell. */
function expectAll(capacity: number, sent: readonly Sent[]): void {
	const broken = count(sent, 0);
	expect(count(sent, 200) + count(sent, 429) + broken).toBe(sent.length);
	expect(broken).toBeGreaterThan(0);
	expect(count(sent, 200)).toBeLessThanOrEqual(capacity);
	expect(count(sent, 200) + broken).toBeGreaterThanOrEqual(capacity);
}

it("a killed worker takes no count along", { timeout }, async () => {
	const capacity = 5000;
	await server.policy(counting({ capacity, rate: "24h", bucket_key: USER }));
	const run = await crowd.begin(server.port, lanes("workers"));
	const killed = new Set<number>();
	for (const share of [0.1, 0.25, 0.4, 0.55, 0.7]) {
		await passed(run, share * capacity);
		const pid = await until(
			() => server.workerPids().find((each) => !killed.has(each)),
			"a worker that was not killed",
		);
		killed.add(pid);
		kill(pid, "SIGKILL");
	}
	expectAll(capacity, await exhausted(run));
	expect(killed.size).toBe(5);
});

it("killed as a whole and started on the same data, the server goes on counting", {
	timeout,
}, async () => {
	const capacity = 3000;
	await server.policy(counting({ capacity, rate: "10m", bucket_key: USER }));
	expect(await passing(server, 1, "/", { "x-user": "before" })).toBe(1);
	const listen = `127.0.0.1:${server.port}`;
	const run = await crowd.begin(server.port, lanes("all"));
	await passed(run, 0.4 * capacity);
	await server.killAll();
	server = await startServer({ folder: server.folder, workers: 2, config: { listen } });
	expectAll(capacity, await exhausted(run));

	const user = { "x-user": "all" };
	const first = await retryAfter(server, user);
	expect(first).toBeGreaterThan(500);
	await server.killAll();
	server = await startServer({ folder: server.folder, workers: 2 });
	expect(await passing(server, 20, "/", user)).toBe(0);
	const second = await retryAfter(server, user);
	expect(second).toBeLessThanOrEqual(first);
	expect(second).toBeGreaterThan(500);
	await until(
		async () => ((await retryAfter(server, user)) < first ? true : undefined),
		"the wait to become shorter",
	);
	expect(await passing(server, 5, "/", { "x-user": "other" })).toBe(5);
});

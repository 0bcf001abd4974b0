/**
 * Four workers, stopped and killed at random while clients send: a worker that stands still in the middle
 * of a decision, or dies there, lets no key pass its capacity. How long the others took meanwhile is
 * printed, not judged: the machine's load is in it.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { ANSWER, limit, passing, routed } from "./counting.ts";
import { byKey, Crowd, count, type Lane, nowMs, type Sent } from "./crowd.ts";
import { kill, type Server, startServer, until } from "./harness.ts";

const WORKERS = 4;
const CLIENTS = 4;
const ROUNDS = 32;
const HOT_CAPACITY = 500;
const TURN_CAPACITY = 100;
/** requests that one connection sends with one key before it goes on to the next */
const TURN_REQUESTS = 15;
const TURN_CONNECTIONS = 3;
const KEYS_MAX = 1024;

let server: Server;
let crowd: Crowd;
beforeAll(async () => {
	const config = { counters: { keys_max: KEYS_MAX }, log: { access: true } };
	[server, crowd] = await Promise.all([
		startServer({ workers: WORKERS, config }),
		Crowd.start(CLIENTS),
	]);
	await routed(server);
});
afterAll(async () => {
	await crowd?.close();
	await server?.cleanUp();
});

const limiting = (kind: string, capacity: number, key: string[]) => ({
	expressions: [`req.url.path.startsWith('/${kind}/')`],
	actions: [limit({ name: kind, capacity, rate: "24h", bucket_key: key }), ANSWER],
});

const USER = "x-user";
const rotating = (prefix: string, every: number) => ({ header: USER, prefix, every });

/** One key for all; keys that all turn to together; a flood of keys; one that is over its limit in that flood. */
const lanesOf = (client: number): Lane[] => {
	const lane = (path: string, more: Partial<Lane> = {}): Lane => ({
		path: `${path}/${client}`,
		requests: Number.MAX_SAFE_INTEGER,
		...more,
	});
	return [
		lane("/hot/0"),
		lane("/hot/1"),
		...Array.from({ length: TURN_CONNECTIONS }, (_, at) =>
			lane(`/turn/${at}`, { rotating: rotating("turn ", TURN_REQUESTS) }),
		),
		lane("/flood/0", { rotating: rotating(`flood ${client} 0 `, 1) }),
		lane("/flood/1", { rotating: rotating(`flood ${client} 1 `, 1) }),
		lane("/flood/limited", { headers: { [USER]: "limited" } }),
	];
};

/** Numbers in [0, 1), the same ones for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

interface Standstill {
	readonly pid: number;
	readonly beginMs: number;
	readonly endMs: number;
}

const serving = (): Promise<number> => server.metric("weir_workers");

/** Stops one or two workers at a time, kills some of them and of the rest; one that serves is always left alone. */
async function storm(random: () => number): Promise<{ stops: Standstill[]; kills: number }> {
	const stops: Standstill[] = [];
	let kills = 0;
	for (let round = 0; round < ROUNDS; round++) {
		const spare = (await serving()) - 1;
		const pids = server.workerPids().sort(() => random() - 0.5);
		const stopped = pids.slice(0, spare > 2 && random() < 0.5 ? 2 : 1);
		const others = pids.slice(stopped.length, Math.max(stopped.length, spare));
		const killed = [
			...stopped.slice(0, spare > 1 && random() < 0.3 ? 1 : 0),
			...others.slice(0, random() < 0.5 ? 1 : 0),
		];
		const beginMs = nowMs();
		for (const pid of stopped) kill(pid, "SIGSTOP");
		await new Promise((resolve) => setTimeout(resolve, 50 + random() * 150));
		for (const pid of killed) kill(pid, "SIGKILL");
		for (const pid of stopped) kill(pid, "SIGCONT");
		const endMs = nowMs();
		kills += killed.length;
		stops.push(...stopped.map((pid) => ({ pid, beginMs, endMs })));
	}
	return { stops, kills };
}

/** Milliseconds that answers took, and during which somebody else (or nobody) stood still. */
function latencies(sent: readonly Sent[], stops: readonly Standstill[]) {
	const workers = server.answeredBy();
	const beside: number[] = [];
	const calm: number[] = [];
	for (const { path, status, beginMs, endMs } of sent) {
		const worker = workers.get(path);
		if (status === 0 || worker === undefined) continue;
		const during = stops.filter((stop) => stop.beginMs < endMs && beginMs < stop.endMs);
		if (during.some(({ pid }) => pid === worker)) continue;
		(during.length > 0 ? beside : calm).push(endMs - beginMs);
	}
	return { beside, calm };
}

function figures(values: number[]): string {
	values.sort((one, other) => one - other);
	const at = (share: number): string =>
		(values[Math.floor(share * (values.length - 1))] ?? 0).toFixed(1);
	return `${values.length} answers, median ${at(0.5)}, 99 % ${at(0.99)}, slowest ${at(1)} ms`;
}

/** All that passed was counted once; nobody can tell of those whose connection broke. */
function expectLimited(sent: readonly Sent[], capacity: number, what: string): void {
	const admitted = count(sent, 200);
	expect(admitted, what).toBeLessThanOrEqual(capacity);
	expect(admitted + count(sent, 0), what).toBeGreaterThanOrEqual(Math.min(capacity, sent.length));
}

it("no key passes its capacity, whatever becomes of the workers", { timeout: 60_000 }, async () => {
	const seed = Date.now() % 1_000_000;
	await server.policy({
		inbound: [
			limiting("hot", HOT_CAPACITY, []),
			limiting("turn", TURN_CAPACITY, [`req.headers['${USER}']`]),
			limiting("flood", 2, [`req.headers['${USER}']`]),
		],
	});
	expect(await passing(server, 3, "/flood/limited", { [USER]: "limited" })).toBe(2);
	const run = await crowd.begin(server.port, lanesOf);
	const { stops, kills } = await storm(randomFrom(seed));
	run.stop();
	const sent = await run.sent;
	await until(
		async () => (await serving()) === WORKERS || undefined,
		"all workers to serve",
		30_000,
	);
	const of = (kind: string) => sent.filter(({ path }) => path.startsWith(`/${kind}/`));
	const said = `seed ${seed}`;

	expect(kills, said).toBeGreaterThan(0);
	expectLimited(of("hot"), HOT_CAPACITY, said);
	const left = await passing(server, HOT_CAPACITY + 1 - count(of("hot"), 200), "/hot/end");
	expect(count(of("hot"), 200) + left, said).toBeLessThanOrEqual(HOT_CAPACITY);
	const turns = byKey(of("turn"));
	for (const [key, group] of turns) expectLimited(group, TURN_CAPACITY, `${said}, ${key}`);
	expect(count(of("turn"), 429), said).toBeGreaterThan(0);
	expect(count(of("flood/limited"), 200), said).toBe(0);
	expect(await passing(server, 5, "/flood/limited", { [USER]: "limited" })).toBe(0);
	expect(await server.metric("weir_rate_limit_evicted_keys_total"), said).toBeGreaterThan(0);
	expect(await server.metric("weir_worker_restarts_total"), said).toBeGreaterThan(0);

	const { beside, calm } = await until(() => {
		const found = latencies(sent, stops);
		return found.beside.length > 0 ? found : undefined;
	}, "access-log lines of answers");
	process.stdout.write(
		`storm, ${said}: ${stops.length} stops, ${kills} kills, ${turns.size} keys in turn, ${count(sent, 0)} broken\n` +
			`  beside a stopped worker: ${figures(beside)}\n  with none stopped: ${figures(calm)}\n`,
	);
});

/**
 * A fleet of simulated machines: `npm run bench:fleet [-- --record] [-- --members 100,300,1000] [-- --engines 3]
 * [-- --rows live,wait,big,idle,back,race,restart,alone,newcomer]`. The
 * real protocol over real NATS servers (2.12 or newer, `NATS_SERVERS` names one), synced, with all machines on this
 * one: from a change to the last of them, acknowledgements of all, many writers, machines that come back, an engine that is
 * started again, newcomers.
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { FleetError } from "#dist/fleet/fleet-error.js";
import { NatsLog } from "#dist/fleet/log/nats/nats-log.js";
import { connected, setUp } from "#dist/fleet/log/nats/setup.js";
import { StoreState } from "#dist/fleet/store-state.js";
import { encode } from "#dist/store/layout.js";
import { Database } from "#dist/store/lmdb/database.js";
import { cpuMs, startEngines, usage } from "./fleet/engines.mjs";
import { LightState } from "./fleet/light-state.mjs";
import { clock, FLEET, openMember, settings, until } from "./fleet/members.mjs";
import { recordResults, table } from "./results.mjs";

const { values: flags } = parseArgs({
	options: {
		record: { type: "boolean", default: false },
		members: { type: "string", default: "100,300,1000" },
		engines: { type: "string", default: "3" },
		puts: { type: "string", default: "50" },
		rows: { type: "string", default: "live,wait,big,idle,back,race,restart,alone,newcomer" },
	},
});
const PUTS = Number(flags.puts);
const PROCESSES = 2;
const WRITERS = 8;
const WRITERS_SECONDS = 4;
const AWAY_CHANGES = 200;
const ROWS = new Set(flags.rows.split(","));
const NEWCOMERS = [10_000, 100_000];
const POLICY_BYTES = 1500;
const IDLE_SECONDS = 10;

const CONDITIONS = [
	"engines and all simulated machines share this machine's cores; changes of 1.5 KB one after the other, each machine a connection of its own; machines keep their state in memory (newcomers on disk) and their workers have everything at once",
];

const folder = mkdtempSync(join(tmpdir(), "weir-fleet-"));
const seconds = (/** @type {number} */ count) =>
	new Promise((resolve) => setTimeout(resolve, count * 1000));
let counter = 0;
/** @param {number} bytes */
const policy = (bytes) =>
	encode({ enabled: true, inbound: [], outbound: [], note: `${counter++} ${"x".repeat(bytes)}` })
		.value;

/** @param {readonly number[]} values @param {number} part */
const quantile = (values, part) => {
	const sorted = values.toSorted((left, right) => left - right);
	return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
};
/** @param {readonly number[]} values */
const spread = (values) => [0.5, 0.99].map((part) => quantile(values, part).toFixed(1)).join(" / ");
const ms = (/** @type {number} */ value) => `${value.toFixed(0)} ms`;

/** A process with members. */
class Part {
	/** @type {Map<number, number>} */
	last = new Map();
	/** @type {((answer: {done?: string, failed?: string, why?: string, at: number}) => void) | undefined} */
	#answered;

	constructor() {
		this.child = fork(join(import.meta.dirname, "fleet/member-process.mjs"));
		this.child.on("message", (/** @type {any} */ told) => {
			const { all, at, ...answer } = /** @type {{all?: number, at: number}} */ (told);
			if (all === undefined) this.#answered?.({ ...answer, at });
			else this.last.set(all, at);
		});
	}

	/** @param {object} what @returns {Promise<number>} when it was done */
	async ask(what) {
		/** @type {{failed?: string, why?: string, at: number}} */
		const answer = await new Promise((resolve) => {
			this.#answered = resolve;
			this.child.send(what);
		});
		if (answer.failed !== undefined) throw new Error(`${answer.failed}: ${answer.why}`);
		return answer.at;
	}
}

/** @param {readonly Part[]} parts @param {object} what */
const askAll = async (parts, what) =>
	Math.max(...(await Promise.all(parts.map((part) => part.ask(what)))));

/** @typedef {ReturnType<typeof openMember>} Writer */

/** @param {Writer} writer @param {string} value @param {string} key */
const put = async ({ member }, value, key = "p/site/all", isAwaited = false) => {
	let revision = 0;
	await member.queue.write((/** @type {any} */ writes) => writes.put(key, value), {
		at: new Date().toISOString(),
		isAwaited,
		onRevision: (/** @type {number} */ known) => {
			revision = known;
		},
	});
	return revision;
};

/** From the change to the last member. @param {Writer} writer @param {readonly Part[]} parts */
const follows = async (writer, parts, times = PUTS, bytes = POLICY_BYTES) => {
	const [all, own] = [[], []].map((list) => /** @type {number[]} */ (list));
	for (let turn = 0; turn < times; turn++) {
		const value = policy(bytes);
		const from = clock();
		const revision = await put(writer, value);
		own?.push(clock() - from);
		await until(() => parts.every(({ last }) => last.has(revision)), "last member", 60_000).catch(
			async (error) => {
				await askAll(parts, { does: "tell", revision });
				throw error;
			},
		);
		all?.push(Math.max(...parts.map(({ last }) => last.get(revision) ?? 0)) - from);
		await seconds(0.02);
	}
	return { all: all ?? [], own: own ?? [] };
};

/** `?wait=fleet`. @param {Writer} writer @param {number} count */
const acknowledged = async (writer, count) => {
	const times = [];
	for (let turn = 0; turn < PUTS; turn++) {
		const from = clock();
		const stop = writer.member.attend();
		const revision = await put(writer, policy(POLICY_BYTES), "p/site/all", true);
		const { missing, of } = await writer.member.spread(revision, 30_000);
		stop();
		if (missing.length > 0 || of < count) throw new Error(`${missing.length} of ${of} are missing`);
		times.push(clock() - from);
		await seconds(0.02);
	}
	return times;
};

/** Writers without pause. @param {readonly string[]} servers */
const race = async (servers) => {
	const writers = Array.from({ length: WRITERS }, (_, index) =>
		openMember(servers, `writer-${index}`, () => {}),
	);
	await until(() => writers.every(({ member }) => member.status().state === "in_sync"), "writers");
	const end = clock() + WRITERS_SECONDS * 1000;
	let refused = 0;
	const wins = await Promise.all(
		writers.map(async (writer, index) => {
			let count = 0;
			while (clock() < end)
				try {
					await put(writer, policy(200), `p/site/w${index}`);
					count++;
				} catch (error) {
					if (!(error instanceof FleetError)) throw error;
					refused++;
				}
			return count;
		}),
	);
	for (const { member } of writers) await member.close();
	const sum = wins.reduce((all, count) => all + count, 0);
	const least = ((100 * Math.min(...wins)) / sum).toFixed(1);
	return `${(sum / WRITERS_SECONDS).toFixed(0)}/s, ${least} %${refused === 0 ? "" : `, ${refused} refused`}`;
};

/** @param {readonly string[]} servers @param {number} policies of the state that it begins with */
const begin = async (servers, policies) => {
	const state = new LightState();
	for (let index = 0; index < policies; index++)
		state.fill(`p/site/r${index}`, policy(POLICY_BYTES));
	state.begin({ fleet: FLEET, incarnation: `bench.${counter}`, revision: 0, level: 1 });
	const admin = new NatsLog(settings(servers, "admin"));
	const incarnation = `bench.${counter}`;
	const snapshot = { ...state.snapshot(), incarnation };
	if (state.position !== undefined) state.position = { ...state.position, incarnation };
	for (let turn = 0; ; turn++)
		try {
			await connected(admin);
			await setUp(admin, { incarnation, snapshot, replaces: true });
			break;
		} catch (error) {
			// it has only just been started, and a cluster has no leader yet
			if (turn === 40) throw error;
			await seconds(0.5);
		}
	await admin.close();
	const writer = openMember(servers, "writer", () => {}, state);
	await until(() => writer.member.status().state === "in_sync", "writer in sync");
	return writer;
};

/** One size of fleet. @param {1 | 3} many @param {number} count */
const size = async (many, count) => {
	const engines = await startEngines(join(folder, `${many}-${count}`), many);
	const servers = engines.map(({ url }) => url);
	const writer = await begin(servers, 0);
	const parts = Array.from({ length: PROCESSES }, () => new Part());
	const share = Math.floor(count / PROCESSES);
	const opened = clock();
	const open = { does: "open", servers, count: share };
	const there = await Promise.all(
		parts.map((part, index) => part.ask({ ...open, name: `p${index}` })),
	);
	const row = new Map([["all connected and in sync", ms(Math.max(...there) - opened)]]);
	if (ROWS.has("live")) {
		await follows(writer, parts, 5);
		const live = await follows(writer, parts);
		row.set("change → last machine, p50 / p99, ms", spread(live.all));
		row.set("… the change itself", spread(live.own));
	}
	if (ROWS.has("wait"))
		row.set("`wait=fleet`, p50 / p99, ms", spread(await acknowledged(writer, count)));
	if (ROWS.has("big")) {
		const big = await follows(writer, parts, 5, 1_000_000);
		row.set("… 1 MB policy → last machine, p50 / max", spread(big.all));
	}
	if (ROWS.has("idle")) {
		const before = usage(engines);
		await seconds(IDLE_SECONDS);
		const after = usage(engines);
		const idle = (after.cpuMs - before.cpuMs) / (10 * IDLE_SECONDS);
		row.set(
			"engine idle: of a core, memory",
			`${idle.toFixed(1)} %, ${after.megabytes.toFixed(0)} MB`,
		);
	}
	if (ROWS.has("back"))
		row.set(`30 % back after ${AWAY_CHANGES} changes`, await back(writer, parts, share));
	if (ROWS.has("race"))
		row.set(`${WRITERS} writers: changes, least share (12.5 % is fair)`, await race(servers));
	if (ROWS.has("restart"))
		row.set(
			many === 1 ? "engine killed and started" : "leader's engine killed",
			await restarted(engines, writer, parts),
		);
	await askAll(parts, { does: "close" });
	for (const { child } of parts) child.disconnect();
	await writer.member.close();
	for (const { child } of engines) child.kill("SIGKILL");
	return row;
};

/** @param {Writer} writer @param {readonly Part[]} parts @param {number} share of machines, each part has */
const back = async (writer, parts, share) => {
	await askAll(parts, { does: "pause", count: Math.floor(share * 0.3) });
	let revision = 0;
	for (let turn = 0; turn < AWAY_CHANGES; turn++)
		revision = await put(writer, policy(POLICY_BYTES));
	const from = clock();
	const before = parts.map(({ child }) => cpuMs(child.pid ?? 0));
	const until = await askAll(parts, { does: "resume", revision });
	const used = parts.map(({ child }, index) => cpuMs(child.pid ?? 0) - (before[index] ?? 0));
	return `${ms(until - from)} (${ms(used.reduce((sum, each) => sum + each, 0))} of CPU)`;
};

/** Until every member has the next change. @param {Awaited<ReturnType<typeof startEngines>>} engines @param {Writer} writer @param {readonly Part[]} parts */
const restarted = async (engines, writer, parts) => {
	const admin = new NatsLog(settings([...engines.map(({ url }) => url)], "admin"));
	await connected(admin);
	const { cluster } = /** @type {{cluster?: {leader?: string}}} */ (
		/** @type {unknown} */ (await admin.api.info(admin.api.names.log))
	);
	await admin.close();
	const hit = engines.find(({ name }) => name === cluster?.leader) ?? engines[0];
	if (hit === undefined) return "";
	hit.child.kill("SIGKILL");
	await new Promise((resolve) => hit.child.once("exit", resolve));
	const from = clock();
	hit.child = hit.start();
	let revision = 0;
	for (;;)
		try {
			revision = await put(writer, policy(POLICY_BYTES));
			break;
		} catch {
			await seconds(0.05);
		}
	const written = clock() - from;
	const all = (await askAll(parts, { does: "reach", revision })) - from;
	return `${ms(written)} to a change, ${ms(all)} to all`;
};

/** With its store on the disk. @param {1 | 3} many @param {number} policies */
const newcomer = async (many, policies) => {
	const engines = await startEngines(join(folder, `${many}-new-${policies}`), many);
	const servers = engines.map(({ url }) => url);
	const writer = await begin(servers, policies);
	const [times, used] = [[], []].map((list) => /** @type {number[]} */ (list));
	for (let turn = 0; turn < 3; turn++) {
		const database = Database.open(join(folder, `new-${policies}-${turn}`), { readOnly: false });
		const [from, before] = [clock(), process.cpuUsage()];
		const { member } = openMember(servers, `new-${turn}`, () => {}, new StoreState(database));
		await until(() => member.status().state === "in_sync", "newcomer in sync");
		times?.push(clock() - from);
		const { user, system } = process.cpuUsage(before);
		used?.push((user + system) / 1000);
		await member.close();
		await database.close();
	}
	await writer.member.close();
	for (const { child } of engines) child.kill("SIGKILL");
	return `${ms(quantile(times ?? [], 0.5))} (${ms(quantile(used ?? [], 0.5))} of CPU)`;
};

/** Writers without anybody else. @param {1 | 3} many */
const alone = async (many) => {
	const engines = await startEngines(join(folder, `${many}-alone`), many);
	const servers = engines.map(({ url }) => url);
	const writer = await begin(servers, 0);
	const result = await race(servers);
	await writer.member.close();
	for (const { child } of engines) child.kill("SIGKILL");
	return result;
};

const many = flags.engines === "1" ? 1 : 3;
const sizes = flags.members.split(",").map(Number);
try {
	/** @type {Map<string, string>[]} */
	const rows = [];
	for (const count of sizes) {
		const row = await size(many, count);
		rows.push(row);
		process.stderr.write(`${count} machines: ${JSON.stringify([...row])}\n`);
	}
	const names = [...(rows[0]?.keys() ?? [])];
	const cells = names.map((name) => [name, ...rows.map((row) => row.get(name) ?? "")]);
	const parts = [
		table(
			[
				`${many === 1 ? "one engine" : "three engines"}, synced`,
				...sizes.map((count) => `${count} machines`),
			],
			cells,
		),
	];
	if (ROWS.has("alone"))
		parts.push(
			`${WRITERS} writers with no other machine connected, changes and least share: ${await alone(many)}.`,
		);
	if (ROWS.has("newcomer"))
		for (const policies of NEWCOMERS)
			parts.push(
				`A newcomer, ${policies} policies, its store on disk: ${await newcomer(many, policies)}.`,
			);
	const text = parts.join("\n\n");
	process.stdout.write(`${text}\n`);
	if (flags.record)
		recordResults("Fleet", `npm run bench:fleet -- --engines ${many}`, CONDITIONS, text);
} finally {
	// Engines end with this process, and their files after them.
	process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}
process.exit(0);

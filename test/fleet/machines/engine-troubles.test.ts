/**
 * The rest of what docs/fleet.md says in "Failures", at machines of a fleet: a log that is full, a connection that the
 * engine drops, a machine that was away for longer than the log reaches, a power cut at an engine that does not sync, and
 * one of three servers, or two, that are lost. What goes on meanwhile, what an operator reads, how it ends.
 */

import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { NatsLog } from "../../../src/fleet/log/nats/nats-log.ts";
import { withStopped } from "../../../src/process/fleet/stopped-store.ts";
import { kill, until } from "../../e2e/harness.ts";
import {
	type EngineOptions,
	type Engines,
	NEW_PROGRAM,
	PROGRAMS,
	startEngine,
	startThree,
} from "../engine.ts";
import { settingsFor } from "../engines/nats-bench.ts";
import { Machine } from "./machine.ts";

const program = PROGRAMS.at(-1);
// Processes start and end in each of them, and others use the machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });
const LONG_MS = 60_000;

/** Two machines of a fleet, `a` and `b`, and the test's own way to its log. */
class Fleet {
	readonly engines: Engines;
	readonly log: NatsLog;
	readonly a: Machine;
	readonly b: Machine;
	#written = 0;

	constructor(engines: Engines) {
		this.engines = engines;
		this.log = new NatsLog(settingsFor(engines.urls, null));
		this.a = new Machine("machine-a", engines.urls);
		this.b = new Machine("machine-b", engines.urls);
	}

	async start(): Promise<void> {
		const { a, b } = this;
		expect((await a.weir("init")).stderr).not.toContain("error");
		await Promise.all([a.start(), b.start()]);
		await Promise.all([a.is("in_sync"), b.is("in_sync")]);
		await a.running.route(9);
		await a.running.policy(says("first"));
		await this.both();
	}

	/** The same revision and digest at both, which are in sync. */
	async both(): Promise<number> {
		return until(
			async () => {
				const [one, two] = await Promise.all([this.a.seen(), this.b.seen()]);
				const isSame = one.revision === two.revision && one.digest === two.digest;
				const areInSync = one.state === "in_sync" && two.state === "in_sync";
				return isSame && areInSync ? Number(one.revision) : undefined;
			},
			"both to have the same",
			LONG_MS,
		);
	}

	edge(machine: Machine, name: string) {
		return machine.running.api("PUT", `/edges/https/${name}`, { hostports: [`${name}.test`] });
	}

	/** A change, as a client makes it who tries again. @returns the edge's name */
	async change(machine: Machine): Promise<string> {
		const name = `e${++this.#written}`;
		await until(
			async () => ((await this.edge(machine, name)).status < 300 ? true : undefined),
			"a change",
			LONG_MS,
		);
		return name;
	}

	async has(machine: Machine, names: readonly string[]): Promise<void> {
		for (const name of names)
			expect((await machine.running.api("GET", `/edges/https/${name}`)).status).toBe(200);
	}

	async close(): Promise<void> {
		await this.log.close();
		await Promise.all([this.a.cleanUp(), this.b.cleanUp()]);
		await this.engines.close();
	}
}

const says = (body: string) => ({
	on_http_request: [{ actions: [{ type: "custom-response", config: { status_code: 200, body } }] }],
});
/** Such that packing does not help much: it has to fill the sockets' buffers, too. */
const large = () => ({
	on_http_request: Array.from(
		{ length: 8 },
		() => says(randomBytes(30_000).toString("hex")).on_http_request[0],
	),
});
const served = async (machine: Machine) => (await machine.running.get("/")).body;
const lostFiles = (machine: Machine) =>
	readdirSync(machine.dataDir).filter((name) => name.startsWith("fleet-lost-"));

let fleet: Fleet | undefined;
afterEach(async () => {
	await fleet?.close();
	fleet = undefined;
});

describe.skipIf(program === undefined)("with one engine, a fleet goes on", () => {
	async function begun(options?: EngineOptions): Promise<Fleet> {
		if (program === undefined) throw new Error("no engine");
		fleet = new Fleet(await startEngine(program, options));
		await fleet.start();
		return fleet;
	}

	it("when the log is full: changes are refused with the remedy, which helps", async () => {
		const { log, a, b } = await begun();
		const { api } = log;
		const name = api.names.log;
		/** As `nats stream edit --max-bytes`. */
		const bound = async (bytes: (used: number) => number) => {
			const { config, state } = await api.info(name);
			const { metadata: _, ...settings } = config;
			await api.call(`STREAM.UPDATE.${name}`, name, { ...settings, max_bytes: bytes(state.bytes) });
		};
		// A snapshot may make room at any time, by itself.
		const refused = await until(
			async () => {
				await bound((used) => used + 100);
				const answer = await fleet?.edge(a, "too-much");
				return answer?.status === 507 ? answer : undefined;
			},
			"a full log",
			LONG_MS,
		);
		expect(refused.body).toContain("ERR_STORE_FULL");
		expect(refused.body).toMatch(/The log WEIR_PROD_LOG at .* is full: .*Raise its max_bytes/);
		expect(await a.running.metric('weir_fleet_appends_total{outcome="refused"}')).toBeGreaterThan(
			0,
		);
		expect((await a.seen()).state).toBe("in_sync");
		expect((await a.weir("status")).status).toBe(0);
		expect([await served(a), await served(b)]).toEqual(["first", "first"]);
		expect((await b.running.api("GET", "/edges/https/e")).status).toBe(200);
		await bound(() => 1_000_000_000);
		const added = await fleet?.change(b);
		await fleet?.both();
		await fleet?.has(a, [`${added}`]);
	});

	it("when a machine does not read for so long that the engine drops it: it comes back by itself", async () => {
		const config = 'max_pending: 3MB\nwrite_deadline: "1s"';
		const { engines, a, b } = await begun({ maxPayload: "3MB", config });
		const dropped = async (): Promise<number> => {
			const answer = await fetch(`${engines.first.monitor}/varz`);
			return ((await answer.json()) as { slow_consumers: number }).slow_consumers;
		};
		const { pid = 0 } = b.running.child;
		kill(pid, "SIGSTOP");
		try {
			await until(
				async () => {
					await a.running.policy(large());
					return (await dropped()) > 0 ? true : undefined;
				},
				"the engine to drop a slow connection",
				120_000,
			);
			expect(await served(b)).toBe("first");
		} finally {
			kill(pid, "SIGCONT");
		}
		await a.running.policy(says("after"));
		await fleet?.both();
		await until(
			async () => ((await served(b)) === "after" ? true : undefined),
			"the newest policy",
			LONG_MS,
		);
		const told = await until(
			() =>
				b.running.logLines().find(({ level, state }) => level === "warn" && state === "cut_off"),
			"a word of it in the log",
			LONG_MS,
		);
		expect(told.msg).toMatch(/127\.0\.0\.1:\d+ /);
		expect(lostFiles(b)).toEqual([]);
		expect(await b.running.metric("weir_fleet_connected")).toBe(1);
	});

	it("when a machine was away for longer than the log reaches: it begins with a snapshot", async () => {
		const { log, a, b } = await begun();
		const made = await fleet?.change(b);
		await fleet?.both();
		await b.stop();
		const gone = await a.running.api("DELETE", `/edges/https/${made}`);
		expect(gone.status).toBe(204);
		const added = [await fleet?.change(a), await fleet?.change(a)].map(String);
		await a.stop();
		// What a manager does after 1,000 records, and days.
		await withStopped(a.dataDir, async ({ state }) => log.snapshots.put(state.snapshot()));
		const { last } = await log.tail();
		await log.purge(last);
		await a.start();
		await b.start();
		expect(await fleet?.both()).toBe(last);
		await fleet?.has(b, added);
		expect((await b.running.api("GET", `/edges/https/${made}`)).status).toBe(404);
		expect(await b.running.metric('weir_fleet_resyncs_total{why="trimmed"}')).toBe(1);
		expect(await b.running.metric("weir_fleet_lost_records_total")).toBe(lostRecordsOf(b));
		expect(await served(b)).toBe("first");
		await fleet?.change(b);
		await fleet?.both();
	});

	it("when the power is cut at an engine that does not sync: machines give back what it has lost", async () => {
		const { engines, log, a, b } = await begun();
		const folder = join(engines.first.folder, "js");
		/** the log's newest block; what lies beyond its size now has not reached the disk */
		const block = blocksOf(folder).at(-1) ?? "";
		const { size } = statSync(block);
		const names = [await fleet?.change(a), await fleet?.change(b), await fleet?.change(a)].map(
			String,
		);
		const revision = await fleet?.both();
		await engines.first.kill();
		// A part of a record, too: blocks of the disk know nothing of records.
		truncateSync(block, size + 100);
		for (const index of indexesOf(folder)) rmSync(index);
		expect(await served(b)).toBe("first");
		await engines.first.start();
		await fleet?.both();
		await until(
			// The test's own connection may not be there again.
			async () => ((await log.tail().catch(() => undefined))?.last === revision ? true : undefined),
			"the log to have all again",
			LONG_MS,
		);
		await fleet?.has(a, names);
		await fleet?.has(b, names);
		expect([...lostFiles(a), ...lostFiles(b)]).toEqual([]);
		const healed = "weir_fleet_healed_records_total";
		expect((await a.running.metric(healed)) + (await b.running.metric(healed))).toBe(3);
	});
});

describe.skipIf(NEW_PROGRAM === undefined)("with three engines, a fleet goes on", () => {
	it("when each of them in turn is down: requests never stop, changes do for a moment", async () => {
		if (NEW_PROGRAM === undefined) return;
		fleet = new Fleet(await startThree(NEW_PROGRAM));
		await fleet.start();
		const { engines, a, b } = fleet;
		const answers = new Set<string>();
		const refusals = new Set<number>();
		for (const [turn, server] of engines.servers.entries()) {
			await server.kill();
			await until(
				async () => {
					answers.add(await served(a)).add(await served(b));
					const { status } = await (fleet as Fleet).edge(turn % 2 === 0 ? a : b, `turn${turn}`);
					if (status >= 300) refusals.add(status);
					return status < 300 ? true : undefined;
				},
				"a change without one of them",
				LONG_MS,
			);
			await fleet.both();
			expect(await a.running.metric("weir_fleet_connected")).toBe(1);
			const status = await a.weir("status");
			expect(status.stdout).toMatch(/^Engine 127\.0\.0\.1:\d+, nats-server .*, connected since/m);
			expect(status.stdout).not.toContain(`Engine 127.0.0.1:${server.port},`);
			await server.start();
		}
		await fleet.has(b, ["turn0", "turn1", "turn2"]);
		expect([...answers]).toEqual(["first"]);
		for (const status of refusals) expect([503, 504]).toContain(status);
		expect([...lostFiles(a), ...lostFiles(b)]).toEqual([]);
	});

	it("when most of them are down: requests go on, changes are refused until they are back", async () => {
		if (NEW_PROGRAM === undefined) return;
		fleet = new Fleet(await startThree(NEW_PROGRAM));
		await fleet.start();
		const { engines, a, b } = fleet;
		const before = await fleet.both();
		const [, ...most] = engines.servers;
		for (const server of most) await server.kill();
		const refused = await fleet.edge(a, "minority");
		expect([503, 504]).toContain(refused.status);
		expect(refused.body).toMatch(/ERR_FLEET_UN(?:AVAILABLE|CERTAIN)/);
		expect([await served(a), await served(b)]).toEqual(["first", "first"]);
		expect((await a.running.api("GET", "/edges/https")).status).toBe(200);
		for (const server of most) await server.start();
		await until(
			async () => ((await (fleet as Fleet).edge(b, "majority")).status < 300 ? true : undefined),
			"a change with all of them",
			LONG_MS,
		);
		expect(await fleet.both()).toBeGreaterThan(before);
		// It is everywhere or nowhere.
		const found = [a, b].map(({ running }) => running.api("GET", "/edges/https/minority"));
		const statuses = (await Promise.all(found)).map(({ status }) => status);
		expect(new Set(statuses).size).toBe(1);
	});
});

/** Records that are told of as unverified: this machine's own, which the log does not have any more. */
const lostRecordsOf = (machine: Machine): number => lostFiles(machine).length;

const filesOf = (folder: string): readonly string[] =>
	readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));

const ofTheLog = (folder: string): readonly string[] =>
	filesOf(folder).filter((path) => path.includes("WEIR_PROD_LOG"));

const blocksOf = (folder: string): readonly string[] =>
	ofTheLog(folder)
		.filter((path) => /\d+\.blk$/.test(path))
		.sort();

/** What the engine keeps of its blocks, which it makes again from them. */
const indexesOf = (folder: string): readonly string[] =>
	ofTheLog(folder).filter((path) => /(?:index\.db|\d+\.(?:idx|fss))$/.test(path));

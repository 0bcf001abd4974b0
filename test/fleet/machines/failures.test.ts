/**
 * What docs/fleet.md says in "Failures", at machines of a fleet with a real engine: what goes on, what an operator reads, and
 * how it ends. Others are in `life.test.ts`, `refusals.test.ts`, and, of the log alone, in `../engines`.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { LEVEL } from "../../../src/fleet/level.ts";
import { NatsLog } from "../../../src/fleet/log/nats/nats-log.ts";
import { kill, until } from "../../e2e/harness.ts";
import { type Engines, PROGRAMS, startEngine } from "../engine.ts";
import { settingsFor } from "../engines/nats-bench.ts";
import { recordOn } from "../log/examples.ts";
import { Machine } from "./machine.ts";

const program = PROGRAMS.at(-1);
// Processes start and end in each of them.
vi.setConfig({ testTimeout: 120_000 });

describe.skipIf(program === undefined)("a fleet goes on", () => {
	let engines: Engines;
	let a: Machine;
	let b: Machine;
	let log: NatsLog;
	let written = 0;

	beforeAll(async () => {
		if (program === undefined) return;
		engines = await startEngine(program);
		log = new NatsLog(settingsFor(engines.urls, null));
		a = new Machine("machine-a", engines.urls);
		b = new Machine("machine-b", engines.urls);
		await a.weir("init");
		await Promise.all([a.start(), b.start()]);
		await Promise.all([a.is("in_sync"), b.is("in_sync")]);
		await a.running.route(9);
		await a.running.policy(says("first"));
		await both();
	});
	afterAll(async () => {
		await log?.close();
		await Promise.all([a?.cleanUp(), b?.cleanUp(), engines?.close()]);
	});

	const says = (body: string) => ({
		on_http_request: [
			{ actions: [{ type: "custom-response", config: { status_code: 200, body } }] },
		],
	});
	const served = async (machine: Machine) => (await machine.running.get("/")).body;
	const edge = (machine: Machine, name: string) =>
		machine.running.api("PUT", `/edges/https/${name}`, { hostports: [`${name}.test`] });
	/** The same revision and digest at both. */
	const both = () =>
		until(
			async () => {
				const [one, two] = await Promise.all([a.seen(), b.seen()]);
				const isSame = one.revision === two.revision && one.digest === two.digest;
				return (isSame && one.state === "in_sync" && two.state === "in_sync") || undefined;
			},
			"both to have the same",
			30_000,
		);
	/** A change, as a client makes it who tries again. */
	const change = async (machine: Machine): Promise<string> => {
		const name = `e${++written}`;
		await until(
			async () => ((await edge(machine, name)).status < 300 ? true : undefined),
			"a change",
		);
		return name;
	};
	const lostFiles = (machine: Machine) =>
		readdirSync(machine.dataDir).filter((name) => name.startsWith("fleet-lost-"));
	const copyOfEngine = () => join(engines.first.folder, "copy");
	const save = async () => {
		await engines.first.stop();
		rmSync(copyOfEngine(), { recursive: true, force: true });
		cpSync(join(engines.first.folder, "js"), copyOfEngine(), { recursive: true });
		await engines.first.start();
		await both();
	};
	const restore = () => {
		engines.first.wipe();
		cpSync(copyOfEngine(), join(engines.first.folder, "js"), { recursive: true });
	};

	it("when a record comes too late: it is void everywhere, and told so", async () => {
		const { last } = await log.tail();
		const late = recordOn(last, { before: "f".repeat(32), isAwaited: true });
		expect(await log.append(late, 2000)).toEqual({ revision: last + 1 });
		await Promise.all([a.is("in_sync", last + 1), b.is("in_sync", last + 1)]);
		await both();
		expect((await b.weir("log", "--limit", "1")).stdout).toMatch(/void: it came too late/);
		expect(await b.running.metric("weir_fleet_void_records_total")).toBe(1);
		await change(a);
		await both();
	});

	it("when a machine's supervisor is killed in the middle of changes", async () => {
		const changes = Promise.allSettled(
			Array.from({ length: 30 }, (_, index) => edge(b, `killed${index}`)),
		);
		await edge(b, "before-the-kill");
		await b.running.killAll();
		const answered = await changes;
		await b.start();
		await both();
		for (const [index, answer] of answered.entries()) {
			if (answer.status === "rejected" || answer.value.status >= 300) continue;
			expect((await a.running.api("GET", `/edges/https/killed${index}`)).status).toBe(200);
		}
		expect(await served(b)).toBe("first");
	});

	it("when a worker dies while changes come", async () => {
		const [worker = 0] = b.running.workerPids();
		kill(worker, "SIGKILL");
		await a.running.policy(says("second"));
		await until(
			async () => ((await served(b).catch(() => "")) === "second" ? true : undefined),
			"the new worker to have the new policy",
		);
		await both();
	});

	it("when a machine stands still until the engine gives it up, and the others don't wait for ever", async () => {
		const { pid = 0 } = b.running.child;
		kill(pid, "SIGSTOP");
		const put = await a.running.api("PUT", "/edges/https/alone?wait=fleet&timeout=1s", {
			hostports: ["alone.test"],
		});
		expect([put.status, put.headers["fleet-missing"]]).toEqual([202, "machine-b"]);
		kill(pid, "SIGCONT");
		await both();
		expect((await b.running.api("GET", "/edges/https/alone")).status).toBe(200);
	});

	it("when the engine's backup is restored: machines give back what it lacks", async () => {
		await save();
		const names = [await change(a), await change(b), await change(a)];
		await both();
		const { revision } = await a.seen();
		await engines.first.kill();
		restore();
		await engines.first.start();
		await both();
		await until(async () => {
			// The test's own connection may just be made anew.
			const tail = await log.tail().catch(() => undefined);
			return tail?.last === revision ? true : undefined;
		}, "the log");
		for (const name of names)
			expect((await b.running.api("GET", `/edges/https/${name}`)).status).toBe(200);
		expect([...lostFiles(a), ...lostFiles(b)]).toEqual([]);
		const healed = "weir_fleet_healed_records_total";
		expect((await a.running.metric(healed)) + (await b.running.metric(healed))).toBe(3);
	});

	it("when it was restored and others wrote first: who had more reports it, in a file and in its log", async () => {
		await save();
		await b.stop();
		const lost = await change(a);
		await a.stop();
		await engines.first.kill();
		restore();
		await engines.first.start();
		await b.start();
		await b.is("in_sync");
		const won = await change(b);
		await a.start();
		await both();
		expect((await a.running.api("GET", `/edges/https/${won}`)).status).toBe(200);
		expect((await a.running.api("GET", `/edges/https/${lost}`)).status).toBe(404);
		const [file = ""] = lostFiles(a);
		expect(readFileSync(join(a.dataDir, file), "utf8")).toContain(`"e/${lost}"`);
		const told = a.running.logLines().find(({ level, path }) => level === "error" && path);
		expect(told?.msg).toMatch(
			/the fleet's log has another history than this machine had: 1 records of it .*fleet-lost-.*\.jsonl keeps them/,
		);
		expect(await a.running.metric("weir_fleet_lost_records_total")).toBe(1);
		expect(await served(a)).toBe("second");
	});

	it("when a machine's data folder is restored from an old copy: it is behind, and catches up", async () => {
		await b.stop();
		cpSync(b.dataDir, join(b.folder, "copy"), { recursive: true });
		await b.start();
		await b.is("in_sync");
		const name = await change(b);
		await both();
		await b.stop();
		rmSync(b.dataDir, { recursive: true });
		cpSync(join(b.folder, "copy"), b.dataDir, { recursive: true });
		await b.start();
		await both();
		expect((await b.running.api("GET", `/edges/https/${name}`)).status).toBe(200);
		expect(lostFiles(b)).toEqual([]);
	});

	it("when a machine's store is damaged: the start says what to move away, and that helps", async () => {
		await b.stop();
		const file = readdirSync(b.dataDir).find((name) => name.endsWith(".mdb")) ?? "";
		writeFileSync(join(b.dataDir, file), "no store");
		expect(await b.fails()).toMatch(/^1 [\s\S]*damaged/);
		rmSync(b.dataDir, { recursive: true });
		await b.start();
		await both();
		// Its workers are told a moment later.
		await until(
			async () => (await served(b)) === "second" || undefined,
			"the machine to serve what was given",
			20_000,
		);
	});

	it("when a record needs a newer weir: machines stop before it, serve on, and name it", async () => {
		const { last } = await log.tail();
		const { digest } = await a.seen();
		const newer = recordOn(last, { before: `${digest}`, level: 7 });
		await log.append(newer, 2000);
		await Promise.all([a.is("stuck"), b.is("stuck")]);
		expect(await served(a)).toBe("second");
		const put = await edge(a, "refused");
		expect(put.status).toBe(503);
		const sentence = `Revision ${last + 1} of the fleet needs level 7, and this weir understands level ${LEVEL}`;
		expect(put.body).toContain(sentence);
		expect((await b.weir("status")).stdout).toContain(sentence);
		const told = b.running.logLines().filter(({ level }) => level === "error");
		expect(JSON.stringify(told)).toContain("Install the newer weir on this machine");
	});
});

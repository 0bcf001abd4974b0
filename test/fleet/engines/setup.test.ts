/** `init` and `reseed` at the engine: what is made, and every reason not to. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { NatsLog } from "../../../src/fleet/log/nats/nats-log.ts";
import { connected, setUp } from "../../../src/fleet/log/nats/setup.ts";
import { until } from "../../e2e/harness.ts";
import { type Engines, NEW_PROGRAM, PROGRAMS, startEngine, startThree } from "../engine.ts";
import { allOf, recordOn, snapshotOf, statusOf } from "../log/examples.ts";
import { settingsFor, setupAt } from "./nats-bench.ts";

const OLD_PROGRAM = PROGRAMS.find(({ version }) => version.startsWith("2.9."));

for (const program of PROGRAMS)
	describe(`one nats-server ${program.version}`, () => {
		let engines: Engines;
		let log: NatsLog;
		beforeAll(async () => {
			engines = await startEngine(program);
			log = new NatsLog(settingsFor(engines.urls, null));
			await connected(log);
		});
		beforeEach(async () => {
			for (const stream of Object.values(log.api.names).slice(0, 3))
				if (await log.api.found(stream)) await log.api.delete(stream);
		});
		afterAll(async () => {
			await log?.close();
			await engines?.close();
		});

		it("gets a fleet, which begins with the state that is given", async () => {
			const entries = [["e/a", "b"]] as const;
			const setup = await setUp(log, {
				incarnation: "first.0",
				snapshot: snapshotOf(0, entries),
				replaces: false,
				maxBytes: 5_000_000,
			});
			expect(setup).toMatchObject({ replicas: 1, version: program.version });
			expect(await log.tail()).toEqual({
				first: 1,
				last: 0,
				incarnation: "first.0",
				bytes: 0,
				maxBytes: 5_000_000,
			});
			const opened = await log.snapshots.open("s-0000000000000000");
			expect(opened && (await allOf(opened.entries))).toEqual(entries);
		});

		it("forgets who was in another fleet of that name", async () => {
			await setUp(log, setupAt(0));
			log.say(statusOf("m_former", { revision: 9 }));
			await until(async () => (await log.seen()).length === 1 || undefined, "its word");
			await log.api.delete(log.api.names.log);
			await setUp(log, setupAt(0));
			expect(await log.seen()).toEqual([]);
		});

		it("warns of what it can't see, or sees", async () => {
			const blind = await setUp(log, setupAt(0));
			expect(blind.warnings.join()).toContain("--monitor");
			const seen = await setUp(log, setupAt(0, { monitors: [engines.first.monitor] }));
			const isOld = program === OLD_PROGRAM;
			expect(seen.warnings).toHaveLength(isOld ? 2 : 0);
			if (isOld) expect(seen.warnings.join()).toContain("is nats-server 2.9.");
		});

		it("keeps a fleet that it has, and replaces it where that is meant", async () => {
			await setUp(log, setupAt(0, { incarnation: "first", replaces: false }));
			await log.append(recordOn(0), 2000);
			await expect(setUp(log, setupAt(0, { replaces: false }))).rejects.toMatchObject({
				kind: "unfit",
				message: expect.stringMatching(
					/has a fleet of that name \(stream WEIR_PROD_LOG, incarnation first\): start weir/,
				),
			});
			expect((await log.tail()).last).toBe(1);
			await setUp(log, setupAt(7, { incarnation: "second" }));
			expect(await log.tail()).toMatchObject({ first: 8, last: 7, incarnation: "second" });
			expect((await log.snapshots.list()).map(({ revision }) => revision)).toEqual([7]);
			expect(await log.append(recordOn(7), 2000)).toEqual({ revision: 8 });
		});

		it("is set up again after half of it was done", async () => {
			await setUp(log, setupAt(0));
			await log.api.delete(log.api.names.log);
			await setUp(log, setupAt(0, { incarnation: "again", replaces: false }));
			expect((await log.tail()).incarnation).toBe("again");
		});

		it("can't have three copies", async () => {
			await expect(setUp(log, setupAt(0, { replicas: 3 }))).rejects.toMatchObject({
				kind: "unfit",
				message: expect.stringContaining("replicas"),
			});
			expect(await log.api.found(log.api.names.log)).toBeUndefined();
		});

		it("has no room for so large a log", async () => {
			await expect(setUp(log, setupAt(0, { maxBytes: 2 ** 52 }))).rejects.toMatchObject({
				kind: "unfit",
				message: expect.stringContaining("give its JetStream more room"),
			});
		});
	});

describe.skipIf(PROGRAMS[0] === undefined)("a server without JetStream", () => {
	it("says so", async () => {
		if (PROGRAMS[0] === undefined) return;
		const engines = await startEngine(PROGRAMS[0], {
			config: "accounts { A { users: [{user: a, password: b}] } }\nno_auth_user: a",
		});
		const log = new NatsLog(settingsFor(engines.urls, null));
		await expect(setUp(log, setupAt(0))).rejects.toMatchObject({
			kind: "unfit",
			message: expect.stringContaining("has no JetStream for this account"),
		});
		await log.close();
		await engines.close();
	});
});

describe.skipIf(NEW_PROGRAM === undefined)("three servers", () => {
	it("keep three copies, and begin where they are told to", async () => {
		if (NEW_PROGRAM === undefined) return;
		const engines = await startThree(NEW_PROGRAM);
		const log = new NatsLog(settingsFor(engines.urls, null));
		const monitors = engines.servers.map(({ monitor }) => monitor);
		expect(await setUp(log, setupAt(0, { monitors }))).toMatchObject({ replicas: 3, warnings: [] });
		expect(await setUp(log, setupAt(1234))).toMatchObject({ replicas: 3 });
		expect(await log.append(recordOn(1234), 5000)).toEqual({ revision: 1235 });
		const single = await setUp(log, setupAt(0, { replicas: 1, monitors }));
		expect(single.warnings.join()).toContain("has one copy in the cluster weir");
		await log.close();
		await engines.close();
	});
});

describe.skipIf(OLD_PROGRAM === undefined)("three servers of 2.9", () => {
	it("are refused", async () => {
		if (OLD_PROGRAM === undefined) return;
		const engines = await startThree(OLD_PROGRAM);
		const log = new NatsLog(settingsFor(engines.urls, null));
		await expect(connected(log)).rejects.toThrow("clusters of 2.9 lose acknowledged writes");
		await log.close();
		await engines.close();
	});
});

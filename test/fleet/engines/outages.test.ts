/** What a member sees when engines are killed, stand still, lose their files, or a cluster loses its leader. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Appended, Connection } from "../../../src/fleet/log/log.ts";
import { NatsLog } from "../../../src/fleet/log/nats/nats-log.ts";
import { setUp } from "../../../src/fleet/log/nats/setup.ts";
import { until } from "../../e2e/harness.ts";
import { type Engines, NEW_PROGRAM, PROGRAMS, startEngine, startThree } from "../engine.ts";
import { allOf, recordOn, statusOf } from "../log/examples.ts";
import { settingsFor, setupAt } from "./nats-bench.ts";

async function begun(engines: Engines): Promise<NatsLog> {
	const log = new NatsLog(settingsFor(engines.urls, null));
	await setUp(log, setupAt(0));
	return log;
}

async function isUp(log: NatsLog): Promise<void> {
	let state: Connection | undefined;
	const stop = log.connection((told) => {
		state = told;
	});
	await until(() => (state?.isUp === true ? true : undefined), "the connection");
	stop();
}

for (const program of PROGRAMS)
	describe(`one nats-server ${program.version}`, () => {
		let engines: Engines;
		let log: NatsLog;
		beforeAll(async () => {
			engines = await startEngine(program);
		});
		beforeEach(async () => {
			await log?.close();
			log = await begun(engines);
		});
		afterAll(async () => {
			await log?.close();
			await engines?.close();
		});

		it("is killed and started: live records come again, and nothing is lost", async () => {
			const heard: number[] = [];
			const told: Connection[] = [];
			log.live(({ revision }) => heard.push(revision));
			await log.tail();
			log.connection((state) => told.push(state));
			expect(await log.append(recordOn(0), 2000)).toEqual({ revision: 1 });
			await engines.first.kill();
			await until(() => (told.at(-1)?.isUp === false ? true : undefined), "the end to be told");
			expect(await log.append(recordOn(1), 2000)).toHaveProperty("unknown");
			await expect(log.tail()).rejects.toMatchObject({ kind: "unreachable" });
			log.say(statusOf("m_one"));
			await engines.first.start();
			await until(() => (told.at(-1)?.isUp === true ? true : undefined), "the connection");
			expect((await log.tail()).last).toBe(1);
			expect(await log.append(recordOn(1), 2000)).toEqual({ revision: 2 });
			await vi.waitFor(() => expect(heard).toEqual([1, 2]), { timeout: 5000 });
			expect(told.map(({ isUp }) => isUp)).toEqual([true, false, true]);
		});

		it("is killed with an append on its way: no answer, at once", async () => {
			engines.first.pause();
			const append = log.append(recordOn(0), 60_000);
			const reading = log.tail().catch((error: Error) => error.message);
			await engines.first.kill();
			expect(await append).toMatchObject({ unknown: expect.stringContaining("127.0.0.1:") });
			expect(await reading).toContain("has ended the connection");
			await engines.first.start();
			await isUp(log);
			expect((await log.tail()).last).toBeLessThanOrEqual(1);
		});

		it("stands still: an append is bounded by its own time", async () => {
			engines.first.pause();
			const began = Date.now();
			const appended = await log.append(recordOn(0), 300);
			expect(appended).toHaveProperty("unknown");
			expect(Date.now() - began).toBeLessThan(2500);
			engines.first.resume();
			await vi.waitFor(async () => expect((await log.tail()).last).toBe(1), { timeout: 10_000 });
		});

		it("has lost its files: it says so, and names reseed", async () => {
			await log.append(recordOn(0), 2000);
			await engines.first.kill();
			engines.first.wipe();
			await engines.first.start();
			await isUp(log);
			await expect(log.tail()).rejects.toMatchObject({
				kind: "missing",
				message: expect.stringContaining("weir fleet reseed"),
			});
			const heard: number[] = [];
			log.live(({ revision }) => heard.push(revision));
			await setUp(log, setupAt(12_345, { incarnation: "second", replaces: false }));
			expect(await log.tail()).toMatchObject({
				first: 12_346,
				last: 12_345,
				incarnation: "second",
			});
			expect(await log.append(recordOn(12_345), 2000)).toEqual({ revision: 12_346 });
			expect(await log.at(12_345)).toBe("trimmed");
			await vi.waitFor(() => expect(heard).toEqual([12_346]), { timeout: 5000 });
			expect((await log.snapshots.list()).map(({ revision }) => revision)).toEqual([12_345]);
		});
	});

describe.skipIf(NEW_PROGRAM === undefined)("three servers", { timeout: 90_000 }, () => {
	let engines: Engines;
	let log: NatsLog;
	beforeAll(async () => {
		if (NEW_PROGRAM === undefined) return;
		engines = await startThree(NEW_PROGRAM);
		log = await begun(engines);
	});
	afterAll(async () => {
		await log?.close();
		await engines?.close();
	});

	/** Appends until one more is taken, as a writer does: an unknown one is looked up by its id. */
	async function appendOne(base: number): Promise<number> {
		const record = recordOn(base);
		return until(
			async () => {
				const appended: Appended = await log.append(record, 2000);
				if ("revision" in appended) return appended.revision;
				const lies = await log.at(base + 1).catch(() => "not_yet" as const);
				return typeof lies === "object" && lies.record?.id === record.id ? base + 1 : undefined;
			},
			"an append",
			60_000,
		);
	}

	it("go on without each of them in turn, and every record is there", async () => {
		let last = 0;
		for (const server of engines.servers) {
			last = await appendOne(last);
			await server.kill();
			for (let count = 0; count < 3; count++) last = await appendOne(last);
			await server.start();
		}
		last = await appendOne(last);
		const stored = await until(async () => {
			const all = await allOf(log.read(1, last)).catch(() => []);
			return all.length === last ? all : undefined;
		}, "the whole log");
		expect(stored.map(({ record }) => record?.base)).toEqual([...stored.keys()]);
	});

	it("answer nothing without a majority, and say so", async () => {
		const { last } = await until(() => log.tail().catch(() => undefined), "a leader");
		const [one, two] = engines.servers;
		await one?.kill();
		await two?.kill();
		expect(await log.append(recordOn(last), 1000)).toHaveProperty("unknown");
		await expect(log.tail()).rejects.toMatchObject({ kind: "unreachable" });
		await one?.start();
		await two?.start();
		expect(await appendOne(last)).toBe(last + 1);
	});
});

/** An engine that has lost a record in the middle of the log, and uploads that never came to an end. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NatsLog } from "../../../src/fleet/log/nats/nats-log.ts";
import { setUp } from "../../../src/fleet/log/nats/setup.ts";
import { type Engines, PROGRAMS, startEngine } from "../engine.ts";
import { allOf, recordOn, snapshotOf } from "../log/examples.ts";
import { settingsFor, setupAt } from "./nats-bench.ts";

for (const program of PROGRAMS)
	describe(`nats-server ${program.version}`, () => {
		let engines: Engines;
		let log: NatsLog;
		beforeAll(async () => {
			engines = await startEngine(program);
			log = new NatsLog(settingsFor(engines.urls, null));
			await setUp(log, setupAt(0));
		});
		afterAll(async () => {
			await log?.close();
			await engines?.close();
		});

		it("has a record that is void for everybody where it lost one", async () => {
			const { api } = log;
			const { config } = await api.info(api.names.log);
			await api.delete(api.names.log);
			const { metadata: _, ...settings } = config;
			const name = api.names.log;
			await api.call(`STREAM.CREATE.${name}`, name, { ...settings, deny_delete: false });
			for (let base = 0; base < 6; base++) await log.append(recordOn(base), 2000);
			await api.call(`STREAM.MSG.DELETE.${name}`, name, { seq: 3, no_erase: true });
			expect(await log.at(3)).toEqual({ revision: 3, record: undefined });
			const all = await allOf(log.read(1, 6));
			expect(all.map(({ revision }) => revision)).toEqual([1, 2, 3, 4, 5, 6]);
			expect(all.map(({ record }) => record !== undefined)).toEqual([
				true,
				true,
				false,
				true,
				true,
				true,
			]);
		});

		it("loses what is left of an upload that ended, once a later snapshot is kept", async () => {
			const { api } = log;
			const contents = async () =>
				Object.keys((await api.info(api.names.snapshots, "$O.*.C.>")).state.subjects ?? {});
			await log.snapshots.trim(0);
			expect(await contents()).toEqual([]);
			const left = `$O.${api.names.bucket}.C.s0000000000000002x00ff`;
			await api.link.request({
				subject: left,
				payload: "a part",
				timeoutMs: 2000,
				what: "leaving it",
			});
			await log.snapshots.put(snapshotOf(1, [["e/a", "b"]]));
			await log.snapshots.trim(1);
			expect(await contents()).toContain(left);
			await log.snapshots.put(snapshotOf(9, [["e/a", "b"]]));
			await log.snapshots.put(snapshotOf(9, [["e/a", "c"]]));
			await log.snapshots.trim(1);
			expect(await contents()).not.toContain(left);
			expect(await contents()).toHaveLength(1);
			const opened = await log.snapshots.open("s-0000000000000009");
			expect(opened && (await allOf(opened.entries))).toEqual([["e/a", "c"]]);
		});

		it("gives no snapshot that is cut short", async () => {
			const { api } = log;
			await log.snapshots.put(snapshotOf(20, [["e/a", "b"]]));
			const { state } = await api.info(api.names.snapshots, "$O.*.C.>");
			const all = Object.keys(state.subjects ?? {});
			const filter = all.find((subject) => subject.includes(".s0000000000000020x")) ?? "";
			await api.purge(api.names.snapshots, { filter });
			const opened = log.snapshots.open("s-0000000000000020");
			const read = opened.then(async (one) => one && (await allOf(one.entries)).length);
			expect([undefined, "UnsoundSnapshot"]).toContain(
				await read.catch((error: Error) => error.name),
			);
		});
	});

/** The engine of tests has the bad days that tests ask of it. */
import { describe, expect, it } from "vitest";
import { MemoryEngine } from "../../../src/fleet/log/memory-engine.ts";
import { MemoryLog } from "../../../src/fleet/log/memory-log.ts";
import { recordOn, snapshotOf } from "./examples.ts";

describe("an engine in memory", () => {
	const filled = async (count: number, options = {}) => {
		const engine = new MemoryEngine(options);
		const log = new MemoryLog(engine);
		for (let base = engine.last; base < count; base++) await log.append(recordOn(base), 1);
		return { engine, log };
	};

	it("loses its end, and takes other records there", async () => {
		const { engine, log } = await filled(5);
		await log.snapshots.put(snapshotOf(2, []));
		await log.snapshots.put(snapshotOf(5, []));
		engine.loseEnd(2);
		expect(await log.tail()).toMatchObject({ first: 1, last: 3 });
		expect((await log.snapshots.list()).map(({ revision }) => revision)).toEqual([2]);
		expect(await log.append(recordOn(3), 1)).toEqual({ revision: 4 });
		engine.loseEnd(99);
		expect(await log.tail()).toMatchObject({ first: 1, last: 0, bytes: 0 });
	});

	it("accepts two records for one base where it is told to", async () => {
		const { log } = await filled(3, { acceptsStale: () => true });
		expect(await log.append(recordOn(1), 1)).toEqual({ revision: 4 });
	});

	it("alters what it keeps", async () => {
		const { engine, log } = await filled(2);
		engine.alter(1, () => undefined);
		expect(await log.at(1)).toEqual({ revision: 1, record: undefined });
		await log.snapshots.put(snapshotOf(2, [["e/a", "b"]]));
		engine.alterSnapshot("s-0000000000000002", (kept) => ({ ...kept, digest: "b" }));
		expect((await log.snapshots.open("s-0000000000000002"))?.digest).toBe("b");
	});

	it("loses everything, and begins again after the last revision", async () => {
		const { engine, log } = await filled(3);
		engine.vanish();
		await expect(log.tail()).rejects.toMatchObject({ kind: "missing" });
		await expect(log.append(recordOn(3), 1)).rejects.toMatchObject({ kind: "missing" });
		engine.begin("second", 4);
		expect(await log.tail()).toMatchObject({ first: 4, last: 3, incarnation: "second" });
		expect(await log.append(recordOn(3), 1)).toEqual({ revision: 4 });
		expect(await log.at(3)).toBe("trimmed");
	});
});

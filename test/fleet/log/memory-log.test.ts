/** The log of tests keeps every log's promises, and has the faults that tests ask of it. */
import { describe, expect, it } from "vitest";
import { type Connection, LogError } from "../../../src/fleet/log/log.ts";
import { type FaultPoint, MemoryEngine } from "../../../src/fleet/log/memory-engine.ts";
import { MemoryLog } from "../../../src/fleet/log/memory-log.ts";
import { recordOn, statusOf } from "./examples.ts";
import { describeLog } from "./suite.ts";

describeLog("a log in memory", async () => {
	let engine = new MemoryEngine();
	return {
		begin: async (maxBytes) => {
			engine = new MemoryEngine(maxBytes === undefined ? {} : { maxBytes });
		},
		open: async (role) =>
			new MemoryLog(engine, { maxRecordBytes: 8_388_608, isReadOnly: role === "edge" }),
		close: async () => {},
	};
});

describe("its faults", () => {
	it("fails a call at the point that is asked for", async () => {
		const reached: FaultPoint[] = [];
		const log = new MemoryLog(new MemoryEngine(), {
			fault: (point) => {
				reached.push(point);
				if (point === "at") throw new LogError("unreachable", "no way");
			},
		});
		await expect(log.at(1)).rejects.toThrow("no way");
		await log.tail();
		expect(reached).toEqual(["at", "tail"]);
	});

	it("loses the answer of an append that came through", async () => {
		const engine = new MemoryEngine();
		const log = new MemoryLog(engine, {
			fault: (point) => {
				if (point === "append answer") throw new LogError("unreachable", "lost");
			},
		});
		expect(await log.append(recordOn(0), 1)).toEqual({ unknown: "lost" });
		expect(engine.last).toBe(1);
	});

	it("drops, doubles and holds live records", async () => {
		const engine = new MemoryEngine();
		const fates = ["drop", "double", "hold", "hold", undefined] as const;
		const writer = new MemoryLog(engine);
		const log = new MemoryLog(engine, { live: ({ revision }) => fates[revision - 1] });
		const heard: number[] = [];
		log.live(({ revision }) => heard.push(revision));
		for (let base = 0; base < 5; base++) await writer.append(recordOn(base), 1);
		expect(heard).toEqual([2, 2, 5]);
		log.release((held) => held.toReversed());
		expect(heard).toEqual([2, 2, 5, 4, 3]);
		log.release();
		expect(heard.length).toBe(5);
	});

	it("cuts one member off, and tells it so", async () => {
		const engine = new MemoryEngine();
		const [log, other] = [new MemoryLog(engine), new MemoryLog(engine)];
		const told: Connection[] = [];
		const heard: number[] = [];
		log.connection((state) => told.push(state));
		log.live(({ revision }) => heard.push(revision));
		log.cut("the cable is out");
		expect(await log.append(recordOn(0), 1)).toEqual({ unknown: "the cable is out" });
		await expect(log.tail()).rejects.toMatchObject({ kind: "unreachable" });
		log.say(statusOf("m_cut"));
		expect(await other.append(recordOn(0), 1)).toEqual({ revision: 1 });
		expect(await other.seen()).toEqual([]);
		log.restore();
		expect(told.map(({ isUp }) => isUp)).toEqual([true, false, true]);
		expect(heard).toEqual([]);
		expect((await log.tail()).last).toBe(1);
	});
});

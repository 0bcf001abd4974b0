/** Waiting for one's own machine and for all of them: who counts, who is missing, and that no acknowledgement is missed. */
import { describe, expect, it } from "vitest";
import { Waits } from "../../src/fleet/wait.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import { FakeSeen, status } from "./fake-seen.ts";
import { ManualClock, settled } from "./manual-clock.ts";

function machine(...others: readonly Parameters<typeof status>[]) {
	const log = new FakeSeen(...others.map((each) => status(...each)));
	const clock = new ManualClock();
	const own = { status: status("own", { revision: 4, digest: "d4" }) };
	const waits = new Waits({ log, clock, own: () => own.status });
	const apply = (revision: number, digest = `d${revision}`) => {
		own.status = status("own", { revision, digest });
		waits.applied(revision, digest);
	};
	return { apply, clock, log, waits };
}

describe("this machine's own revision", () => {
	it("is waited for until it is in force, or the time is up", async () => {
		const { apply, clock, waits } = machine();
		expect(await waits.reached(4, 1000)).toBe(true);
		const five = waits.reached(5, 1000);
		const six = waits.reached(6, 1000);
		apply(5);
		expect(await five).toBe(true);
		await clock.turn(1000);
		expect(await six).toBe(false);
	});

	it("is waited for by a bounded number", async () => {
		const { apply, waits } = machine();
		const all = Array.from({ length: LIMITS.fleetWaiters }, () => waits.reached(5, 1000));
		expect(await waits.reached(5, 1000)).toBe(false);
		apply(5);
		expect(new Set(await Promise.all(all))).toEqual(new Set([true]));
	});
});

describe("the whole fleet's", () => {
	it("is there as soon as the last one says so", async () => {
		const { apply, log, waits } = machine(["ams"], ["zrh"]);
		const stop = waits.attend();
		apply(5);
		const spread = waits.spread(5, 1000);
		await settled();
		log.tell(status("ams", { revision: 5, digest: "d5" }));
		await settled();
		log.tell(status("zrh", { revision: 6, digest: "d6" }));
		expect(await spread).toEqual({ applied: 3, of: 3, missing: [] });
		stop();
		expect(log.ears).toBe(0);
	});

	it("misses no word that comes between the write and the question", async () => {
		const { apply, log, waits } = machine(["ams"]);
		const stop = waits.attend();
		expect(log.ears).toBe(1);
		log.tell(status("ams", { revision: 5, digest: "d5" }));
		apply(5);
		expect(await waits.spread(5, 1000)).toMatchObject({ applied: 2, of: 2 });
		stop();
	});

	it("is looked for again where a word got lost", async () => {
		const { apply, clock, log, waits } = machine(["ams"]);
		apply(5);
		const spread = waits.spread(5, 5000);
		await settled();
		const said = status("ams", { revision: 5, digest: "d5" });
		log.last.set(said.id, { status: said, ageMs: 0 });
		await clock.turn(250);
		expect(await spread).toMatchObject({ applied: 2, of: 2 });
	});

	it("names those that have not answered in time: behind, another digest, diverged", async () => {
		const { apply, clock, log, waits } = machine(
			["behind"],
			["other", { revision: 5, digest: "x" }],
			["away", { revision: 9, state: "diverged" }],
			["ams", { revision: 5, digest: "d5" }],
		);
		log.last.set("m_old", { status: status("old"), ageMs: 30_001 });
		apply(5);
		const spread = waits.spread(5, 5000);
		await clock.turn(5000);
		expect(await spread).toEqual({ applied: 2, of: 5, missing: ["away", "behind", "other"] });
		expect(log.ears).toBe(0);
	});

	it("takes a machine that comes meanwhile into account, and no older word for a newer one", async () => {
		const { apply, clock, log, waits } = machine(["ams"]);
		apply(5);
		const spread = waits.spread(5, 2000);
		await settled();
		log.tell(status("new", { revision: 3 }));
		log.tell(status("ams", { revision: 5, digest: "d5" }));
		log.tell(status("ams", { revision: 4 }));
		await clock.turn(2000);
		expect(await spread).toEqual({ applied: 2, of: 3, missing: ["new"] });
	});

	it("fails where nobody can say which machines there are", async () => {
		const { apply, clock, log, waits } = machine();
		apply(5);
		log.isDown = true;
		const spread = waits.spread(5, 1000);
		const failed = expect(spread).rejects.toThrow("connection refused by nats-1:4222");
		await clock.turn(1000);
		await failed;
		const again = waits.spread(5, 1000);
		await settled();
		log.isDown = false;
		await clock.turn(1000);
		expect(await again).toMatchObject({ applied: 1, of: 1 });
	});

	it("fails so where the engine stands still: it neither answers nor refuses", async () => {
		const { apply, clock, log, waits } = machine();
		apply(5);
		Object.assign(log, { seen: () => new Promise(() => {}) });
		const spread = waits.spread(5, 1000);
		const failed = expect(spread).rejects.toMatchObject({
			name: "LogError",
			message: expect.stringContaining("has not said in time which machines there are"),
		});
		await clock.turn(1000);
		await failed;
	});

	it("waits at most a minute", async () => {
		const { clock, waits } = machine(["ams"]);
		const spread = waits.spread(5, 3_600_000);
		await clock.turn(60_000);
		expect(await spread).toMatchObject({ applied: 0, of: 2 });
	});

	it("is waited for by a bounded number, and nothing is subscribed when nobody waits", () => {
		const { log, waits } = machine();
		const stops = Array.from({ length: LIMITS.fleetWaiters }, () => waits.attend());
		expect(log.ears).toBe(1);
		expect(() => waits.attend()).toThrow("nothing was changed");
		for (const stop of stops) stop();
		stops[0]?.();
		expect(log.ears).toBe(0);
		waits.attend()();
		expect(log.ears).toBe(0);
	});
});

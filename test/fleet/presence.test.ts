/** When a member speaks of itself, and what it makes of what others say. */
import { describe, expect, it } from "vitest";
import { countsOf, Presence, stateOf } from "../../src/fleet/presence.ts";
import { FakeSeen, status } from "./fake-seen.ts";
import { ManualClock, settled } from "./manual-clock.ts";

function member(log = new FakeSeen()) {
	const clock = new ManualClock();
	const warned: string[] = [];
	const own = { status: status("own") as ReturnType<typeof status> | undefined };
	const presence = new Presence({
		...{ log, clock, own: () => own.status },
		warn: (sentence) => warned.push(sentence),
	});
	return { clock, log, own, presence, warned };
}

describe("a member", () => {
	it("says how it is at the start, then every ten seconds, until it stops", async () => {
		const { clock, log, presence } = member();
		presence.start();
		expect(log.said).toHaveLength(1);
		await clock.turn(35_000);
		expect(log.said).toHaveLength(4);
		presence.stop();
		await clock.turn(60_000);
		expect(log.said).toHaveLength(4);
	});

	it("spreads its heartbeats over four seconds", async () => {
		for (const [chance, ms] of [
			[0, 8000],
			[0.999, 11_996],
		] as const) {
			const clock = new ManualClock(() => chance);
			const log = new FakeSeen();
			const presence = new Presence({ log, clock, own: () => status("own"), warn: () => {} });
			presence.start();
			await clock.turn(ms - 1);
			expect(log.said).toHaveLength(1);
			await clock.turn(1);
			expect(log.said).toHaveLength(2);
		}
	});

	it("says at once that it has a record that somebody waits for, of others once a second", async () => {
		const { clock, log, presence } = member();
		presence.start();
		for (let count = 0; count < 20; count++) presence.applied(false);
		expect(log.said).toHaveLength(1);
		presence.applied(true);
		expect(log.said).toHaveLength(2);
		presence.applied(false);
		await clock.turn(999);
		expect(log.said).toHaveLength(2);
		await clock.turn(1);
		expect(log.said).toHaveLength(3);
		await clock.turn(2000);
		presence.applied(false);
		expect(log.said).toHaveLength(4);
	});

	it("says a change of its state at once, and nothing before it has one", () => {
		const { log, own, presence } = member();
		own.status = undefined;
		presence.start();
		expect(log.said).toEqual([]);
		own.status = status("own", { state: "catching_up" });
		presence.changed();
		expect(log.said.map(({ state }) => state)).toEqual(["catching_up"]);
	});
});

describe("the others", () => {
	it("are listed by name, this machine as it is now", async () => {
		const log = new FakeSeen(status("zrh"), status("ams"), status("own", { revision: 1 }));
		const { own, presence } = member(log);
		own.status = status("own", { revision: 7 });
		const members = await presence.members();
		expect(members.map((each) => each.status.name)).toEqual(["ams", "own", "zrh"]);
		expect(members[1]?.status.revision).toBe(7);
	});

	it("are read once for questions of one second", async () => {
		const { clock, log, presence } = member();
		await Promise.all([presence.members(), presence.members()]);
		await presence.members();
		expect(log.reads).toBe(1);
		await clock.turn(1000);
		await presence.members();
		expect(log.reads).toBe(2);
		presence.applied(false);
		await presence.members();
		expect(log.reads).toBe(3);
	});

	it("who are silent count as cut off", () => {
		expect(stateOf({ status: status("a"), ageMs: 30_001 })).toBe("cut_off");
		expect(stateOf({ status: status("a", { state: "stuck" }), ageMs: 30_000 })).toBe("stuck");
		const members = [
			{ status: status("a"), ageMs: 40_000 },
			{ status: status("b"), ageMs: 1 },
		];
		expect(countsOf(members)).toMatchObject({ in_sync: 1, cut_off: 1, diverged: 0 });
	});

	it("are known to metrics as of the last look, and not at all while the engine is away", async () => {
		const { clock, log, presence } = member(new FakeSeen(status("ams")));
		expect(presence.others()).toBeUndefined();
		await settled();
		expect(presence.others()?.counts).toMatchObject({ in_sync: 2 });
		log.isDown = true;
		await clock.turn(10_000);
		presence.others();
		await settled();
		expect(presence.others()).toBeUndefined();
		await expect(presence.members()).rejects.toThrow("connection refused");
	});

	it("are looked at less often, the more there are", async () => {
		const many = Array.from({ length: 300 }, (_, index) => status(`n${index}`));
		const { clock, log, presence } = member(new FakeSeen(...many));
		presence.others();
		for (let second = 0; second < 89; second++) {
			await clock.turn(1000);
			presence.others();
		}
		expect(log.reads).toBe(1);
		await clock.turn(1000);
		presence.others();
		expect(log.reads).toBe(2);
	});

	it("with other limits are warned of, once", async () => {
		const log = new FakeSeen(status("ams", { limits: "other" }), status("zrh"));
		log.last.set("m_gone", { status: status("gone", { limits: "old" }), ageMs: 60_000 });
		const { clock, presence, warned } = member(log);
		await presence.members();
		await clock.turn(2000);
		await presence.members();
		expect(warned).toHaveLength(1);
		expect(warned[0]).toContain("differ from those of ams:");
		expect(presence.others()?.differing).toBe(1);
		log.tell(status("zrh", { limits: "other" }));
		await clock.turn(2000);
		await presence.members();
		expect(warned[1]).toContain("differ from those of ams, zrh:");
	});

	it("are not all read in the background where they are many, unless one of them is odd", async () => {
		const many = Array.from({ length: 300 }, (_, index) => status(`n${index}`));
		const { clock, log, presence, warned } = member(new FakeSeen(...many));
		presence.start();
		for (let beat = 0; beat < 60; beat++) await clock.turn(10_000);
		expect(log.shown).toBeGreaterThan(0);
		expect(log.shown).toBeLessThan(300);
		for (const each of many) log.tell({ ...each, limits: "other" });
		await clock.turn(75_000);
		await settled();
		expect(warned.join()).toContain("limits of this machine's configuration differ");
	});

	it("with this machine's name are warned of though nobody asks", async () => {
		const log = new FakeSeen(status("twin", { name: "own" }));
		const { clock, presence, warned } = member(log);
		presence.start();
		await clock.turn(15_000);
		await settled();
		expect(warned.join()).toContain('another machine of the fleet is called "');
	});
});

/** A write's way: what shares a record, what is tried again, what is refused, and what a lost answer comes to. */
import { describe, expect, it, vi } from "vitest";
import { FleetError } from "../../src/fleet/fleet-error.ts";
import { LogError } from "../../src/fleet/log/log.ts";
import { encode } from "../../src/store/layout.ts";
import { StoreError } from "../../src/store/store-error.ts";
import * as writes from "../../src/store/writes.ts";
import { edgeOf, policyOf } from "../store/documents.ts";
import { putting, Rig } from "./rig.ts";

const codeOf = (promise: Promise<unknown>) =>
	promise.then(
		() => "done",
		(error: unknown) => (error instanceof FleetError ? error.code : String(error)),
	);

async function inSync() {
	const rig = new Rig();
	const [one, other] = [rig.member("one"), rig.member("other")];
	await rig.look(one, other);
	return { rig, one, other };
}

describe("writes of one turn", () => {
	it("share a record, in which one that throws has no part", async () => {
		const { rig, one } = await inSync();
		const revisions: number[] = [];
		const onRevision = (revision: number) => void revisions.push(revision);
		const first = rig.write(one, putting("a"), { onRevision });
		const bad = rig.write(one, () => {
			throw new Error("no");
		});
		const last = rig.write(one, putting("b"), { onRevision, key: "key_1", isAwaited: true });
		await rig.until(Promise.allSettled([first, bad, last]));
		await expect(bad).rejects.toThrow("no");
		expect(revisions).toEqual([1, 1]);
		expect(rig.engine.last).toBe(1);
		const record = rig.engine.at(1)?.record;
		expect(record).toMatchObject({ base: 0, key: "key_1", isAwaited: true, by: "one" });
		expect(record?.operations.map(([, key]) => key)).toEqual(["e/a", "e/b"]);
		expect(one.published.flat()).toEqual([
			{ kind: "edge", edgeId: "a" },
			{ kind: "edge", edgeId: "b" },
		]);
	});

	it("are answered when they are in force, and an unchanged one has a record too", async () => {
		const { rig, one } = await inSync();
		await rig.put(one, "a");
		expect(one.protocol.inForce.mark?.revision).toBe(1);
		await rig.put(one, "a");
		expect(rig.engine.at(2)?.record?.operations).toEqual([]);
		expect(one.published).toHaveLength(1);
	});
});

describe("others' writes", () => {
	it("that come first are taken, and it is decided again", async () => {
		const { rig, one, other } = await inSync();
		const both = [
			rig.write(one, putting("a", "x.example")),
			rig.write(other, putting("b", "x.example")),
		];
		const [first, second] = await rig.until(Promise.all(both));
		expect(first).toMatchObject({ created: true });
		expect(second).toMatchObject({ refused: "hostport_conflict", edgeId: "a" });
	});

	it.each([
		["are taken as they are heard of", undefined, 0],
		["are read from the log where nothing is heard of them", "drop" as const, 1],
	])("%s", async (_, live, tails) => {
		const rig = new Rig();
		const one = rig.member("one");
		const other = rig.member("other", { faults: { live: () => live } });
		await rig.look(one, other);
		const tail = vi.spyOn(other.log, "tail");
		await rig.until(Promise.all([rig.write(one, putting("a")), rig.write(other, putting("b"))]));
		expect(rig.engine.last).toBe(2);
		expect(tail).toHaveBeenCalledTimes(tails);
	});

	it("are looked for before anything is refused", async () => {
		const { rig, one, other } = await inSync();
		other.protocol.follower.close();
		await rig.put(one, "a");
		expect(other.state.position?.applied).toBe(0);
		const deleted = rig.write(other, (on) => writes.deleteEdge(on, "a", {}));
		expect(await rig.until(deleted)).toMatchObject({ created: false, deleted: { routes: 0 } });
	});
});

describe("an answer that is lost", () => {
	it("is found in the log by the record's id", async () => {
		let isLost = true;
		const rig = new Rig();
		const faults = {
			fault: (point: string) => {
				if (point !== "append answer" || !isLost) return;
				isLost = false;
				throw unreachable();
			},
		};
		const one = rig.member("one", { faults });
		await rig.look(one);
		expect(await rig.put(one, "a")).toMatchObject({ created: true });
		expect(rig.engine.last).toBe(1);
	});

	it("is told as uncertain when the engine stays away", async () => {
		const rig = new Rig();
		let isAway = false;
		const faults = {
			fault: (point: string) => {
				if (point === "append answer") isAway = true;
				if (isAway) throw unreachable();
			},
		};
		const one = rig.member("one", { faults });
		await rig.look(one);
		const beganMs = rig.simulation.now();
		expect(await rig.until(codeOf(rig.write(one, putting("a"))))).toBe("ERR_FLEET_UNCERTAIN");
		expect(rig.simulation.now() - beganMs).toBeLessThan(6000);
		expect(rig.engine.last).toBe(1);
	});
});

describe("it refuses", () => {
	it("at once where it is cut off, and says since when and why", async () => {
		const { rig, one } = await inSync();
		one.log.cut("nats-1:4222 refuses the connection");
		const refused = rig.write(one, putting("a"));
		await expect(refused).rejects.toThrow(
			/cut off from the fleet since 1970-.*serving revision 0\. Nothing was changed\. nats-1:4222 refuses the connection\./,
		);
		expect(await codeOf(refused)).toBe("ERR_FLEET_UNAVAILABLE");
		one.log.restore();
		await rig.look(one);
		expect(await rig.put(one, "a")).toMatchObject({ created: true });
	});

	it("on a machine that only follows", async () => {
		const rig = new Rig();
		const edge = rig.member("edge", { role: "edge" });
		await rig.look(edge);
		expect(await codeOf(rig.write(edge, putting("a")))).toBe("ERR_FLEET_READ_ONLY");
	});

	it("what is too large alone, and takes the rest in several records", async () => {
		const rig = new Rig();
		const one = rig.member("one", { faults: { maxRecordBytes: 700 } });
		await rig.look(one);
		const large = Array.from({ length: 60 }, (_, index) => `host-${index}.example`);
		const all = [putting("a"), putting("b"), putting("c", ...large), putting("d")];
		const codes = await rig.until(Promise.all(all.map((each) => codeOf(rig.write(one, each)))));
		expect(codes).toEqual(["done", "done", "ERR_BODY_TOO_LARGE", "done"]);
		expect([...one.state.contents.entries.keys()].filter((key) => key.startsWith("e/"))).toEqual([
			"e/a",
			"e/b",
			"e/d",
		]);
	});

	it("what a member does not understand, by its name", async () => {
		const rig = new Rig();
		const [one, old] = [rig.member("one", { level: 2 }), rig.member("old")];
		await rig.look(one, old);
		await rig.put(one, "a");
		await rig.look(old);
		const newer = (on: Parameters<typeof writes.putEdge>[0]) =>
			writes.putEdge(on, "n", { ...edgeOf("n.example"), description: "newer" }, {});
		const [good, refused] = [rig.write(one, putting("b")), rig.write(one, newer)];
		await rig.until(Promise.allSettled([good, refused]));
		await expect(good).resolves.toMatchObject({ created: true });
		await expect(refused).rejects.toThrow(/needs level 2 .*: old \(weir 1\.0\.0\) doesn't/);
		rig.engine.statuses.delete("old");
		await rig.until(rig.write(one, newer));
		expect(rig.engine.at(rig.engine.last)?.record?.level).toBe(2);
		await rig.look(old);
		expect(old.protocol.standing).toMatchObject({ state: "stuck" });
		expect(old.state.position?.applied).toBe(rig.engine.last - 1);
		expect(await codeOf(rig.write(old, putting("c")))).toBe("ERR_FLEET_UNAVAILABLE");
	});

	it("no policy for its version, which is left out until everybody understands it", async () => {
		const rig = new Rig();
		const [one, old] = [rig.member("one", { level: 2 }), rig.member("old")];
		await rig.look(one, old);
		await rig.put(one, "a");
		await rig.look(old);
		const put = (route: string) => (on: Parameters<typeof writes.putEdge>[0]) => {
			on.put(`v/a/${route}/000000000001`, encode({ text: "newer" }).value);
			return writes.putPolicy(on, "a", route, policyOf(route), {});
		};
		const last = ({ engine }: Rig) => {
			const { level, operations = [] } = engine.at(engine.last)?.record ?? {};
			return { level, keys: operations.map(([, key]) => key) };
		};
		await rig.until(rig.write(one, put("r")));
		expect(last(rig)).toEqual({ level: 1, keys: ["p/a/r"] });
		await rig.look(old);
		expect(old.protocol.standing).toMatchObject({ state: "in_sync" });
		const newer = new Rig();
		const two = newer.member("two", { level: 2 });
		await newer.look(two);
		await newer.until(newer.write(two, put("s")));
		expect(last(newer)).toEqual({ level: 2, keys: ["p/a/s", "v/a/s/000000000001"] });
	});

	it("a level that somebody does not understand, and raises it where all do", async () => {
		const rig = new Rig();
		const [one, old] = [rig.member("one", { level: 2 }), rig.member("old")];
		await rig.look(one, old);
		await rig.put(one, "a");
		await rig.look(old);
		const raised = () =>
			rig.until(
				one.protocol.queue.write(() => undefined, { at: "2026-01-01T00:00:00Z", level: 2 }),
			);
		await expect(raised()).rejects.toThrow(/needs level 2 .*: old \(weir 1\.0\.0\) doesn't/);
		rig.engine.statuses.delete("old");
		await raised();
		expect(rig.engine.at(rig.engine.last)?.record).toMatchObject({ level: 2, operations: [] });
		expect(one.state.position?.level).toBe(2);
	});

	it("while it is held, and takes what was there before", async () => {
		const { rig, one } = await inSync();
		const before = rig.write(one, putting("a"));
		const held = one.protocol.queue.hold(new StoreError("held", { held: true }));
		await expect(rig.write(one, putting("b"))).rejects.toThrow("held");
		await rig.until(held);
		await expect(before).resolves.toMatchObject({ created: true });
		one.protocol.queue.release();
		expect(one.protocol.queue.isHeld).toBe(false);
		await rig.put(one, "b");
		await rig.until(one.protocol.close());
		expect(await codeOf(rig.write(one, putting("c")))).toBe("ERR_FLEET_UNAVAILABLE");
	});
});

describe("a full log", () => {
	it("is a full store", async () => {
		const { rig, one } = await inSync();
		rig.engine.append = () => "full";
		expect(await rig.until(codeOf(rig.write(one, putting("a"))))).toBe("ERR_STORE_FULL");
	});
});

const unreachable = () => new LogError("unreachable", "nats-1:4222 does not answer");

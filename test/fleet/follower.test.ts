/** Following, giving back, going over: what a member does when its log is not what it expects. */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { putting, Rig, type RigMember } from "./rig.ts";

async function three() {
	const rig = new Rig();
	const members = ["one", "two", "three"].map((name) => rig.member(name));
	await rig.look(...members);
	const [one, two, last] = members as [RigMember, RigMember, RigMember];
	return { rig, one, two, last };
}

/** A manager, and a machine that only follows. */
async function withEdge() {
	const rig = new Rig();
	const [one, edge] = [rig.member("one"), rig.member("edge", { role: "edge" })];
	await rig.look(one, edge);
	return { rig, one, edge };
}

const stand = ({ state, protocol }: RigMember) =>
	`${state.position?.applied} ${protocol.standing.state}`;

describe("a member", () => {
	it("takes live records, and fetches what they left out", async () => {
		const rig = new Rig();
		const dropped = new Set([1, 3]);
		const two = rig.member("two", {
			faults: { live: ({ revision }) => (dropped.has(revision) ? "drop" : undefined) },
		});
		const one = rig.member("one");
		await rig.look(one, two);
		for (const edge of ["a", "b", "c"]) await rig.put(one, edge);
		expect(two.state.position?.applied).toBe(2);
		await rig.put(one, "d");
		await rig.until(two.protocol.inForce.settled());
		expect(stand(two)).toBe("4 in_sync");
	});

	it("fetches at once, and together, what came too fast for its room", async () => {
		const rig = new Rig();
		const reads: string[] = [];
		const two = rig.member("two", {
			faults: { live: () => "hold", fault: (point) => void reads.push(point) },
		});
		const one = rig.member("one");
		await rig.look(one, two);
		const many = LIMITS.fleetLiveBuffer + 20;
		for (let count = 0; count < many; count++) await rig.put(one, `e${count}`);
		reads.length = 0;
		two.log.release();
		// Long before the next look at the log's end is due.
		await rig.until(rig.simulation.pause(10));
		expect(stand(two)).toBe(`${many} in_sync`);
		expect(reads.filter((point) => point === "read")).toHaveLength(20);
	});

	it("looks at the log's end by itself", async () => {
		const rig = new Rig();
		const two = rig.member("two", { faults: { live: () => "drop" } });
		const one = rig.member("one");
		await rig.look(one, two);
		await rig.put(one, "a");
		await rig.until(rig.simulation.pause(8000));
		expect(stand(two)).toBe("1 in_sync");
	});

	it("mostly glances at the last record, which costs the engine less than its end", async () => {
		const rig = new Rig();
		const asked: string[] = [];
		const two = rig.member("two", { faults: { fault: (point) => void asked.push(point) } });
		const one = rig.member("one");
		await rig.look(one, two);
		await rig.put(one, "a");
		await rig.until(two.protocol.inForce.settled());
		asked.length = 0;
		await rig.until(rig.simulation.pause(120_000));
		const count = (point: string) => asked.filter((each) => each === point).length;
		expect(stand(two)).toBe("1 in_sync");
		expect(count("newest")).toBeGreaterThan(3 * count("tail"));
		expect(count("tail")).toBeGreaterThan(1);
	});

	it.each(["lost", "altered", "written anew"] as const)(
		"finds at a glance that the log's end was %s",
		async (how) => {
			const { rig, one, two, last } = await three();
			await rig.put(one, "a");
			await rig.put(one, "b");
			await rig.look(two, last);
			if (how === "lost") rig.engine.loseEnd(1);
			if (how === "altered") rig.engine.alter(2, () => undefined);
			if (how === "written anew")
				rig.engine.alter(2, (record) => record && { ...record, id: "another" });
			const looks = rig.engine.last;
			await rig.until(rig.simulation.pause(10_000));
			expect([one, two, last].map(stand)).toEqual(Array(3).fill("2 in_sync"));
			if (how === "lost") expect([looks, rig.engine.last]).toEqual([1, 2]);
			const ids = [one, two, last].map(({ state }) => state.ring().get(2)?.id);
			const there = rig.engine.at(2)?.record?.id;
			if (there !== undefined) expect(ids).toEqual(Array(3).fill(there));
		},
	);

	it("goes on serving while it is cut off, and comes back by itself", async () => {
		const { rig, one, two } = await three();
		two.log.cut("nats-1:4222 refuses the connection");
		expect(two.protocol.standing).toMatchObject({ why: "nats-1:4222 refuses the connection" });
		await rig.put(one, "a");
		expect(stand(two)).toBe("0 cut_off");
		two.log.restore();
		await rig.until(rig.simulation.pause(10));
		expect(stand(two)).toBe("1 in_sync");
	});

	it("gives the log back what it lost, once", async () => {
		const { rig, one, two, last } = await three();
		for (const edge of ["a", "b", "c"]) await rig.put(one, edge);
		await rig.look(two, last);
		const ids = [1, 2, 3].map((revision) => rig.engine.at(revision)?.record?.id);
		rig.engine.loseEnd(2);
		await rig.look(last, two, one);
		expect([1, 2, 3].map((revision) => rig.engine.at(revision)?.record?.id)).toEqual(ids);
		expect([one, two, last].map(stand)).toEqual(Array(3).fill("3 in_sync"));
		expect([one, two, last].flatMap(({ kept }) => kept.reported)).toEqual([]);
	});

	it("that only follows waits for who may give back, and not for ever", async () => {
		const { rig, one, edge } = await withEdge();
		await rig.put(one, "a");
		await rig.look(edge);
		one.log.cut();
		rig.engine.loseEnd(1);
		await rig.look(edge);
		expect(stand(edge)).toBe("1 catching_up");
		await rig.until(rig.simulation.pause(40_000));
		expect(stand(edge)).toBe("0 in_sync");
		expect(edge.kept.reported).toMatchObject([{ revision: 1, why: "lost" }]);
	});

	it("says of what it has told of as lost that somebody gave it back", async () => {
		const { rig, one, edge } = await withEdge();
		await rig.put(one, "a");
		await rig.put(one, "b");
		await rig.look(edge);
		one.log.cut();
		rig.engine.loseEnd(2);
		await rig.until(rig.simulation.pause(45_000));
		expect(stand(edge)).toBe("0 in_sync");
		expect(edge.lost.summary()).toMatchObject({ records: 2 });
		one.log.restore();
		await rig.until(rig.simulation.pause(100));
		expect([one, edge].map(stand)).toEqual(["2 in_sync", "2 in_sync"]);
		expect(edge.lost.summary()).toEqual({ records: 0, unverified: 0, files: [] });
		expect([...edge.kept.missing]).toEqual([]);
	});

	it("also where it comes over a snapshot, and with others' changes after it", async () => {
		const { rig, one, edge } = await withEdge();
		await rig.put(one, "a");
		await rig.look(edge);
		one.log.cut();
		rig.engine.loseEnd(1);
		await rig.until(rig.simulation.pause(45_000));
		expect(edge.lost.summary()).toMatchObject({ records: 1 });
		edge.log.cut();
		one.log.restore();
		await rig.until(rig.simulation.pause(100));
		await rig.put(one, "b");
		expect(await rig.until(one.protocol.snapshots?.upload() ?? Promise.resolve(false))).toBe(true);
		await rig.put(one, "c");
		// Its own copy of the state is another's, so that it begins with the snapshot.
		edge.state.begin({ fleet: "prod", incarnation: "born.0", revision: 0, level: 1 });
		edge.log.restore();
		await rig.until(rig.simulation.pause(100));
		expect(stand(edge)).toBe("3 in_sync");
		expect(edge.lost.summary()).toMatchObject({ records: 0 });
	});

	it("goes over to the log's history, and tells what is lost by it", async () => {
		const { rig, one, two, last } = await three();
		last.log.cut();
		await rig.put(one, "a");
		await rig.look(two);
		one.log.cut();
		two.log.cut();
		rig.engine.loseEnd(1);
		last.log.restore();
		await rig.look(last);
		await rig.put(last, "b");
		one.log.restore();
		two.log.restore();
		await rig.look(one, two);
		expect([one, two].map(stand)).toEqual(["1 in_sync", "1 in_sync"]);
		expect(one.state.contents.entries.has("e/a")).toBe(false);
		expect(one.kept.reported).toMatchObject([{ revision: 1, why: "lost", record: { by: "one" } }]);
		expect(one.published.at(-1)).toEqual([
			{ kind: "edge", edgeId: "a" },
			{ kind: "edge", edgeId: "b" },
		]);
	});
});

describe("a machine that was in no fleet", () => {
	it("begins with the newest snapshot, and takes the rest", async () => {
		const { rig, one } = await three();
		await rig.put(one, "a");
		await rig.until(Promise.resolve(one.protocol.snapshots?.upload()));
		await rig.put(one, "b");
		rig.engine.purge(1);
		const young = rig.member("young", { isNew: true });
		await rig.look(young);
		expect(stand(young)).toBe("2 in_sync");
		expect(young.state.position?.digest).toBe(one.state.position?.digest);
	});

	it("with documents of its own is not overrun", async () => {
		const { rig, one } = await three();
		await rig.put(one, "a");
		const own = rig.member("own", { isNew: true });
		putting("mine")(own.state.contents);
		await rig.look(own);
		expect(own.state.position).toBeUndefined();
		expect(own.protocol.standing).toMatchObject({ state: "diverged" });
		expect(own.protocol.standing.why).toContain("weir fleet join --discard-local");
		const willing = rig.member("willing", { isNew: true, mayDiscard: true });
		putting("mine")(willing.state.contents);
		await rig.look(willing);
		expect(stand(willing)).toBe("1 in_sync");
		expect(willing.state.contents.entries.has("e/mine")).toBe(false);
	});
});

describe("a log that was begun again", () => {
	it("of the same fleet is gone over to", async () => {
		const { rig, one, two, last } = await three();
		await rig.put(one, "a");
		await rig.look(two);
		last.log.cut();
		rig.engine.begin("born.2", 2);
		const snapshot = { ...one.state.snapshot(), incarnation: "born.2" };
		rig.engine.snapshots.set("s-1", { ...snapshot, entries: one.state.contents.primary() });
		last.log.restore();
		await rig.look(one, two, last);
		expect([one, two, last].map(stand)).toEqual(Array(3).fill("1 in_sync"));
		expect(last.state.position?.incarnation).toBe("born.2");
		await rig.put(last, "b");
		await rig.look(one);
		expect(stand(one)).toBe("2 in_sync");
	});

	it("of another fleet is not", async () => {
		const { rig, one } = await three();
		await rig.put(one, "a");
		rig.engine.begin("stranger.1", 1);
		await rig.look(one);
		expect(one.protocol.standing).toMatchObject({ state: "cut_off" });
		expect(one.protocol.standing.why).toContain('another fleet of the same name "prod"');
		expect(one.state.contents.entries.has("e/a")).toBe(true);
	});

	it("that is gone says what to do", async () => {
		const { rig, one } = await three();
		rig.engine.vanish();
		await rig.look(one);
		expect(one.protocol.standing.why).toContain("weir fleet reseed");
	});
});

describe("a damaged record", () => {
	it("is no loss where members know it: they upload what they have", async () => {
		const { rig, one, two, last } = await three();
		last.log.cut();
		await rig.put(one, "a");
		await rig.put(one, "b");
		await rig.look(two);
		rig.engine.alter(1, () => undefined);
		last.log.restore();
		await rig.look(last);
		expect(stand(last)).toBe("1 diverged");
		const status = last.protocol.status();
		if (status !== undefined) last.log.say(status);
		expect(await rig.until(two.protocol.audit.run())).toBe("uploaded");
		await rig.look(last);
		expect(stand(last)).toBe("2 in_sync");
		expect([one, two, last].flatMap(({ kept }) => kept.reported)).toEqual([]);
	});
});

describe("an audit", () => {
	it("looks at a few, and at all where they differ", async () => {
		const rig = new Rig();
		const looks: string[] = [];
		const one = rig.member("one", { faults: { fault: (point) => void looks.push(point) } });
		await rig.look(one);
		await rig.put(one, "a");
		await rig.look(one);
		const own = one.protocol.status();
		if (own === undefined) throw new Error("no state");
		const others = Array.from({ length: 40 }, (_, index) => ({ ...own, id: `m_other${index}` }));
		for (const other of others) rig.engine.say(other);
		const seen = () => looks.filter((point) => point === "seen").length;
		looks.length = 0;
		expect(await rig.until(one.protocol.audit.run())).toBe("same");
		expect(seen()).toBe(1);
		const [, damaged] = others;
		if (damaged !== undefined) rig.engine.say({ ...damaged, digest: "f".repeat(32) });
		const results: string[] = [];
		for (let turn = 0; turn < 6; turn++) results.push(await rig.until(one.protocol.audit.run()));
		expect(results).toContain("uploaded");
		expect(seen()).toBeLessThan(1 + 6 * 2);
	});
});

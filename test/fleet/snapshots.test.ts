import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { Rig, type RigMember } from "./rig.ts";

const revisionsIn = (rig: Rig) =>
	[...rig.engine.snapshots.values()].map(({ revision }) => revision).sort((a, b) => a - b);

async function one() {
	const rig = new Rig();
	const member = rig.member("one");
	await rig.look(member);
	return { rig, member };
}

const upload = (rig: Rig, { protocol }: RigMember) =>
	rig.until(Promise.resolve(protocol.snapshots?.upload()));

/** From now on its log says that it is nearly full. */
function fillUp({ log }: RigMember): void {
	const tail = log.tail.bind(log);
	log.tail = async () => ({ ...(await tail()), bytes: 6, maxBytes: 10 });
}

describe("a snapshot", () => {
	it("is due after so many records, or bytes of them", async () => {
		const { rig, member } = await one();
		await upload(rig, member);
		const tail = {
			first: 1,
			last: 0,
			incarnation: "",
			bytes: 0,
			maxBytes: LIMITS.fleetLogBytes,
		};
		const isDue = (more: object) => member.protocol.snapshots?.isDue({ ...tail, ...more });
		expect(isDue({ last: LIMITS.fleetSnapshotRecords - 1 })).toBe(false);
		expect(isDue({ last: LIMITS.fleetSnapshotRecords })).toBe(true);
		expect(isDue({ last: 9, bytes: LIMITS.fleetSnapshotBytes })).toBe(true);
		expect(isDue({ last: 0, bytes: LIMITS.fleetSnapshotBytes })).toBe(false);
		expect(isDue({ last: 9, bytes: 300, maxBytes: 1000 })).toBe(true);
	});

	it("is uploaded by one of them, and the three newest stay", async () => {
		const { rig, member } = await one();
		for (const edge of ["a", "b", "c"]) {
			await rig.put(member, edge);
			expect(await upload(rig, member)).toBe(true);
		}
		expect(revisionsIn(rig)).toEqual([1, 2, 3]);
		// what is young, or one of the last many, stays in the log
		expect(rig.engine.first).toBe(1);
		const other = rig.member("other");
		await rig.look(other);
		const before = rig.engine.snapshots.get("s-0000000000000003");
		expect(await upload(rig, other)).toBe(true);
		expect(rig.engine.snapshots.get("s-0000000000000003")).toBe(before);
	});

	it("lets a log that fills up be trimmed to the second newest", async () => {
		const { rig, member } = await one();
		fillUp(member);
		for (const edge of ["a", "b", "c"]) {
			await rig.put(member, edge);
			await upload(rig, member);
		}
		expect(rig.engine.first).toBe(3);
	});

	it("of a history that the log has lost counts for nothing", async () => {
		const { rig, member } = await one();
		await rig.put(member, "a");
		await upload(rig, member);
		const [lost] = [...rig.engine.snapshots].slice(-1);
		if (lost === undefined) throw new Error("there is none");
		rig.engine.snapshots.set("s-0000000000000009", { ...lost[1], revision: 9, id: "lost" });
		fillUp(member);
		for (const edge of ["b", "c"]) {
			await rig.put(member, edge);
			await upload(rig, member);
		}
		expect(revisionsIn(rig)).toEqual([1, 2, 3, 9]);
		expect(rig.engine.first).toBe(3);
	});

	it("is not uploaded by one who does not stand at the log's end, or has another history", async () => {
		const { rig, member } = await one();
		const away = rig.member("away", { faults: { live: () => "drop" } });
		await rig.look(away);
		await rig.put(member, "a");
		expect(await upload(rig, away)).toBe(false);
		await rig.put(member, "b");
		rig.engine.alter(1, (record) => record && { ...record, id: "another" });
		expect(await upload(rig, member)).toBe(false);
	});
});

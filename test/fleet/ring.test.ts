/** The ring keeps so many records and bytes, the newest; and forgets nothing of a transaction that failed. */
import { expect, it } from "vitest";
import type { FleetRecord } from "../../src/fleet/record.ts";
import { type Kept, Ring, ringRecord } from "../../src/fleet/ring.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import { openDatabase } from "./databases.ts";

const keptOf = (revision: number, value = ""): Kept => {
	const record: FleetRecord = {
		id: `id${revision}`,
		base: revision - 1,
		before: "0".repeat(32),
		after: "0".repeat(32),
		level: 1,
		by: "m_1",
		isAwaited: false,
		at: "2026",
		operations: [["put", "x/a", value]],
	};
	return { revision, id: record.id, isVoid: false, record };
};
const upTo = (count: number, first = 1): Kept[] =>
	Array.from({ length: count }, (_, index) => keptOf(first + index));

it("keeps the newest records", () => {
	const [database, ring] = [openDatabase(), new Ring()];
	database.commit((writes) => ring.add(writes, upTo(700)))();
	database.commit((writes) => ring.add(writes, upTo(700, 701)))();
	const revisions = [...ring.entries.keys()];
	expect([revisions[0], revisions.at(-1)]).toEqual([1401 - LIMITS.fleetRingRecords, 1400]);
	expect(ringRecord(database, 400)).toBeUndefined();
	expect(ringRecord(database, 401)).toEqual(keptOf(401).record);
	const again = new Ring();
	again.load(database);
	expect([...again.entries]).toEqual([...ring.entries]);
});

it("keeps so many bytes, and the last record whatever it has", () => {
	const [database, ring] = [openDatabase(), new Ring()];
	const third = "x".repeat(LIMITS.fleetRingBytes / 3);
	for (const revision of [1, 2, 3, 4])
		database.commit((writes) => ring.add(writes, [keptOf(revision, third)]))();
	expect([...ring.entries.keys()]).toEqual([3, 4]);
	const all = "x".repeat(LIMITS.fleetRingBytes);
	database.commit((writes) => ring.add(writes, [keptOf(5, all)]))();
	expect([...ring.entries.keys()]).toEqual([5]);
	expect(Array.from(database.keys({ start: "f/", end: "f0" }))).toHaveLength(1);
});

it("is what it was if the transaction fails", () => {
	const [database, ring] = [openDatabase(), new Ring()];
	database.commit((writes) => ring.add(writes, upTo(3)))();
	expect(() =>
		database.commit((writes) => {
			ring.add(writes, upTo(3, 4));
			throw new Error("no room");
		}),
	).toThrow("no room");
	expect([...ring.entries.keys()]).toEqual([1, 2, 3]);
});

it("knows some by their id alone", () => {
	const [database, ring] = [openDatabase(), new Ring()];
	const unsound = { revision: 2, id: "", isVoid: true, record: undefined };
	const taken = [{ ...keptOf(1), record: undefined }, unsound];
	database.commit((writes) => ring.add(writes, taken))();
	const again = new Ring();
	again.load(database);
	expect([...again.entries]).toMatchObject([
		[1, { id: "id1", isVoid: false }],
		[2, { id: "", isVoid: true }],
	]);
	expect([1, 2, 3].map((revision) => ringRecord(database, revision))).toEqual([
		undefined,
		undefined,
		undefined,
	]);
});

/** What was reported as lost, and what of it came back. */
import { expect, it } from "vitest";
import type { FoundRecord, LostRecord } from "../../src/fleet/lost.ts";
import { type LostKept, LostRecords } from "../../src/fleet/lost-records.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import { KeptLost } from "./kept-lost.ts";

const record = {
	...{ base: 1, before: "", after: "", level: 1, by: "m_1", isAwaited: false },
	...{ at: "2026-01-01T00:00:00Z", operations: [] },
};
const lostAt = (...revisions: number[]): LostRecord[] =>
	revisions.map((revision) => ({
		revision,
		why: "lost",
		record: { ...record, id: `i${revision}` },
	}));
const takenAt = (revision: number, id: string, isVoid = false) => ({
	...{ revision, isVoid },
	record: { ...record, id },
});

function recordsOver(kept: LostKept) {
	const told: string[] = [];
	const lost = new LostRecords({
		kept,
		reported: (path, all) => told.push(`${all.length} reported in ${path}`),
		found: (path, all, left) =>
			told.push(`${all.map(({ id, revision }) => `${id}@${revision}`)} of ${path}, ${left} left`),
		failed: (error) => told.push(String(error)),
	});
	return { lost, told };
}

it("closes the report of a record that counts again, also after a restart", () => {
	const kept = new KeptLost();
	const { lost, told } = recordsOver(kept);
	lost.report([]);
	expect([lost.oldest, lost.summary()]).toEqual([
		undefined,
		{ records: 0, unverified: 0, files: [] },
	]);
	lost.report(lostAt(5, 6, 7));
	const [path = ""] = lost.summary().files;
	expect(lost.summary()).toEqual({ records: 3, unverified: 0, files: [path] });
	expect(lost.oldest).toBe(5);
	lost.taken([takenAt(8, "i6"), takenAt(9, "other"), takenAt(10, "i7", true)]);
	const later = recordsOver(kept);
	later.lost.count([
		{ id: "i5", revision: 11 },
		{ id: "i5", revision: 11 },
		{ id: "i6", revision: 8 },
	]);
	expect(later.lost.summary()).toEqual({ records: 1, unverified: 0, files: [path] });
	expect([told, later.told]).toEqual([
		[`3 reported in ${path}`, `i6@8 of ${path}, 2 left`],
		[`i5@11 of ${path}, 1 left`],
	]);
	expect([...kept.missing.keys()]).toEqual(["i7"]);
});

it("one that is lost again is missing again", () => {
	const kept = new KeptLost();
	const { lost } = recordsOver(kept);
	lost.report(lostAt(5));
	lost.taken([takenAt(5, "i5")]);
	lost.report(lostAt(5));
	expect(lost.summary().records).toBe(1);
	expect([...kept.missing.keys()]).toEqual(["i5"]);
});

it("what nobody can tell is counted on its own", () => {
	const kept = new KeptLost();
	const { lost } = recordsOver(kept);
	const [old] = lostAt(2);
	lost.report([
		...lostAt(5),
		...(old === undefined ? [] : [{ ...old, why: "unverified" as const }]),
	]);
	expect(recordsOver(kept).lost.summary()).toMatchObject({ records: 1, unverified: 1 });
});

it("a file that somebody has dealt with and deleted counts no more", () => {
	const kept = new KeptLost();
	const { lost } = recordsOver(kept);
	lost.report(lostAt(5, 6));
	lost.report(lostAt(9));
	const [second = "", first = ""] = lost.summary().files;
	kept.files.delete(first);
	expect(lost.summary()).toEqual({ records: 1, unverified: 0, files: [second] });
	expect(lost.oldest).toBe(9);
});

it("what can't be written down stays missing, and is told of", () => {
	class Full extends KeptLost {
		override found(_path: string, _records: readonly FoundRecord[]): void {
			throw new Error("no space left on device");
		}
	}
	const { lost, told } = recordsOver(new Full());
	lost.report(lostAt(5));
	lost.taken([takenAt(6, "i5")]);
	expect(told.at(-1)).toBe("Error: no space left on device");
	expect(lost.summary().records).toBe(1);
});

it("does not look for more than its bound, and then for the newest", () => {
	const kept = new KeptLost();
	const { lost } = recordsOver(kept);
	const revisions = Array.from({ length: LIMITS.fleetLostTracked + 5 }, (_, index) => index + 1);
	lost.report(lostAt(...revisions));
	expect(lost.summary().records).toBe(LIMITS.fleetLostTracked);
	expect(lost.oldest).toBe(6);
	expect(recordsOver(kept).lost.summary().records).toBe(LIMITS.fleetLostTracked);
});

/** The part of the suite of logs about records (`suite.ts`). */
import { randomBytes } from "node:crypto";
import { expect, it, vi } from "vitest";
import type { FleetRecord, NumberedRecord } from "../../../src/fleet/record.ts";
import { allOf, recordOn, storedEdge } from "./examples.ts";
import { APPEND_MS, areHeard, type Given, SOON } from "./given.ts";

export function recordPromises(given: Given): void {
	it("is empty at first", async () => {
		expect(await given.log.tail()).toMatchObject({ first: 1, last: 0 });
		expect(await given.log.at(1)).toBe("not_yet");
		expect(await allOf(given.log.read(1, 10))).toEqual([]);
		expect(await given.log.seen()).toEqual([]);
		expect(await given.log.snapshots.list()).toEqual([]);
	});

	it("gives a record back as it was appended, to every member", async () => {
		const records = [
			recordOn(0, { isAwaited: true }),
			recordOn(1, { key: undefined, operations: [["delete", "r/site/old"]] }),
			recordOn(2, { operations: [["delete-range", "r/site/"]], before: "b".repeat(32) }),
			recordOn(3, { operations: [] }),
			recordOn(4, {
				operations: [["put", "e/other", storedEdge({ note: `é😀"\\\n${"x".repeat(100_000)}` })]],
			}),
		];
		for (const record of records) await given.log.append(record, APPEND_MS);
		const numbered = records.map((record, index) => ({ revision: index + 1, record }));
		expect(await allOf(given.other.read(1, 5))).toEqual(numbered);
		expect(await given.other.at(5)).toEqual(numbered[4]);
		expect(await given.other.tail()).toMatchObject({ first: 1, last: 5 });
	});

	it("tells its last record", async () => {
		expect(await given.other.newest()).toBeUndefined();
		const records = await given.fill(3);
		await vi.waitFor(
			async () => expect(await given.other.newest()).toEqual({ revision: 3, record: records[2] }),
			SOON,
		);
		await given.log.purge(2);
		expect(await given.log.newest()).toMatchObject({ revision: 3 });
	});

	it("takes a record on its last revision alone", async () => {
		await given.fill(2);
		expect(await given.other.append(recordOn(1), APPEND_MS)).toEqual({ conflict: 2 });
		expect(await given.other.append(recordOn(3), APPEND_MS)).toEqual({ conflict: 2 });
		expect(await given.other.append(recordOn(2), APPEND_MS)).toEqual({ revision: 3 });
	});

	it("lets one of many win each revision", async () => {
		const writers = [given.log, given.other, await given.open(), await given.open()];
		const won: string[] = [];
		await Promise.all(
			writers.map(async (writer) => {
				for (let base = 0; won.length < 40; ) {
					const record = recordOn(base);
					const appended = await writer.append(record, APPEND_MS);
					if ("revision" in appended) won[appended.revision] = record.id;
					if ("revision" in appended) base = appended.revision;
					else if ("conflict" in appended) base = appended.conflict;
					else throw new Error(JSON.stringify(appended));
				}
			}),
		);
		const { last } = await given.log.tail();
		const stored = await allOf(given.log.read(1, last));
		expect(stored.map(({ record }) => record?.id)).toEqual(won.slice(1));
		expect(stored.map(({ record }) => record?.base)).toEqual([...stored.keys()]);
	});

	it("reads a bounded part in order, and ends where the log ends", async () => {
		const records = await given.fill(30);
		expect((await allOf(given.other.read(4, 6))).map(({ record }) => record)).toEqual(
			records.slice(3, 6),
		);
		expect((await allOf(given.other.read(28, 99))).map(({ revision }) => revision)).toEqual([
			28, 29, 30,
		]);
		expect(await allOf(given.other.read(31, 40))).toEqual([]);
		expect(await allOf(given.other.read(6, 5))).toEqual([]);
	});

	it("reads more than one answer of the engine holds", async () => {
		const large = "x".repeat(20_000);
		for (let base = 0; base < 700; base++) {
			const operations: FleetRecord["operations"] =
				base % 20 === 0
					? [["put", "e/site", storedEdge({ large: randomBytes(150_000).toString("base64") })]]
					: [["put", "e/site", storedEdge({ large })]];
			await given.log.append(recordOn(base, { operations }), APPEND_MS);
		}
		const revisions = (await allOf(given.other.read(1, 700))).map(({ revision }) => revision);
		expect(revisions).toEqual(Array.from({ length: 700 }, (_, index) => index + 1));
	});

	it("has a reader that may stop", async () => {
		await given.fill(5);
		for await (const { revision } of given.other.read(1, 5)) if (revision === 2) break;
		expect((await allOf(given.other.read(1, 5))).length).toBe(5);
	});

	it("trims", async () => {
		await given.fill(6);
		await given.log.purge(4);
		expect(await given.other.tail()).toMatchObject({ first: 5, last: 6 });
		expect(await given.other.at(4)).toBe("trimmed");
		expect(await given.other.at(5)).toMatchObject({ revision: 5 });
		expect(await given.other.at(7)).toBe("not_yet");
		expect(await allOf(given.other.read(3, 6))).toEqual([]);
		expect((await allOf(given.other.read(5, 6))).map(({ revision }) => revision)).toEqual([5, 6]);
		await given.log.purge(6);
		expect(await given.other.tail()).toMatchObject({ first: 7, last: 6 });
		expect(await given.other.append(recordOn(6), APPEND_MS)).toEqual({ revision: 7 });
	});

	it("tells members of each record as it comes, in order, its writer too", async () => {
		const heard: NumberedRecord[] = [];
		const own: NumberedRecord[] = [];
		given.other.live((record) => heard.push(record));
		given.log.live((record) => own.push(record));
		await areHeard(given.log, given.other);
		const records = await given.fill(20);
		const numbered = records.map((record, index) => ({ revision: index + 1, record }));
		await vi.waitFor(() => expect(heard).toEqual(numbered), SOON);
		await vi.waitFor(() => expect(own).toEqual(numbered), SOON);
	});

	it("tells no more to one that has stopped", async () => {
		const stopped: NumberedRecord[] = [];
		const heard: NumberedRecord[] = [];
		const stop = given.other.live((record) => stopped.push(record));
		given.other.live((record) => heard.push(record));
		await areHeard(given.other);
		await given.log.append(recordOn(0), APPEND_MS);
		await vi.waitFor(() => expect(heard.length).toBe(1), SOON);
		stop();
		await given.log.append(recordOn(1), APPEND_MS);
		await vi.waitFor(() => expect(heard.length).toBe(2), SOON);
		expect(stopped.length).toBe(1);
	});

	it("refuses a record that is too large, and goes on", async () => {
		const operations: FleetRecord["operations"] = [
			["put", "e/site", storedEdge({ large: randomBytes(9_000_000).toString("base64") })],
		];
		expect(await given.log.append(recordOn(0, { operations }), APPEND_MS)).toMatchObject({
			refused: "too_large",
		});
		expect(await given.log.append(recordOn(0), APPEND_MS)).toEqual({ revision: 1 });
	});

	it("refuses a record when it is full, until it is trimmed", async () => {
		await given.begin(1_000_000);
		const operations: FleetRecord["operations"] = [
			["put", "e/site", storedEdge({ large: randomBytes(150_000).toString("base64") })],
		];
		let base = 0;
		const more = () => given.log.append(recordOn(base, { operations }), APPEND_MS);
		let appended = await more();
		for (; "revision" in appended; appended = await more()) base = appended.revision;
		expect(appended).toMatchObject({ refused: "full" });
		expect(base).toBeGreaterThan(2);
		const { bytes, maxBytes } = await given.log.tail();
		expect(maxBytes).toBe(1_000_000);
		expect(bytes).toBeGreaterThan(500_000);
		expect(bytes).toBeLessThanOrEqual(maxBytes);
		await given.log.purge(base - 1);
		expect(await more()).toEqual({ revision: base + 1 });
	});
}

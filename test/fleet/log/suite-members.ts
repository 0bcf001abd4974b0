/** The part of the suite of logs about members, their rights and snapshots (`suite.ts`). */
import { randomBytes } from "node:crypto";
import { expect, it, vi } from "vitest";
import type { MemberStatus } from "../../../src/fleet/log/log.ts";
import type { NumberedRecord } from "../../../src/fleet/record.ts";
import { allOf, recordOn, snapshotOf, statusOf } from "./examples.ts";
import { APPEND_MS, areHeard, type Given, SOON } from "./given.ts";

export function memberPromises(given: Given): void {
	it("keeps the last word of each member, and its age", async () => {
		given.log.say(statusOf("m_one"));
		given.log.say(statusOf("m_one", { revision: 13, state: "catching_up" }));
		given.other.say(statusOf("m_two", { role: "edge", labels: {} }));
		await vi.waitFor(async () => {
			const seen = [...(await given.log.seen())].sort((one, another) =>
				one.status.id < another.status.id ? -1 : 1,
			);
			expect(seen.map(({ status }) => status)).toEqual([
				statusOf("m_one", { revision: 13, state: "catching_up" }),
				statusOf("m_two", { role: "edge", labels: {} }),
			]);
			for (const { ageMs } of seen) expect(ageMs).toBeGreaterThanOrEqual(0);
			for (const { ageMs } of seen) expect(ageMs).toBeLessThan(60_000);
		}, SOON);
		await given.log.forget("m_one");
		expect((await given.other.seen()).map(({ status }) => status.id)).toEqual(["m_two"]);
		await given.log.forget("m_never");
	});

	it("gives a few of many members, each time others", async () => {
		for (let index = 0; index < 30; index++) given.log.say(statusOf(`m_${index}`));
		await vi.waitFor(async () => expect(await given.other.seen()).toHaveLength(30), SOON);
		const met = new Set<string>();
		await vi.waitFor(async () => {
			const some = await given.other.seen(4);
			expect(some).toHaveLength(4);
			for (const { status } of some) met.add(status.id);
			expect(met.size).toBe(30);
		}, SOON);
		expect(await given.other.seen(31)).toHaveLength(30);
	});

	it("passes on what members say", async () => {
		const heard: MemberStatus[] = [];
		given.other.hear((status) => heard.push(status));
		await vi.waitFor(() => {
			given.log.say(statusOf("m_one"));
			expect(heard[0]).toEqual(statusOf("m_one"));
		}, SOON);
	});

	it("keeps snapshots, newest first", async () => {
		const entries = (revision: number) =>
			Array.from(
				{ length: 200 },
				(_, index) => [`p/site/${index}`, randomBytes(8000).toString("hex") + revision] as const,
			);
		for (const revision of [3, 20, 100, 7]) {
			const pairs = entries(revision);
			const snapshot = snapshotOf(revision, pairs);
			await given.log.snapshots.put(snapshot);
			const name = (await given.other.snapshots.list()).find(
				(one) => one.revision === revision,
			)?.name;
			const opened = await given.other.snapshots.open(name ?? "");
			expect({ ...opened, entries: undefined }).toEqual({ ...snapshot, entries: undefined });
			expect(opened && (await allOf(opened.entries))).toEqual(pairs);
		}
		const revisions = async () =>
			(await given.other.snapshots.list()).map(({ revision }) => revision);
		expect(await revisions()).toEqual([100, 20, 7, 3]);
		await given.log.snapshots.trim(2);
		expect(await revisions()).toEqual([100, 20]);
		expect(await given.other.snapshots.open("s-0000000000000003")).toBeUndefined();
	});

	it("takes the snapshot of an empty state, and one of a revision that has one", async () => {
		await given.log.snapshots.put(snapshotOf(0, []));
		await given.other.snapshots.put(snapshotOf(0, [["k/a", "b"]]));
		const [only, ...rest] = await given.log.snapshots.list();
		expect(rest).toEqual([]);
		const opened = await given.log.snapshots.open(only?.name ?? "");
		expect(opened && (await allOf(opened.entries))).toEqual([["k/a", "b"]]);
	});

	it("lets an edge follow and not write", async () => {
		const edge = await given.open("edge");
		const heard: NumberedRecord[] = [];
		edge.live((record) => heard.push(record));
		await areHeard(edge);
		await given.fill(3);
		await given.log.snapshots.put(snapshotOf(2, [["e/a", "b"]]));
		expect(await edge.append(recordOn(3), APPEND_MS)).toMatchObject({
			refused: "not_permitted",
		});
		expect((await edge.tail()).last).toBe(3);
		expect((await allOf(edge.read(1, 3))).length).toBe(3);
		expect(await edge.at(2)).toMatchObject({ revision: 2 });
		await vi.waitFor(() => expect(heard.length).toBe(3), SOON);
		const [kept] = await edge.snapshots.list();
		const snapshot = await edge.snapshots.open(kept?.name ?? "");
		expect(snapshot && (await allOf(snapshot.entries))).toEqual([["e/a", "b"]]);
		edge.say(statusOf("m_edge", { role: "edge" }));
		await vi.waitFor(async () => expect((await given.log.seen()).length).toBe(1), SOON);
		expect((await edge.seen()).length).toBe(1);
		await expect(edge.purge(1)).rejects.toMatchObject({ kind: "not_permitted" });
		await expect(edge.snapshots.put(snapshotOf(3, []))).rejects.toMatchObject({
			kind: "not_permitted",
		});
		expect((await given.log.tail()).first).toBe(1);
	});

	it("tells how the connection is at once", async () => {
		const told: boolean[] = [];
		given.log.connection(({ isUp }) => told.push(isUp))();
		expect(told).toEqual([true]);
	});

	it("answers nothing once it is closed", async () => {
		await given.log.close();
		await expect(given.log.tail()).rejects.toMatchObject({ kind: "unreachable" });
		expect(await given.log.append(recordOn(0), 500)).toHaveProperty("unknown");
		expect((await given.other.tail()).last).toBe(0);
	});
}

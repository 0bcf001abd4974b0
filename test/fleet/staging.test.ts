/**
 * A state that is put together beside the real one, from a snapshot and what the log holds after it, and then made the real
 * one, is the fold of the log; whatever was there before.
 */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeSnapshot, encodeSnapshot } from "../../src/fleet/snapshot-codec.ts";
import { removeStaged } from "../../src/fleet/staging.ts";
import type { Staged, Taken } from "../../src/fleet/state.ts";
import { StoreState } from "../../src/fleet/store-state.ts";
import { addKey } from "../../src/store/key-writes.ts";
import * as writes from "../../src/store/writes.ts";
import { edgeOf, policyOf, routeOf } from "../store/documents.ts";
import { temporaryFolder } from "../store/folder.ts";
import { anyOperation, contentOf, empty, keyOf, openDatabase, type Write } from "./databases.ts";
import { begun, FLEET, recordOf, write } from "./records.ts";

const travelled = (state: StoreState) => decodeSnapshot(encodeSnapshot(state.snapshot()));

/** A snapshot has the id of its record alone. */
const idsOf = (state: StoreState) =>
	Array.from(state.ring(), ([revision, { id, isVoid }]) => ({ revision, id, isVoid }));

const NONE: ReadonlySet<number> = new Set();

const some: readonly Write[] = [
	(each) => writes.putEdge(each, "a", edgeOf("a.example", "b.example"), {}),
	(each) => writes.putRoute(each, "a", "1", routeOf("/"), {}),
	(each) => writes.putPolicy(each, "a", "1", policyOf("x"), {}),
	(each) => addKey(each, keyOf("key_1")),
];

async function sound(staged: Promise<Staged | undefined>): Promise<Staged> {
	const found = await staged;
	if (found === undefined) throw new Error("it is not sound");
	return found;
}

it("is the fold of the log", async () => {
	const [first, second] = [openDatabase(), openDatabase()];
	const batch = fc.array(anyOperation, { maxLength: 6 });
	await fc.assert(
		fc.asyncProperty(batch, batch, batch, batch, async (others, before, then, last) => {
			for (const database of [first, second]) empty(database);
			const [one, other] = [begun(first), begun(second)];
			write(other, ...others);
			write(one, ...before);
			const snapshot = await travelled(one);
			const records: Taken[] = [write(one, ...then).record];
			// decided on another state, so void
			const late = { ...recordOf(other, other.decide(last)), revision: 3 };
			const fits = late.record?.before === one.position?.digest;
			one.take([{ ...late, isVoid: !fits }]);
			records.push(late, write(one, ...last).record);
			const staged = await sound(other.stage(snapshot, FLEET));
			staged.take(records);
			expect(staged.position).toEqual(one.position);
			expect(staged.valid.has(late.record?.id ?? "")).toBe(fits);
			await other.become(staged, NONE);
			staged.close();
			expect(contentOf(second)).toEqual(contentOf(first));
			expect([other.position, other.wholeDigest()]).toEqual([one.position, one.wholeDigest()]);
			expect(idsOf(other)).toEqual(idsOf(one));
			expect(other.ringRecord(2)).toEqual(one.ringRecord(2));
			expect(other.ringRecord(1)).toBeUndefined();
		}),
		{ numRuns: 6 },
	);
});

it("tells what differed, and leaves nothing beside the store", async () => {
	const folder = temporaryFolder();
	const [one, other] = [begun(), begun(openDatabase(folder))];
	write(one, ...some);
	write(other, ...some, (each) => writes.putPolicy(each, "a", "gone", policyOf("y"), {}));
	write(one, (each) => writes.putPolicy(each, "a", "1", policyOf("z"), {}));
	const staged = await sound(other.stage(await travelled(one), FLEET));
	expect(await other.become(staged, NONE)).toEqual([
		{ kind: "policy", edgeId: "a", routeId: "1" },
		{ kind: "policy", edgeId: "a", routeId: "gone" },
	]);
	staged.close();
	staged.close();
	await expect.poll(() => readdirSync(folder)).toHaveLength(2);
});

it("what a killed process left beside the store is removed, and what is in use is not", async () => {
	const folder = temporaryFolder();
	const state = begun(openDatabase(folder));
	const staged = await sound(state.stage(undefined, FLEET));
	expect(staged.position).toMatchObject({ applied: 0, head: 0, digest: "0".repeat(32) });
	const names = readdirSync(folder);
	expect(names).toHaveLength(3);
	mkdirSync(join(folder, "fleet-staging-left", "below"), { recursive: true });
	removeStaged(folder);
	expect(readdirSync(folder)).toEqual(names);
	staged.close();
});

it("a machine without a fleet joins so", async () => {
	const one = begun();
	write(one, ...some);
	const database = openDatabase();
	database.commit((each) => writes.putPolicy(each, "own", "1", policyOf("x"), {}));
	const joining = new StoreState(database);
	expect(joining.position).toBeUndefined();
	const { member } = joining;
	const staged = await sound(joining.stage(await travelled(one), FLEET));
	await joining.become(staged, NONE);
	staged.close();
	expect([joining.position, joining.member]).toEqual([one.position, member]);
	expect(idsOf(joining)).toEqual(idsOf(one));
	expect(database.get("!layout")).toBe("3");
});

it("snapshots that are not sound are not staged", async () => {
	const one = begun();
	write(one, ...some);
	const entries: [string, string][] = [];
	for await (const [key, value] of one.snapshot().entries) entries.push([key, value]);
	const { entries: _, ...about } = one.snapshot();
	const stageOf = async (list: readonly (readonly [string, string])[], more: object = {}) => {
		async function* each() {
			yield* list;
		}
		const staged = await begun().stage({ ...about, entries: each(), ...more }, FLEET);
		staged?.close();
		return staged !== undefined;
	};
	const swapped = entries.map(([key, value], at) => [at === 0 ? "e/b" : key, value] as const);
	const damaged = entries.map(([key, value]) => [key, value.replace("x", "y")] as const);
	expect(await stageOf(entries)).toBe(true);
	for (const list of [entries.slice(1), entries.toReversed(), swapped, damaged, []])
		expect(await stageOf(list)).toBe(false);
	expect(await stageOf(entries, { count: 9 })).toBe(false);
	expect(await stageOf(entries, { incarnation: "i2" })).toBe(false);
	expect(await stageOf([...entries, ["z/other", "x"]])).toBe(false);
});

it("keeps of its ring what is the new history's too", async () => {
	const [one, other] = [begun(), begun()];
	for (const policy of ["x", "y", "z"]) {
		const { record } = write(one, (each) => writes.putPolicy(each, "a", "1", policyOf(policy), {}));
		other.take([record]);
	}
	const snapshot = await travelled(one);
	const { record } = write(one, ...some);
	write(other, (each) => writes.putPolicy(each, "a", "2", policyOf("lost"), {}));
	const staged = await sound(other.stage(snapshot, FLEET));
	staged.take([record]);
	await other.become(staged, new Set([2, 3]));
	staged.close();
	expect([...other.ring()]).toEqual([...one.ring()].slice(1));
	expect([1, 2, 3, 4].map((revision) => other.ringRecord(revision))).toEqual(
		[9, 2, 3, 4].map((revision) => one.ringRecord(revision)),
	);
});

it("is no state after a record that leads elsewhere than it says", async () => {
	const one = begun();
	const { record } = write(one, ...some);
	const staged = await sound(begun().stage(undefined, FLEET));
	const bad = { revision: 1, record: record.record && { ...record.record, after: "f".repeat(32) } };
	staged.take([bad]);
	staged.take([{ revision: 2, record: undefined }]);
	expect(staged.position).toMatchObject({ applied: 0, digest: "" });
	expect(staged.valid.size).toBe(0);
	staged.close();
});

it("what can't be read any more is replaced as a whole", async () => {
	const [one, database] = [begun(), openDatabase()];
	const other = begun(database);
	write(one, ...some);
	write(other, ...some);
	database.commit((each) => {
		each.put("e/a", "garbage");
		each.put("h/stale.example", "a");
	});
	const staged = await sound(other.stage(await travelled(one), FLEET));
	expect(await other.become(staged, NONE)).toContainEqual({ kind: "edge", edgeId: "a" });
	staged.close();
	expect(contentOf(database).map((line) => line.split(" ")[0])).toEqual([
		"e/a",
		"h/a.example",
		"h/b.example",
		"k/key_1",
		expect.stringMatching("^m/a/"),
		"p/a/1",
		"r/a/1",
	]);
	expect(other.wholeDigest()).toBe(one.wholeDigest());
});

it("nothing is made of it if records were taken meanwhile", async () => {
	const [one, other] = [begun(), begun()];
	write(one, ...some);
	const staged = await sound(other.stage(await travelled(one), FLEET));
	const becoming = other.become(staged, NONE);
	write(other, ...some);
	await expect(becoming).rejects.toThrow("records were taken meanwhile");
	expect(other.position).toMatchObject({ applied: 1 });
	staged.close();
});

it("a snapshot is of one commit, whatever is written while it is read", async () => {
	const state = begun();
	write(state, ...some);
	const snapshot = state.snapshot();
	const keys: string[] = [];
	for await (const [key] of snapshot.entries) {
		keys.push(key);
		write(state, (each) => writes.deleteEdge(each, "a", {}));
		write(state, ...some);
	}
	expect(keys).toEqual(["e/a", "k/key_1", "p/a/1", "r/a/1"]);
	expect(snapshot).toMatchObject({ revision: 1, head: 1, count: 4, incarnation: "i1" });
	expect(() => snapshot.entries[Symbol.asyncIterator]()).toThrow("read once");
});

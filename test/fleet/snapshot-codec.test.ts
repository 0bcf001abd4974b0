/** A snapshot is the same again after it has travelled, in pieces of a bounded size; what was damaged is not taken for one. */
import { expect, it } from "vitest";
import type { Snapshot } from "../../src/fleet/log/log.ts";
import { decodeSnapshot, encodeSnapshot, UnsoundSnapshot } from "../../src/fleet/snapshot-codec.ts";
import { LIMITS } from "../../src/limits/limits.ts";

type Entry = readonly [key: string, value: string];

async function* each<T>(values: Iterable<T>): AsyncIterable<T> {
	yield* values;
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
	const list: T[] = [];
	for await (const value of values) list.push(value);
	return list;
}

const about = {
	revision: 7,
	head: 6,
	id: "r7",
	digest: "0".repeat(32),
	level: 1,
	incarnation: "i1",
};
const snapshotOf = (entries: readonly Entry[]): Snapshot => ({
	...about,
	count: entries.length,
	entries: each(entries),
});

/** What gzip can't make much smaller. */
const noise = (length: number, seed: number): string => {
	let [text, state] = ["", seed + 1];
	while (text.length < length) {
		state = (state * 48_271) % 2_147_483_647;
		text += state.toString(36);
	}
	return text;
};
const entries: Entry[] = Array.from({ length: 300 }, (_, at) => [
	`p/e/${at}`,
	`${noise(6000, at)}"\n\u2028é`,
]);

it("comes back as it was, in pieces", async () => {
	const pieces = await all(encodeSnapshot(snapshotOf(entries)));
	expect(pieces.length).toBeGreaterThan(1);
	for (const { length } of pieces)
		expect(length).toBeLessThanOrEqual(LIMITS.fleetSnapshotChunkBytes);
	const read = await decodeSnapshot(each(pieces));
	expect(read).toMatchObject({ ...about, count: 300 });
	expect(await all(read?.entries ?? each([]))).toEqual(entries);
	const nothing = await decodeSnapshot(encodeSnapshot(snapshotOf([])));
	expect(await all(nothing?.entries ?? each([["x", "y"] as const]))).toEqual([]);
});

it("is read in part, and the rest left", async () => {
	const read = await decodeSnapshot(encodeSnapshot(snapshotOf(entries)));
	for await (const entry of read?.entries ?? each([])) {
		expect(entry).toEqual(entries[0]);
		break;
	}
});

it("is none if its beginning is none", async () => {
	for (const text of ["", "not gzip", "\x1f\x8b\x08"])
		expect(await decodeSnapshot(each([Buffer.from(text, "latin1")]))).toBeUndefined();
	const other = { ...snapshotOf([]), digest: "short" };
	expect(await decodeSnapshot(encodeSnapshot(other))).toBeUndefined();
});

it("is unsound if it is cut, flipped or longer than it says", async () => {
	const whole = Buffer.concat(await all(encodeSnapshot(snapshotOf(entries))));
	const flipped = Buffer.from(whole);
	flipped[whole.length >> 1] = (flipped[whole.length >> 1] ?? 0) ^ 0x40;
	const long = Buffer.concat(await all(encodeSnapshot({ ...snapshotOf(entries), count: 299 })));
	for (const bytes of [whole.subarray(0, -20), flipped, long]) {
		const read = await decodeSnapshot(each([bytes]));
		await expect(all(read?.entries ?? each([]))).rejects.toThrow(UnsoundSnapshot);
	}
});

it("what the pieces' source throws is thrown as it is", async () => {
	const pieces = await all(encodeSnapshot(snapshotOf(entries)));
	async function* broken() {
		yield pieces[0] ?? new Uint8Array();
		throw new RangeError("cut off");
	}
	const reading = async () => all((await decodeSnapshot(broken()))?.entries ?? each([]));
	await expect(reading()).rejects.toThrow(new RangeError("cut off"));
});

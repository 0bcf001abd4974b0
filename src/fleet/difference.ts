/**
 * Makes one store's documents those of another (docs/fleet.md, "Applying"): both are walked key by key, between other work,
 * and what differs is one transaction; what is equal is not touched. Used by `store-state.ts`.
 */
import { PRIMARY_PREFIXES, under } from "../store/layout.ts";
import type { Database, HeldReads, Reads, Writes } from "../store/lmdb/database.ts";
import { StateDigest } from "./digest.ts";
import type { Operation } from "./record.ts";
import { replay } from "./replay.ts";

/** Keys of documents that are not the same in both, or not in both. */
export async function differingKeys(one: Database, other: Database): Promise<readonly string[]> {
	const [held, others] = [one.held(), other.held()];
	try {
		return await walk(held, others);
	} finally {
		held.release();
		others.release();
	}
}

async function walk(one: HeldReads, other: HeldReads): Promise<readonly string[]> {
	const keys: string[] = [];
	let steps = 0;
	for (const prefix of PRIMARY_PREFIXES) {
		const [left, right] = [one, other].map((reads) =>
			reads.range(under(prefix))[Symbol.iterator](),
		);
		if (left === undefined || right === undefined) continue;
		let [mine, theirs] = [left.next(), right.next()];
		while (mine.done !== true || theirs.done !== true) {
			const [here, there] = [mine.value?.key ?? LAST, theirs.value?.key ?? LAST];
			if (here !== there || mine.value?.value !== theirs.value?.value)
				keys.push(here < there ? here : there);
			if (here <= there) mine = left.next();
			if (there <= here) theirs = right.next();
			if (++steps % STEPS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
		}
	}
	return keys;
}

/** After every key. */
const LAST = "\uffff";

const STEPS_PER_TURN = 500;

/** @param changed is told each key */
export function makeSame(
	writes: Writes,
	other: Reads,
	keys: readonly string[],
	changed: (key: string) => void,
): void {
	// the digest of the other is that of both now
	const digest = new StateDigest();
	for (const key of keys) {
		const value = other.get(key);
		const operation: Operation = value === undefined ? ["delete", key] : ["put", key, value];
		replay(writes, [operation], digest, changed);
	}
}

/** All documents and what follows from them, where what is there can't be read. @param changed is told each key */
export function replaceAll(writes: Writes, other: Reads, changed: (key: string) => void): void {
	for (const prefix of PRIMARY_PREFIXES) {
		for (const key of writes.keys(under(prefix))) changed(key);
	}
	for (const prefix of [...PRIMARY_PREFIXES, "h/", "m/", "n/"]) writes.clear(under(prefix));
	const digest = new StateDigest();
	for (const prefix of PRIMARY_PREFIXES) {
		for (const { key, value } of other.range(under(prefix)))
			replay(writes, [["put", key, value]], digest, changed);
	}
}

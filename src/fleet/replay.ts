/**
 * Does to a store what operations of a record say (docs/fleet.md, "Applying"): documents, what follows from them, and the
 * state's digest. The only code that does, so that every member ends in the same state. Used by `step.ts` and
 * `difference.ts`.
 */
import { indexedDocument, putDocument, removeDocument, removeDocuments } from "../store/indexes.ts";
import { under } from "../store/layout.ts";
import type { Writes } from "../store/lmdb/database.ts";
import type { StateDigest } from "./digest.ts";
import type { Operation } from "./record.ts";

/** @param changed is told each key, or prefix of keys, under which something else is now */
export function replay(
	writes: Writes,
	operations: readonly Operation[],
	digest: StateDigest,
	changed: (key: string) => void,
): void {
	for (const operation of operations) {
		const [kind, key, value] = operation;
		const did =
			kind === "put"
				? replayPut(writes, key, value, digest)
				: kind === "delete"
					? replayDelete(writes, key, digest)
					: replayRange(writes, key, digest);
		if (did) changed(key);
	}
}

function replayPut(writes: Writes, key: string, value: string, digest: StateDigest): boolean {
	const before = writes.get(key);
	if (before === value) return false;
	if (before !== undefined) digest.toggle(key, before);
	digest.toggle(key, value);
	putDocument(writes, key, value, indexedDocument(key, before), indexedDocument(key, value));
	return true;
}

function replayDelete(writes: Writes, key: string, digest: StateDigest): boolean {
	const before = writes.get(key);
	if (before === undefined) return false;
	digest.toggle(key, before);
	removeDocument(writes, key, indexedDocument(key, before));
	return true;
}

function replayRange(writes: Writes, prefix: string, digest: StateDigest): boolean {
	for (const { key, value } of writes.range(under(prefix))) digest.toggle(key, value);
	return removeDocuments(writes, prefix) > 0;
}

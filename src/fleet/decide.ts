/**
 * What operations would do to the state, found beside it (docs/fleet.md, "Writes"): a record's operations, which are the
 * documents that are others than before, and the digest after them. Used by `store-state.ts`.
 */
import {
	isAnyUnder,
	isPrimaryKey,
	isPrimaryRange,
	isVersion,
	PRIMARY_PREFIXES,
	under,
} from "../store/layout.ts";
import type { Reads, Writes } from "../store/lmdb/database.ts";
import { StateDigest } from "./digest.ts";
import { levelOf } from "./level.ts";
import { Overlay } from "./overlay.ts";
import type { Operation } from "./record.ts";
import type { Decision, Outcome, Versions } from "./state.ts";

/**
 * @param before digest of what `reads` holds
 * @param versions whether versions of policies are kept, which machines of an older level don't understand
 */
export function decide(
	reads: Reads,
	before: string,
	operations: readonly ((writes: Writes) => unknown)[],
	versions: Versions,
): Decision {
	const all = new Overlay(reads);
	const outcomes = operations.map((operation) => outcomeOf(operation, all));
	const changes = operationsOf(all, reads).filter(
		([, key]) => versions === "kept" || !isVersion(key),
	);
	const digest = new StateDigest(before);
	let [level, bytes] = [1, 0];
	for (const operation of changes) {
		bytes += Buffer.byteLength(JSON.stringify(operation)) + 1;
		const [kind, key, value] = operation;
		if (kind === "put") level = Math.max(level, levelOf(key, value));
		if (kind === "delete-range") {
			for (const entry of reads.range(under(key))) digest.toggle(entry.key, entry.value);
			continue;
		}
		// what lies in a range that is deleted was counted with it
		const old = isIn(all, key) ? undefined : reads.get(key);
		if (old !== undefined) digest.toggle(key, old);
		if (kind === "put") digest.toggle(key, value);
	}
	return { outcomes, operations: changes, after: digest.hex, level, bytes };
}

/** One that throws leaves nothing behind. */
function outcomeOf(operation: (writes: Writes) => unknown, all: Overlay): Outcome<unknown> {
	const own = new Overlay(all);
	try {
		const value = operation(own);
		own.into(all);
		return { value };
	} catch (error) {
		return { error };
	}
}

/** Ranges first, since what is put in them comes after they are deleted; else in the order of keys. */
function operationsOf(all: Overlay, reads: Reads): readonly Operation[] {
	const operations: Operation[] = [];
	let last: string | undefined;
	for (const prefix of all.cleared.map(({ start }) => start).sort()) {
		if (!PRIMARY_PREFIXES.includes(prefix.slice(0, 2))) continue;
		if (!isPrimaryRange(prefix)) throw new Error(`all of ${prefix} can't be deleted at once`);
		// a range within one before it, or the same again
		if (last !== undefined && prefix.startsWith(last)) continue;
		last = prefix;
		if (isAnyUnder(reads, prefix)) operations.push(["delete-range", prefix]);
	}
	for (const [key, value] of all.written()) {
		if (!isPrimaryKey(key)) continue;
		const old = isIn(all, key) ? undefined : reads.get(key);
		if (value === old) continue;
		operations.push(value === undefined ? ["delete", key] : ["put", key, value]);
	}
	return operations;
}

const isIn = ({ cleared }: Overlay, key: string): boolean =>
	cleared.some(({ start }) => key.startsWith(start));

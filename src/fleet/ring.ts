/**
 * The last records that this member took, to give back to an engine that has lost them (docs/fleet.md, "Applying"): in the
 * store, `f/` and 16 hexadecimal digits of the revision, with what identifies each in memory too. An entry's first line has
 * the record's id, and whether it was void; then comes the record, if it is known. Used by `store-state.ts` and
 * `staging.ts`.
 */
import { LIMITS } from "../limits/limits.ts";
import { under } from "../store/layout.ts";
import type { Reads, Writes } from "../store/lmdb/database.ts";
import { RING_PREFIX } from "../store/membership.ts";
import type { FleetRecord } from "./record.ts";

export interface RingEntry {
	/** "": what lay in the log was no sound record */
	readonly id: string;
	readonly isVoid: boolean;
}

export interface Kept extends RingEntry {
	readonly revision: number;
	/** undefined: it is known by its id alone */
	readonly record: FleetRecord | undefined;
}

interface Sized extends RingEntry {
	/** characters */
	readonly size: number;
}

export class Ring {
	#entries: ReadonlyMap<number, Sized> = new Map();

	/** Those that are in the store. */
	load(reads: Reads): void {
		const entries = new Map<number, Sized>();
		for (const { key, value } of reads.range(under(RING_PREFIX))) {
			const [revision, [id = "", state]] = [revisionOf(key), headOf(value).split(" ")];
			entries.set(revision, { id, isVoid: state === "void", size: value.length });
		}
		this.#entries = entries;
	}

	/** Ascending by revision. */
	get entries(): ReadonlyMap<number, RingEntry> {
		return this.#entries;
	}

	/**
	 * Puts records into the store, and drops the oldest beyond the bounds.
	 * @returns to be called when that is committed
	 */
	add(writes: Writes, records: readonly Kept[]): () => void {
		const entries = new Map(this.#entries);
		for (const { revision, id, isVoid, record } of records) {
			const head = `${id} ${isVoid ? "void" : "valid"}`;
			const value = record === undefined ? head : `${head}\n${JSON.stringify(record)}`;
			entries.set(revision, { id, isVoid, size: value.length });
			writes.put(keyOf(revision), value);
		}
		let size = 0;
		for (const entry of entries.values()) size += entry.size;
		for (const [revision, entry] of entries) {
			const isTooMuch = entries.size > LIMITS.fleetRingRecords || size > LIMITS.fleetRingBytes;
			if (!isTooMuch || entries.size === 1) break;
			entries.delete(revision);
			size -= entry.size;
			writes.remove(keyOf(revision));
		}
		return () => {
			this.#entries = entries;
		};
	}

	/** Drops all. @returns to be called when that is committed */
	clear(writes: Writes): () => void {
		writes.clear(under(RING_PREFIX));
		return () => {
			this.#entries = new Map();
		};
	}
}

/** Those of another store, behind those of this one that are kept. @param kept their revisions */
export function replaceRing(writes: Writes, other: Reads, kept: ReadonlySet<number>): void {
	for (const key of Array.from(writes.keys(under(RING_PREFIX))))
		if (!kept.has(revisionOf(key))) writes.remove(key);
	for (const { key, value } of other.range(under(RING_PREFIX))) {
		// of the one that a snapshot is of, the other knows the id alone
		if (!kept.has(revisionOf(key))) writes.put(key, value);
	}
}

/** From the store; undefined: it is not there, or known by its id alone. */
export function ringRecord(reads: Pick<Reads, "get">, revision: number): FleetRecord | undefined {
	const value = reads.get(keyOf(revision));
	if (value === undefined) return undefined;
	const json = value.slice(headOf(value).length + 1);
	return json === "" ? undefined : (JSON.parse(json) as FleetRecord);
}

function headOf(value: string): string {
	const end = value.indexOf("\n");
	return end === -1 ? value : value.slice(0, end);
}

const keyOf = (revision: number): string =>
	RING_PREFIX + revision.toString(16).padStart(REVISION_DIGITS, "0");

const revisionOf = (key: string): number => Number.parseInt(key.slice(RING_PREFIX.length), 16);

const REVISION_DIGITS = 16;

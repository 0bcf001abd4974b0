/**
 * A member's copy of the fleet's state: what the protocol (`applier.ts`, `fleet-queue.ts`, `resync.ts`) needs of the
 * store, and nothing else of it. Implemented over LMDB by `store-state.ts`.
 */
import type { Writes } from "../store/lmdb/database.ts";
import type { Change } from "../store/store.ts";
import type { Snapshot } from "./log/log.ts";
import type { FleetRecord, NumberedRecord, Operation } from "./record.ts";

/** Where this member stands. Revision 0 is the empty fleet or what `init` began it with. */
export interface Position {
	readonly fleet: string;
	readonly incarnation: string;
	/** last revision that was taken, valid or void */
	readonly applied: number;
	/** last that changed the state */
	readonly head: number;
	readonly digest: string;
	readonly level: number;
}

export type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/** Versions of policies that a write would keep: those that machines of an older level would not understand are left out. */
export type Versions = "kept" | "left_out";

/** What operations decided on a state would do to it. */
export interface Decision {
	/** of each operation, in order; one that threw has done nothing */
	readonly outcomes: readonly Outcome<unknown>[];
	readonly operations: readonly Operation[];
	/** digest of the state after them; that of before if nothing changes */
	readonly after: string;
	/** level that the documents in `operations` need */
	readonly level: number;
	/** JSON bytes of `operations`, about */
	readonly bytes: number;
}

export interface Taken extends NumberedRecord {
	/** it doesn't fit the state before it: only counted */
	readonly isVoid: boolean;
}

/** A state that is put together beside the real one: a snapshot and what the log holds after it. */
export interface Staged {
	readonly position: Position;
	/** records in order; void ones are told apart by their `before`. One that leads elsewhere than it says ends it:
	 * `position` then has the digest of no state */
	take(records: readonly NumberedRecord[]): void;
	/** revisions of the valid records that it took, by id */
	readonly valid: ReadonlyMap<string, number>;
	close(): void;
}

export interface FleetState {
	/** `m_…`, made once */
	readonly member: string;
	/** undefined: in no fleet */
	readonly position: Position | undefined;
	/**
	 * Runs the operations one after the other on the state as it is, beside it: nothing is stored.
	 * @param versions default: kept
	 */
	decide(operations: readonly ((writes: Writes) => unknown)[], versions?: Versions): Decision;
	/**
	 * Stores consecutive records, from `applied + 1`, in ONE synced transaction: operations, indexes, ring, position.
	 * The caller has compared each `before`.
	 * @returns changes of documents whose etag changed; or the revision whose `after` does not fit, and then nothing is
	 * stored
	 */
	take(
		records: readonly Taken[],
	): { readonly changes: readonly Change[] } | { readonly misfit: number };
	/** The last records that were taken: id by revision, ascending; at most `LIMITS.fleetRing…` of them. */
	ring(): ReadonlyMap<number, { readonly id: string; readonly isVoid: boolean }>;
	/** whole, from disk */
	ringRecord(revision: number): FleetRecord | undefined;
	/** recomputed over everything that is stored */
	wholeDigest(): string;
	/** of one read transaction; only the fields that the state knows (id: that of the ring) */
	snapshot(): Snapshot;
	/**
	 * @param from undefined: begins with the empty state at revision 0 of `fleet`
	 * @returns undefined: the snapshot is not sound (count, digest, a value)
	 */
	stage(
		from: Snapshot | undefined,
		fleet: { readonly fleet: string; readonly incarnation: string },
	): Promise<Staged | undefined>;
	/**
	 * Makes the state the staged one: the difference in one transaction.
	 * @param kept revisions of the ring that are of the staged one's history too: they stay in it, before those that it took
	 * @returns what differed
	 */
	become(staged: Staged, kept: ReadonlySet<number>): Promise<readonly Change[]>;
	/** First state of a fleet: what is stored now, at `revision`, under `incarnation`. */
	begin(position: {
		readonly fleet: string;
		readonly incarnation: string;
		readonly revision: number;
		readonly level: number;
	}): void;
	/** The state stays, the fleet is forgotten. */
	leave(): void;
}

/**
 * Which of a member's records are not part of the history that it goes over to: they are reported before they are
 * given up, so that nothing that was acknowledged goes in silence (docs/fleet.md, "Failures").
 */
import { LIMITS } from "../limits/limits.ts";
import type { FleetLog, Snapshot, Tail } from "./log/log.ts";
import type { FleetRecord, NumberedRecord } from "./record.ts";
import type { FleetState } from "./state.ts";

export interface LostRecord {
	readonly revision: number;
	/** `unverified`: older than what the log still has, written here; it may be in the state or not */
	readonly why: "lost" | "unverified";
	readonly record: FleetRecord;
}

/** A reported record that counts in the log as this machine has it now. */
export interface FoundRecord {
	readonly id: string;
	/** where it lies now */
	readonly revision: number;
}

type Ring = ReturnType<FleetState["ring"]>;

export interface Parting {
	/** what is not part of the new history, as far as it can be told */
	readonly lost: readonly LostRecord[];
	/** revisions of the ring that are, up to the snapshot */
	readonly kept: ReadonlySet<number>;
	/** what counts in the log up to the snapshot */
	readonly led: readonly FoundRecord[];
}

/**
 * @param snapshot what the new history begins with; undefined: with nothing
 * @param valid the records after it that count, by id
 * @param oldest the first revision that is of interest, though it is in the ring no more; undefined: none
 * @throws LogError
 */
export async function partingFrom(
	state: FleetState,
	log: FleetLog,
	tail: Pick<Tail, "first" | "last">,
	snapshot: Snapshot | undefined,
	valid: ReadonlyMap<string, number>,
	oldest?: number,
): Promise<Parting> {
	const ring = state.ring();
	const until = snapshot?.revision ?? 0;
	const isSame = snapshot !== undefined && digestAt(state, until) === snapshot.digest;
	const [oldestOwn = until + 1] = ring.keys();
	const from = Math.min(oldestOwn, oldest ?? oldestOwn);
	const { before, first } = await recordsFrom(log, from, Math.min(until, tail.last), tail.first);
	const led = snapshot === undefined ? new Set<string>() : leadingTo(snapshot, before, state);
	const lost: LostRecord[] = [];
	for (const [revision, { id, isVoid }] of ring) {
		if (isVoid || id === "" || valid.has(id) || led.has(id)) continue;
		if (isSame && revision <= until) continue;
		const record = state.ringRecord(revision);
		if (record === undefined) continue;
		if (revision >= first) lost.push({ revision, why: "lost", record });
		else if (record.by === state.member) lost.push({ revision, why: "unverified", record });
	}
	const counted = [...before.values()].flatMap(({ revision, record }) =>
		record !== undefined && led.has(record.id) ? [{ id: record.id, revision }] : [],
	);
	return { lost, kept: keptOf(ring, until, before, isSame ? undefined : led), led: counted };
}

/**
 * Those that follow each other up to the snapshot, and are in the log what they are here.
 * @param led ids of those that count there; undefined: the same as here
 */
function keptOf(
	ring: Ring,
	until: number,
	before: ReadonlyMap<number, NumberedRecord>,
	led: ReadonlySet<string> | undefined,
): ReadonlySet<number> {
	const kept = new Set<number>();
	for (let revision = until; ; revision--) {
		const own = ring.get(revision);
		const theirs = before.get(revision);
		if (own === undefined || (theirs === undefined && led !== undefined)) return kept;
		if (theirs?.record !== undefined && theirs.record.id !== own.id) return kept;
		if (led !== undefined && own.isVoid === led.has(own.id)) return kept;
		kept.add(revision);
	}
}

/** Of this member's own state at a revision; undefined: it can't tell. */
function digestAt(state: FleetState, revision: number): string | undefined {
	const { position } = state;
	if (position !== undefined && position.applied === revision) return position.digest;
	for (const [each, { isVoid }] of [...state.ring()].reverse())
		if (each <= revision && !isVoid) return state.ringRecord(each)?.after;
	return undefined;
}

/** What the log has up to `to`, as many as a ring has at most; and where it begins, for it may be trimmed meanwhile. */
async function recordsFrom(
	log: FleetLog,
	oldest: number,
	to: number,
	begins: number,
): Promise<{ readonly before: ReadonlyMap<number, NumberedRecord>; readonly first: number }> {
	for (let first = begins; ; ) {
		const from = Math.max(first, oldest, to - LIMITS.fleetRingRecords);
		const before = new Map<number, NumberedRecord>();
		if (from > to) return { before, first };
		for await (const numbered of log.read(from, to)) before.set(numbered.revision, numbered);
		if (before.has(from)) return { before, first };
		const now = (await log.tail()).first;
		if (now <= first) return { before, first };
		first = now;
	}
}

/**
 * Ids of the records that led to the snapshot: each ends where the next one begins. One that is damaged in the log may be
 * sound here; and up to the first that is not, this member has what all had.
 */
function leadingTo(
	snapshot: Snapshot,
	before: ReadonlyMap<number, NumberedRecord>,
	state: FleetState,
): ReadonlySet<string> {
	const ids = new Set<string>();
	let { digest } = snapshot;
	let damagedAt = 0;
	for (const { revision, record: theirs } of [...before.values()].reverse()) {
		if (revision > snapshot.head) continue;
		// what this member does not know says nothing of what it has
		if (theirs === undefined && state.ring().has(revision)) damagedAt = revision;
		const record = theirs ?? state.ringRecord(revision);
		if (record?.after !== digest || record === undefined) continue;
		ids.add(record.id);
		digest = record.before;
	}
	for (const [revision, { id, isVoid }] of state.ring()) {
		if (revision >= damagedAt || before.get(revision)?.record?.id !== id) break;
		if (!isVoid) ids.add(id);
	}
	return ids;
}

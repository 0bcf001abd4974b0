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

/**
 * @param snapshot what the new history begins with; undefined: with nothing
 * @param valid ids of the records after it that count
 * @throws LogError
 */
export async function lostRecords(
	state: FleetState,
	log: FleetLog,
	{ first, last }: Pick<Tail, "first" | "last">,
	snapshot: Snapshot | undefined,
	valid: ReadonlySet<string>,
): Promise<readonly LostRecord[]> {
	const held = [...state.ring()].filter(([, { id, isVoid }]) => !isVoid && id !== "");
	const until = snapshot?.revision ?? 0;
	const isSame = snapshot !== undefined && digestAt(state, until) === snapshot.digest;
	const before =
		snapshot === undefined || isSame || held.length === 0
			? new Set<string>()
			: await validBefore(log, first, Math.min(until, last), snapshot, new Map(held));
	const lost: LostRecord[] = [];
	for (const [revision, { id }] of held) {
		if (valid.has(id) || before.has(id) || (isSame && revision <= until)) continue;
		const record = state.ringRecord(revision);
		if (record === undefined) continue;
		if (revision >= first) lost.push({ revision, why: "lost", record });
		else if (record.by === state.member) lost.push({ revision, why: "unverified", record });
	}
	return lost;
}

/** Of this member's own state at a revision; undefined: it can't tell. */
function digestAt(state: FleetState, revision: number): string | undefined {
	const { position } = state;
	if (position !== undefined && position.applied === revision) return position.digest;
	for (const [each, { isVoid }] of [...state.ring()].reverse())
		if (each <= revision && !isVoid) return state.ringRecord(each)?.after;
	return undefined;
}

/**
 * Ids of the records that led to the snapshot: each ends where the next one begins. Behind one that is damaged, those
 * that this member has taken too.
 */
async function validBefore(
	log: FleetLog,
	first: number,
	to: number,
	snapshot: Snapshot,
	held: ReadonlyMap<number, { readonly id: string }>,
): Promise<ReadonlySet<string>> {
	const [oldest = first] = held.keys();
	const from = Math.max(first, oldest, to - LIMITS.fleetRingRecords);
	const records: NumberedRecord[] = [];
	for await (const numbered of log.read(from, to)) records.push(numbered);
	const ids = new Set<string>();
	let digest: string | undefined = snapshot.digest;
	for (const { revision, record } of records.reverse()) {
		if (revision > snapshot.head) continue;
		if (record === undefined) digest = undefined;
		else if (
			digest === undefined ? held.get(revision)?.id === record.id : record.after === digest
		) {
			ids.add(record.id);
			digest = record.before;
		}
	}
	return ids;
}

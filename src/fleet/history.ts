/**
 * The log for people: who changed what and when (docs/fleet.md, "The log"). Versions of policies come with the changes that
 * they are of, and are left out. Answers `Fleet.history`.
 */
import { isVersion } from "../store/layout.ts";
import type { LogEntry } from "./fleet.ts";
import type { FleetLog } from "./log/log.ts";
import type { NumberedRecord } from "./record.ts";
import type { FleetState } from "./state.ts";

/** Newest first, below `before`. @throws LogError */
export async function historyOf(
	log: FleetLog,
	state: FleetState,
	limit: number,
	before: number | undefined,
): Promise<readonly LogEntry[]> {
	const { first, last } = await log.tail();
	const to = Math.min(last, (before ?? last + 1) - 1);
	const from = Math.max(first, to - limit + 1);
	const ring = state.ring();
	const entries: LogEntry[] = [];
	if (from > to) return entries;
	for await (const numbered of log.read(from, to))
		entries.push(entryOf(numbered, ring.get(numbered.revision)));
	return entries.reverse();
}

/** @param own what this machine made of it; of older ones, whether it was accepted where it belongs */
function entryOf(
	{ revision, record }: NumberedRecord,
	own: { readonly isVoid: boolean } | undefined,
): LogEntry {
	return {
		revision,
		at: record?.at ?? "",
		key: record?.key,
		member: record?.by ?? "",
		operations: (record?.operations ?? [])
			.filter(([, key]) => !isVersion(key))
			.map(([kind, key]) => [kind, key]),
		isVoid: own?.isVoid ?? record?.base !== revision - 1,
	};
}

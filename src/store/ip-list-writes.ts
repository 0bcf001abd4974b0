/**
 * The writes of address lists, each inside its transaction, as `writes.ts` has those of other documents (contract 2).
 * Called by `resource-writes.ts`.
 */
import { LIMITS } from "../limits/limits.ts";
import { removeDocument } from "./indexes.ts";
import { usesOf } from "./ip-list-uses.ts";
import {
	changedEntries,
	entriesIn,
	entriesText,
	type IpListChange,
	type IpListDocument,
	type IpListRecord,
} from "./ip-lists.ts";
import {
	bumpVersion,
	decode,
	decodeDocument,
	encode,
	listEntriesKey,
	listKey,
	raiseLayout,
	under,
} from "./layout.ts";
import type { Writes } from "./lmdb/database.ts";
import { holds } from "./precondition.ts";
import type { Precondition, Stored, WriteResult } from "./store.ts";

/** Address lists came with this one. */
const LAYOUT_WITH_LISTS = 2;

function read(writes: Writes, id: string): Stored<IpListRecord> | undefined {
	const value = writes.get(listKey(id));
	return value === undefined ? undefined : decode<IpListRecord>(value, listKey(id));
}

export function putIpList(
	writes: Writes,
	id: string,
	document: IpListDocument,
	precondition: Precondition,
): WriteResult<IpListRecord> {
	const current = read(writes, id);
	if (!holds(precondition, current?.etag)) {
		return { refused: "precondition", before: current?.etag };
	}
	return store(writes, id, document, current);
}

/** @param change with entries as they are stored */
export function changeIpList(
	writes: Writes,
	id: string,
	change: IpListChange,
	precondition: Precondition,
): WriteResult<IpListRecord> {
	const current = read(writes, id);
	if (current === undefined) return { refused: "not_found" };
	if (!holds(precondition, current.etag)) return { refused: "precondition", before: current.etag };
	const text = decode<string>(writes.get(listEntriesKey(id)) ?? "", listEntriesKey(id)).document;
	const entries = changedEntries(entriesIn(text), change);
	const { description } = current.document;
	return store(writes, id, { description, entries: [...entries] }, current);
}

function store(
	writes: Writes,
	id: string,
	{ description, entries }: IpListDocument,
	current: Stored<IpListRecord> | undefined,
): WriteResult<IpListRecord> {
	const refusal = refusalOf(writes, entries.length, current);
	if (refusal !== undefined) return { ...refusal, before: current?.etag };
	const held = encode(entriesText(entries));
	const record = { description, count: entries.length, entries: held.stored.etag };
	const { value, stored } = encode<IpListRecord>(record);
	if (current?.etag !== stored.etag) {
		raiseLayout(writes, LAYOUT_WITH_LISTS);
		if (current?.document.entries !== record.entries) writes.put(listEntriesKey(id), held.value);
		writes.put(listKey(id), value);
		bumpVersion(writes);
	}
	const changes = [{ kind: "ip_list", listId: id } as const];
	return { stored, created: current === undefined, changes, before: current };
}

function refusalOf(writes: Writes, count: number, current: Stored<IpListRecord> | undefined) {
	if (count > LIMITS.ipListEntries) {
		return { refused: "list_full", what: "entries", count } as const;
	}
	let [lists, total] = [current === undefined ? 1 : 0, count - (current?.document.count ?? 0)];
	for (const { value } of writes.range(under("l/"))) {
		lists += 1;
		total += decodeDocument<IpListRecord>(value).count;
	}
	if (lists > LIMITS.ipLists) return { refused: "list_full", what: "lists", count: lists } as const;
	if (total > LIMITS.ipListEntriesTotal)
		return { refused: "list_full", what: "total", count: total } as const;
	return undefined;
}

export function deleteIpList(
	writes: Writes,
	id: string,
	precondition: Precondition,
): WriteResult<IpListRecord> {
	const current = read(writes, id);
	if (current === undefined) return { refused: "not_found" };
	if (!holds(precondition, current.etag)) return { refused: "precondition", before: current.etag };
	const policies = usesOf(writes, id);
	if (policies.length > 0) return { refused: "list_in_use", policies, before: current.etag };
	removeDocument(writes, listEntriesKey(id), undefined);
	removeDocument(writes, listKey(id), undefined);
	bumpVersion(writes);
	const changes = [{ kind: "ip_list", listId: id } as const];
	const deleted = { routes: 0, policies: 0 };
	return { stored: current, created: false, changes, before: current, deleted };
}

/**
 * What follows from documents, kept beside them (`layout.ts`): which edge owns a hostport (`h/`), which route a match
 * (`m/`), which policies name an address list (`n/`). Whoever puts or removes a document does it here: the writes of this
 * room, and a fleet's records, which hold documents alone. So the order in which the documents of one change are put makes
 * no difference: an entry is removed only by whom it names. Called by `writes.ts`, `ip-list-writes.ts` and `key-writes.ts`.
 */
import type { PolicyDocument } from "../policy/document/schema.ts";
import { canonicalHostport, parseHostport } from "./hostport.ts";
import { mayNameLists, namesIn } from "./ip-list-uses.ts";
import {
	decodeDocument,
	hostportKey,
	idOf,
	isCandidate,
	isVersion,
	keyUseKey,
	LAYOUT_WITH_SECOND_POLICIES,
	listUseKey,
	matchKey,
	raiseLayout,
	under,
} from "./layout.ts";
import type { Writes } from "./lmdb/database.ts";
import type { EdgeDocument, RouteDocument } from "./resources.ts";

/** A document under a primary key, as far as anything follows from it. */
export type IndexedDocument = unknown;

/** @param before and @param after the documents, where anything follows from them */
export function putDocument(
	writes: Writes,
	key: string,
	value: string,
	before: IndexedDocument,
	after: IndexedDocument,
): void {
	writes.put(key, value);
	if (isVersion(key) || isCandidate(key)) raiseLayout(writes, LAYOUT_WITH_SECOND_POLICIES);
	reindex(writes, key, before, after);
}

export function removeDocument(writes: Writes, key: string, before: IndexedDocument): void {
	writes.remove(key);
	reindex(writes, key, before, undefined);
	const kind = key.slice(0, 2);
	if (kind === "l/") writes.clear(under(`n/${idOf(key)}/`));
	if (kind === "k/") writes.remove(keyUseKey(idOf(key)));
}

/** All routes of an edge (`r/EDGE/`), or all policies (`p/EDGE/`), unread. @returns how many there were */
export function removeDocuments(writes: Writes, prefix: string): number {
	const [kind, edgeId = ""] = prefix.split("/");
	if (kind === "r") writes.clear(under(`m/${edgeId}/`));
	if (kind === "p") {
		for (const list of Array.from(writes.keys(under("l/"))))
			writes.clear(under(`n/${idOf(list)}/${edgeId}/`));
	}
	return writes.clear(under(prefix));
}

/** Of a stored value. @returns undefined: nothing follows from it */
export function indexedDocument(key: string, value: string | undefined): IndexedDocument {
	if (value === undefined) return undefined;
	const kind = key.slice(0, 2);
	const isIndexed = kind === "e/" || kind === "r/" || (kind === "p/" && mayNameLists(value));
	return isIndexed ? decodeDocument(value) : undefined;
}

/** Under which keys there is an entry for this document, with what value; the document is known to have its form. */
export function indexEntries(key: string, document: IndexedDocument): ReadonlyMap<string, string> {
	if (document === undefined) return NONE;
	const [kind, edgeId = "", routeId = ""] = key.split("/");
	if (kind === "e") {
		const hostports = canonicalHostports(document as EdgeDocument);
		return new Map(hostports.map((hostport) => [hostportKey(hostport), edgeId]));
	}
	if (kind === "r")
		return new Map([[matchKey(edgeId, (document as RouteDocument).match), routeId]]);
	if (kind !== "p") return NONE;
	const lists = namesIn(document as PolicyDocument);
	if (lists.size === 0) return NONE;
	return new Map(Array.from(lists, (list) => [listUseKey(list, edgeId, routeId), "1"]));
}

const NONE: ReadonlyMap<string, string> = new Map();

export const canonicalHostports = (document: EdgeDocument): readonly string[] =>
	document.hostports.map((text) => {
		const hostport = parseHostport(text);
		return hostport === undefined ? text : canonicalHostport(hostport);
	});

function reindex(
	writes: Writes,
	key: string,
	before: IndexedDocument,
	after: IndexedDocument,
): void {
	const [old, now] = [indexEntries(key, before), indexEntries(key, after)];
	if (old.size + now.size === 0) return;
	for (const [entry, value] of old) {
		if (!now.has(entry) && writes.get(entry) === value) writes.remove(entry);
	}
	for (const [entry, value] of now) if (!old.has(entry)) writes.put(entry, value);
}

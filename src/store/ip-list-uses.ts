/**
 * Which policies name which address lists (contract 2), kept as entries beside the policies, so that neither the
 * deletion of a list nor that of an edge has to read 100,000 documents. An entry may be too many, where a build that
 * knows no lists has written the policy: who acts on one looks at the policy. Called by `writes.ts` and
 * `ip-list-writes.ts` within a write.
 */
import { listsNamedIn, type NamedList } from "../policy/document/address-lists.ts";
import type { PolicyDocument } from "../policy/document/schema.ts";
import { decodeDocument, idOf, listKey, listUseKey, policyKey, under } from "./layout.ts";
import type { Reads, Writes } from "./lmdb/database.ts";
import type { ListUse } from "./store.ts";

/** The lists that a document names and that there are not, in its order. */
export const listsMissing = (reads: Reads, document: PolicyDocument): readonly NamedList[] =>
	listsNamedIn(document).filter(({ name }) => reads.get(listKey(name)) === undefined);

/** @param before and @param after what the route's policy was and is; undefined: none */
export function noteListUses(
	writes: Writes,
	edgeId: string,
	routeId: string,
	before: PolicyDocument | undefined,
	after: PolicyDocument | undefined,
): void {
	const [old, now] = [namesIn(before), namesIn(after)];
	for (const name of old) if (!now.has(name)) writes.remove(listUseKey(name, edgeId, routeId));
	for (const name of now) if (!old.has(name)) writes.put(listUseKey(name, edgeId, routeId), "1");
}

const namesIn = (document: PolicyDocument | undefined): ReadonlySet<string> =>
	new Set(document === undefined ? [] : listsNamedIn(document).map(({ name }) => name));

/** The policies of a route, or of a whole edge, are deleted unread. */
export function forgetListUses(writes: Writes, edgeId: string, routeId?: string): void {
	for (const key of Array.from(writes.keys(under("l/")))) {
		const list = idOf(key);
		if (routeId !== undefined) {
			writes.remove(listUseKey(list, edgeId, routeId));
			continue;
		}
		for (const use of Array.from(writes.keys(under(`n/${list}/${edgeId}/`)))) writes.remove(use);
	}
}

/** The policies that name a list. */
export function usesOf(reads: Reads, list: string): readonly ListUse[] {
	const uses: ListUse[] = [];
	for (const key of Array.from(reads.keys(under(`n/${list}/`)))) {
		const [, , edgeId = "", routeId = ""] = key.split("/");
		const value = reads.get(policyKey(edgeId, routeId));
		if (value === undefined) continue;
		if (namesIn(decodeDocument<PolicyDocument>(value)).has(list)) uses.push({ edgeId, routeId });
	}
	return uses;
}

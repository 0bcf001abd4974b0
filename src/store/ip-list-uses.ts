/**
 * Which policies name which address lists (contract 2), kept as entries beside the policies, so that neither the
 * deletion of a list nor that of an edge has to read 100,000 documents; `indexes.ts` writes them. An entry may be too
 * many, where a build that knows no lists has written the policy: who acts on one looks at the policy. Called by
 * `writes.ts` and `ip-list-writes.ts` within a write.
 */
import { actionOf, EVERY_TYPE } from "../policy/actions/table.ts";
import { listsNamedIn, type NamedList } from "../policy/document/address-lists.ts";
import type { PolicyDocument } from "../policy/document/schema.ts";
import { decodeDocument, listKey, policyKey, under } from "./layout.ts";
import type { Reads } from "./lmdb/database.ts";
import type { ListUse } from "./store.ts";

/** The lists that a document names and that there are not, in its order. */
export const listsMissing = (reads: Reads, document: PolicyDocument): readonly NamedList[] =>
	listsNamedIn(document).filter(({ name }) => reads.get(listKey(name)) === undefined);

/** The lists that a document names, each once. */
export function namesIn(document: PolicyDocument): ReadonlySet<string> {
	const named = listsNamedIn(document);
	return named.length === 0 ? NONE : new Set(named.map(({ name }) => name));
}

const NONE: ReadonlySet<string> = new Set();

/** Types as they stand in a document's JSON; any of their actions may name lists. */
const NAMING = EVERY_TYPE.filter((type) => actionOf(type).addressLists !== undefined).map((type) =>
	JSON.stringify(type),
);

/** Whether a policy may name lists, found without reading its JSON. @param value as it is stored */
export const mayNameLists = (value: string): boolean => NAMING.some((type) => value.includes(type));

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

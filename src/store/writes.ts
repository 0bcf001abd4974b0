/**
 * The writes of documents, each inside its transaction (contract 2): conflicts, preconditions, and the documents that
 * are deleted with a route or an edge. Each function sees everything that was committed before it or written before
 * it in the same batch; a refusal has written nothing.
 *
 * A route may be deleted and put again before any worker hears of it, and a worker that then finds it in the store
 * leaves its policy as it is. So every write that deletes a policy announces that, also where it deletes a whole
 * route or edge.
 */
import type { PolicyDocument } from "../policy/document/schema.ts";
import { sealedDocument } from "../policy/document/seal.ts";
import { removeCandidate } from "./candidate-writes.ts";
import {
	canonicalHostports,
	indexedDocument,
	putDocument,
	removeDocument,
	removeDocuments,
} from "./indexes.ts";
import { listsMissing } from "./ip-list-uses.ts";
import {
	bumpVersion,
	decode,
	type Encoded,
	edgeKey,
	encode,
	hostportKey,
	idOf,
	jsonOf,
	matchKey,
	policyKey,
	routeKey,
	under,
} from "./layout.ts";
import type { Writes } from "./lmdb/database.ts";
import { keepVersion, newestVersion, removeVersions } from "./policy-versions.ts";
import { holds } from "./precondition.ts";
import type { EdgeDocument, RouteDocument } from "./resources.ts";
import type {
	AlsoDeleted,
	Change,
	Precondition,
	Stored,
	WriteRefusal,
	WriteResult,
} from "./store.ts";
import type { Keeping } from "./version-shapes.ts";

function read<T>(writes: Writes, key: string): Stored<T> | undefined {
	const value = writes.get(key);
	return value === undefined ? undefined : decode<T>(value, key);
}

const refused = (reason: "not_found" | "edge_not_found"): WriteRefusal => ({ refused: reason });

const unmet = (current: Stored<unknown> | undefined): WriteRefusal => ({
	refused: "precondition",
	before: current?.etag,
});

/** An unchanged document is not written again; the answer still waits for the sync of its batch. */
function store<T>(
	writes: Writes,
	key: string,
	{ value, stored }: Encoded<T>,
	current: Stored<T> | undefined,
	change: Change,
): Exclude<WriteResult<T>, WriteRefusal> {
	if (current?.etag !== stored.etag) {
		putDocument(writes, key, value, current?.document, stored.document);
		bumpVersion(writes);
	}
	return { stored, created: current === undefined, changes: [change], before: current };
}

function erase<T>(
	writes: Writes,
	key: string,
	current: Stored<T>,
	changes: readonly Change[],
	deleted: AlsoDeleted = { routes: 0, policies: 0 },
): WriteResult<T> {
	removeDocument(writes, key, current.document);
	bumpVersion(writes);
	return { stored: current, created: false, changes, before: current, deleted };
}

/** The one way in which a policy comes into the store. @param keeping absent: no version is kept of it */
export function putPolicy(
	writes: Writes,
	edgeId: string,
	routeId: string,
	document: PolicyDocument,
	precondition: Precondition,
	keeping?: Keeping,
): WriteResult<PolicyDocument> {
	const key = policyKey(edgeId, routeId);
	const current = read<PolicyDocument>(writes, key);
	if (!holds(precondition, current?.etag)) return unmet(current);
	const lists = listsMissing(writes, document);
	if (lists.length > 0) return { refused: "lists_missing", lists, before: current?.etag };
	const encoded = encode(sealedDocument(document, current?.document));
	const { etag } = encoded.stored;
	const result = store(writes, key, encoded, current, { kind: "policy", edgeId, routeId });
	const after = { etag, json: jsonOf(encoded.value) };
	const version =
		keeping !== undefined && etag !== current?.etag
			? keepVersion(writes, { edgeId, routeId }, current, after, keeping)
			: newestVersion(writes, edgeId, routeId);
	return { ...result, version, hasRoute: writes.get(routeKey(edgeId, routeId)) !== undefined };
}

/** Its versions stay where there is a route: it can be had back. */
export function deletePolicy(
	writes: Writes,
	edgeId: string,
	routeId: string,
	precondition: Precondition,
): WriteResult<PolicyDocument> {
	const key = policyKey(edgeId, routeId);
	const current = read<PolicyDocument>(writes, key);
	if (current === undefined) return refused("not_found");
	if (!holds(precondition, current.etag)) return unmet(current);
	// nothing else would ever remove them
	if (writes.get(routeKey(edgeId, routeId)) === undefined) removeVersions(writes, edgeId, routeId);
	return erase(writes, key, current, [{ kind: "policy", edgeId, routeId }]);
}

export function putEdge(
	writes: Writes,
	edgeId: string,
	document: EdgeDocument,
	precondition: Precondition,
): WriteResult<EdgeDocument> {
	const key = edgeKey(edgeId);
	const current = read<EdgeDocument>(writes, key);
	if (!holds(precondition, current?.etag)) return unmet(current);
	for (const hostport of canonicalHostports(document)) {
		const owner = writes.get(hostportKey(hostport));
		if (owner !== undefined && owner !== edgeId) {
			const before = current?.etag;
			return { refused: "hostport_conflict", hostport, edgeId: owner, before };
		}
	}
	return store(writes, key, encode(document), current, { kind: "edge", edgeId });
}

export function deleteEdge(
	writes: Writes,
	edgeId: string,
	precondition: Precondition,
): WriteResult<EdgeDocument> {
	const key = edgeKey(edgeId);
	const current = read<EdgeDocument>(writes, key);
	if (current === undefined) return refused("not_found");
	if (!holds(precondition, current.etag)) return unmet(current);
	const routes = removeDocuments(writes, `r/${edgeId}/`);
	const policies = removeDocuments(writes, `p/${edgeId}/`);
	removeVersions(writes, edgeId);
	removeDocuments(writes, `c/${edgeId}/`);
	const changes: Change[] = [
		{ kind: "edge", edgeId },
		{ kind: "policies", edgeId },
	];
	return erase(writes, key, current, changes, { routes, policies });
}

export function putRoute(
	writes: Writes,
	edgeId: string,
	routeId: string,
	document: RouteDocument,
	precondition: Precondition,
): WriteResult<RouteDocument> {
	if (writes.get(edgeKey(edgeId)) === undefined) return refused("edge_not_found");
	const key = routeKey(edgeId, routeId);
	const current = read<RouteDocument>(writes, key);
	if (!holds(precondition, current?.etag)) return unmet(current);
	const holder = writes.get(matchKey(edgeId, document.match));
	if (holder !== undefined && holder !== routeId) {
		return { refused: "match_conflict", routeId: holder, before: current?.etag };
	}
	return store(writes, key, encode(document), current, { kind: "route", edgeId, routeId });
}

export function deleteRoute(
	writes: Writes,
	edgeId: string,
	routeId: string,
	precondition: Precondition,
): WriteResult<RouteDocument> {
	if (writes.get(edgeKey(edgeId)) === undefined) return refused("edge_not_found");
	const key = routeKey(edgeId, routeId);
	const current = read<RouteDocument>(writes, key);
	if (current === undefined) return refused("not_found");
	if (!holds(precondition, current.etag)) return unmet(current);
	removeVersions(writes, edgeId, routeId);
	const change: Change = { kind: "route", edgeId, routeId };
	const candidate = removeCandidate(writes, edgeId, routeId);
	const policy = policyKey(edgeId, routeId);
	const value = writes.get(policy);
	if (value === undefined) return erase(writes, key, current, [change, ...candidate]);
	removeDocument(writes, policy, indexedDocument(policy, value));
	const changes: Change[] = [change, { kind: "policy", edgeId, routeId }, ...candidate];
	return erase(writes, key, current, changes, { routes: 0, policies: 1 });
}

/** Up to `limit` documents under `prefix`, ids in descending order below `beforeId`. */
export function page<T>(
	reads: Pick<Writes, "range">,
	prefix: string,
	limit: number,
	beforeId: string | undefined,
): { items: ({ id: string } & Stored<T>)[]; next: string | null } {
	const range = under(prefix, "", beforeId);
	// the end of a range belongs to it when it is walked backwards, hence one more and the filter
	const entries = Array.from(reads.range({ ...range, reverse: true, limit: limit + 2 }))
		.map(({ key, value }) => ({ id: idOf(key), ...decode<T>(value, key) }))
		.filter(({ id }) => id !== beforeId);
	const items = entries.slice(0, limit);
	return { items, next: entries.length > limit ? (items.at(-1)?.id ?? null) : null };
}

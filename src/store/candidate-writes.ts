/**
 * The writes of candidates, each inside its transaction (contract 2, "Candidates"): a second policy of a route, which is
 * tried beside the one that is in force. A candidate stands under a key of its own, so nothing that asks for the policy
 * sees it. Called by `resource-writes.ts`; by `writes.ts` where a route is deleted.
 */
import type { PolicyDocument } from "../policy/document/schema.ts";
import { sealedDocument } from "../policy/document/seal.ts";
import { putDocument, removeDocument } from "./indexes.ts";
import { listsMissing } from "./ip-list-uses.ts";
import { bumpVersion, candidateKey, decode, encode, policyKey, routeKey } from "./layout.ts";
import type { Writes } from "./lmdb/database.ts";
import { holds } from "./precondition.ts";
import type { Change, Precondition, Stored, WriteResult } from "./store.ts";

type Result = WriteResult<PolicyDocument>;

function read(writes: Writes, key: string): Stored<PolicyDocument> | undefined {
	const value = writes.get(key);
	return value === undefined ? undefined : decode<PolicyDocument>(value, key);
}

const changeOf = (edgeId: string, routeId: string): Change => ({
	kind: "candidate",
	edgeId,
	routeId,
});

/** Secrets that are those of the candidate before, or of the policy, are sealed as they are there. */
export function putCandidate(
	writes: Writes,
	edgeId: string,
	routeId: string,
	document: PolicyDocument,
	precondition: Precondition,
): Result {
	const key = candidateKey(edgeId, routeId);
	const before = read(writes, key);
	if (!holds(precondition, before?.etag)) return { refused: "precondition", before: before?.etag };
	const lists = listsMissing(writes, document);
	if (lists.length > 0) return { refused: "lists_missing", lists, before: before?.etag };
	const sealedAs = before ?? read(writes, policyKey(edgeId, routeId));
	const { value, stored } = encode(sealedDocument(document, sealedAs?.document));
	if (before?.etag !== stored.etag) {
		putDocument(writes, key, value, undefined, undefined);
		bumpVersion(writes);
	}
	const hasRoute = writes.get(routeKey(edgeId, routeId)) !== undefined;
	const changes = [changeOf(edgeId, routeId)];
	return { stored, created: before === undefined, before, changes, hasRoute };
}

export function deleteCandidate(
	writes: Writes,
	edgeId: string,
	routeId: string,
	precondition: Precondition,
): Result {
	const before = read(writes, candidateKey(edgeId, routeId));
	if (before === undefined) return { refused: "not_found" };
	if (!holds(precondition, before.etag)) return { refused: "precondition", before: before.etag };
	const changes = removeCandidate(writes, edgeId, routeId);
	const deleted = { routes: 0, policies: 0 };
	return { stored: before, created: false, before, changes, deleted };
}

/**
 * The candidate becomes the policy, and is none any more.
 * @param put stores it as the route's policy, whatever there was
 */
export function promoteCandidate(
	writes: Writes,
	edgeId: string,
	routeId: string,
	precondition: Precondition,
	put: (document: PolicyDocument) => Result,
): Result {
	const candidate = read(writes, candidateKey(edgeId, routeId));
	if (candidate === undefined) return { refused: "not_found" };
	if (!holds(precondition, candidate.etag))
		return { refused: "precondition", before: candidate.etag };
	const result = put(candidate.document);
	if ("refused" in result) return result;
	return { ...result, changes: [...result.changes, ...removeCandidate(writes, edgeId, routeId)] };
}

/** @returns what is to be announced: nothing where there was none */
export function removeCandidate(
	writes: Writes,
	edgeId: string,
	routeId: string,
): readonly Change[] {
	const key = candidateKey(edgeId, routeId);
	if (writes.get(key) === undefined) return [];
	removeDocument(writes, key, undefined);
	bumpVersion(writes);
	return [changeOf(edgeId, routeId)];
}

/** The store, the publisher and the settings that all handlers of the management API share. Made by `server.ts`. */
import { ApiError, type Problem } from "../errors.ts";
import type { Explainer } from "../explain/explainer.ts";
import type { TokenBook } from "../explain/live/token-book.ts";
import type { Fleet } from "../fleet/fleet.ts";
import type { FrontState } from "../http/front-telemetry.ts";
import { LIMITS } from "../limits/limits.ts";
import type { CountedLimits } from "../policy/admission.ts";
import type { NamedList } from "../policy/document/address-lists.ts";
import type { ListUse, Store, WriteRefusal, WriteResult } from "../store/store.ts";
import type { TransactionalStore } from "../store/transactions.ts";
import type { MetricsFormat } from "../telemetry/exposition.ts";
import type { PolicyChecker } from "../threads/policy-checker.ts";
import type { AnyDocument, AuditNotes } from "./audit/notes.ts";
import { refusedDocument } from "./http/reply.ts";
import type { Live } from "./live/live.ts";
import type { Publisher } from "./publisher.ts";
import { preconditionFailed } from "./resources/conditions.ts";

export interface ManagementLimits {
	/** bytes of a body */
	readonly policyBytes: number;
	/** rules per phase */
	readonly rules: number;
}

export interface Context {
	readonly store: TransactionalStore;
	readonly publisher: Publisher;
	readonly limits: ManagementLimits;
	readonly policyChecker: Pick<PolicyChecker, "check">;
	readonly explainer: Pick<Explainer, "explain">;
	/** tokens with which real requests are explained */
	readonly explainTokens: Pick<TokenBook, "issue">;
	/** in which answers tell the ids of requests */
	readonly requestIdHeader: () => string;
	/** true, or why not; false without a reason */
	readonly ready: () => boolean | string;
	/** who reads the clients of the data path */
	readonly front: () => FrontState;
	/** who reads the clients of this API */
	readonly managementFront: () => FrontState;
	/** what all workers have counted; undefined while they don't count together */
	readonly counts: () => CountedLimits | undefined;
	/** how many bits of an IPv6 address rate-limits count (contract 1, `rate_limits.ipv6_prefix`) */
	readonly ipv6Prefix: () => number;
	/** what is told of what happens now */
	readonly live: Live;
	/** undefined: this machine is in none */
	readonly fleet?: Fleet | undefined;
	readonly ui: {
		/** where the page's files are */
		readonly folder: string;
		/** contract 1, `management.ui` */
		readonly isOn: () => boolean;
	};
	/** Prometheus text format */
	readonly metrics: (format: MetricsFormat) => Promise<string>;
}

export type Written<T> = Exclude<WriteResult<T>, WriteRefusal>;

/**
 * Waits for a write to be committed and synced, then for every worker to run it.
 * @param request told what became of it, for the audit line
 * @param notFound what a write to something missing is answered with
 * @throws ApiError the refusal as the client is told it
 */
export async function durableAndPublished<T extends AnyDocument>(
	{ publisher, store }: Pick<Context, "publisher"> & { readonly store: Pick<Store, "assertKept"> },
	{ notes }: { readonly notes: Pick<AuditNotes, "written"> },
	write: Promise<WriteResult<T>>,
	notFound: () => ApiError,
): Promise<Written<T>> {
	const result = await write;
	notes.written = result;
	if ("refused" in result) throw refusalError(result, notFound);
	await publisher.publish(result.changes);
	// a worker that could not read the change any more has kept what it had
	store.assertKept();
	return result;
}

/** @param notFound what a write to something missing is answered with */
export function refusalError(refusal: WriteRefusal, notFound: () => ApiError): ApiError {
	switch (refusal.refused) {
		case "not_found":
			return notFound();
		case "edge_not_found":
			return edgeNotFound();
		case "precondition":
			return preconditionFailed();
		case "hostport_conflict":
			return new ApiError(
				"ERR_HOSTPORT_CONFLICT",
				`The hostport "${refusal.hostport}" belongs to the edge "${refusal.edgeId}".`,
			);
		case "match_conflict":
			return new ApiError(
				"ERR_MATCH_CONFLICT",
				`The route "${refusal.routeId}" of this edge has the same match.`,
			);
		case "lists_missing":
			return refusedDocument("policy", refusal.lists.map(missingList));
		case "list_in_use":
			return new ApiError("ERR_IP_LIST_IN_USE", inUse(refusal.policies));
		case "list_full":
			return new ApiError("ERR_IP_LIST_FULL", full(refusal.what, refusal.count));
	}
}

export const missingList = ({ name, pointer }: NamedList): Problem => ({
	pointer,
	code: "unknown_ip_list",
	message: `there is no address list "${name}"; PUT /ip-lists/${name} first`,
});

function inUse(policies: readonly ListUse[]): string {
	const named = policies.slice(0, LIMITS.ipListPoliciesNamed);
	const uris = named.map(
		({ edgeId, routeId }) => `/edges/https/${edgeId}/routes/${routeId}/policy`,
	);
	const more = policies.length - named.length;
	return `Policies name this list: ${uris.join(", ")}${more > 0 ? ` and ${more} more` : ""}. Change them first.`;
}

const FULL: Readonly<Record<"entries" | "lists" | "total", (count: number) => string>> = {
	entries: (count) => `The list would have ${count} entries; ${LIMITS.ipListEntries} are allowed.`,
	lists: (count) => `There would be ${count} address lists; ${LIMITS.ipLists} are allowed.`,
	total: (count) =>
		`All address lists together would have ${count} entries; ${LIMITS.ipListEntriesTotal} are allowed.`,
};

const full = (what: keyof typeof FULL, count: number): string => FULL[what](count);

export const edgeNotFound = (): ApiError =>
	new ApiError("ERR_EDGE_NOT_FOUND", "There is no such edge.");
export const routeNotFound = (): ApiError =>
	new ApiError("ERR_ROUTE_NOT_FOUND", "There is no such route.");
export const ipListNotFound = (): ApiError =>
	new ApiError("ERR_IP_LIST_NOT_FOUND", "There is no such address list.");
export const policyNotFound = (): ApiError =>
	new ApiError("ERR_POLICY_NOT_FOUND", "This route has no policy.");

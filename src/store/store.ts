/**
 * The durable state: edges, routes, policies, address lists, API keys (contract 2, "Durable"; docs/design.md, "Processes").
 * The supervisor holds the one `Store`; workers and offline commands hold `StoreReader`s over the same
 * folder. Every write answers after the commit is synced to disk; writes that wait together share a
 * sync. Values are the API's documents as JSON, under a global version that grows by one per commit.
 */
import type { PolicyDocument } from "../policy/document/schema.ts";
import type { HandedOver } from "./handed-over.ts";
import type { IpListChange, IpListDocument, IpListRecord } from "./ip-lists.ts";
import type { KeyStore, StoredKey } from "./key-store.ts";
import type { EdgeDocument, NamedRoute, RouteDocument } from "./resources.ts";
import type { KeptVersions, PolicyVersion } from "./version-shapes.ts";
import type { WriteOrigin } from "./write-queue.ts";
import type {
	AlsoDeleted,
	Change,
	ListUse,
	Precondition,
	Stored,
	WriteRefusal,
	WriteResult,
} from "./write-result.ts";

export type {
	AlsoDeleted,
	Change,
	KeyStore,
	ListUse,
	Precondition,
	Stored,
	StoredKey,
	WriteRefusal,
	WriteResult,
};

export interface Page<T> {
	readonly items: readonly T[];
	/** id to give as `before_id` for the next page, or null */
	readonly next: string | null;
}

/** A policy in the list of all. */
export interface ListedPolicy {
	readonly edgeId: string;
	readonly routeId: string;
	/** is there a route that it applies to? */
	readonly hasRoute: boolean;
}

export interface StoreReader {
	/** Makes everything that any process has committed visible to the reads that follow. */
	refresh(): void;
	edge(edgeId: string): Stored<EdgeDocument> | undefined;
	route(edgeId: string, routeId: string): Stored<RouteDocument> | undefined;
	policy(edgeId: string, routeId: string): Stored<PolicyDocument> | undefined;
	/** that of the policy, which is not read for it */
	policyEtag(edgeId: string, routeId: string): string | undefined;
	/** its JSON, not looked at */
	policyText(edgeId: string, routeId: string): string | undefined;
	/** the policy that is tried beside that of the route */
	candidate(edgeId: string, routeId: string): Stored<PolicyDocument> | undefined;
	/** routes, or routes to be, that have one */
	candidates(): Iterable<{ readonly edgeId: string; readonly routeId: string }>;
	edges(): Iterable<{ readonly edgeId: string; readonly document: EdgeDocument }>;
	/** routes of one edge, or of all */
	routes(edgeId?: string): Iterable<NamedRoute>;
	/** with its entries */
	ipList(id: string): Stored<IpListDocument> | undefined;
	/** in the order of `orderOfRanges`, separated by spaces; undefined: there is no such list */
	ipListEntries(id: string): string | undefined;
	ipListIds(): Iterable<string>;
	/** Grows by one with each change of a document. */
	version(): number;
	counts(): { readonly edges: number; readonly routes: number; readonly policies: number };
	keys(): readonly StoredKey[];
	close(): Promise<void>;
}

/** Every write; each resolves when it is durable. */
export interface StoreWrites extends Pick<KeyStore, "addKey" | "revokeKey"> {
	putPolicy(
		edgeId: string,
		routeId: string,
		document: PolicyDocument,
		precondition: Precondition,
		/** the version that it is set back to */
		rolledBackTo?: number,
	): Promise<WriteResult<PolicyDocument>>;
	deletePolicy(
		edgeId: string,
		routeId: string,
		precondition: Precondition,
	): Promise<WriteResult<PolicyDocument>>;
	putCandidate(
		edgeId: string,
		routeId: string,
		document: PolicyDocument,
		precondition: Precondition,
	): Promise<WriteResult<PolicyDocument>>;
	deleteCandidate(
		edgeId: string,
		routeId: string,
		precondition: Precondition,
	): Promise<WriteResult<PolicyDocument>>;
	/** The candidate becomes the policy. @param precondition of the candidate */
	promoteCandidate(
		edgeId: string,
		routeId: string,
		precondition: Precondition,
	): Promise<WriteResult<PolicyDocument>>;
	putEdge(
		edgeId: string,
		document: EdgeDocument,
		precondition: Precondition,
	): Promise<WriteResult<EdgeDocument>>;
	/** deletes its routes and all their policies too */
	deleteEdge(edgeId: string, precondition: Precondition): Promise<WriteResult<EdgeDocument>>;
	putRoute(
		edgeId: string,
		routeId: string,
		document: RouteDocument,
		precondition: Precondition,
	): Promise<WriteResult<RouteDocument>>;
	/** deletes its policy too */
	deleteRoute(
		edgeId: string,
		routeId: string,
		precondition: Precondition,
	): Promise<WriteResult<RouteDocument>>;
	/** @param document with entries as they are stored */
	putIpList(
		id: string,
		document: IpListDocument,
		precondition: Precondition,
	): Promise<WriteResult<IpListRecord>>;
	/** @param change with entries as they are stored */
	changeIpList(
		id: string,
		change: IpListChange,
		precondition: Precondition,
	): Promise<WriteResult<IpListRecord>>;
	deleteIpList(id: string, precondition: Precondition): Promise<WriteResult<IpListRecord>>;
}

export interface Store extends StoreReader, KeyStore, StoreWrites, HandedOver {
	/** The writes, in the name of `origin`. */
	by(origin: WriteOrigin): StoreWrites;
	/** Remembers that a key was used; on disk within `LIMITS.keyUseMs`. @param nowMs since 1970 */
	noteKeyUse(id: string, nowMs: number): void;
	/** tells the data file from every other on this machine, for `openReader` */
	readonly identity: string;
	/**
	 * Why nothing is stored any more until a restart, undefined if all is well: the files were removed,
	 * replaced or cut short. Looks at them. Reads then still answer, or throw a `StoreError` that is `lost`.
	 */
	readonly loss: string | undefined;
	/**
	 * Copies a store that is lost, as it was, into an empty folder, for `openReader`.
	 * @returns the copy's identity @throws StoreError it can't be read any more; Error of the system
	 */
	copyTo(directory: string): Promise<string>;
	/** @throws StoreError what was written is not in the store's files any more */
	assertKept(): void;
	/** newest first: ids in descending order below `beforeId` */
	listEdges(
		limit: number,
		beforeId: string | undefined,
	): Page<{ id: string } & Stored<EdgeDocument>>;
	listRoutes(
		edgeId: string,
		limit: number,
		beforeId: string | undefined,
	): Page<{ id: string } & Stored<RouteDocument>>;
	/**
	 * Of all edges, in descending order of edge and route, below `before`, which is written `EDGE/ROUTE` as
	 * the page's `next` is.
	 */
	listPolicies(
		limit: number,
		before: string | undefined,
		which: "all" | "unattached",
	): Page<ListedPolicy>;
	/** Of all edges, in the order of `EDGE/ROUTE`. @param after the last name of the batch before */
	routeBatch(limit: number, after: string | undefined): readonly NamedRoute[];
	/** Newest first, those below `before`; `next` is a number in decimal. */
	listPolicyVersions(
		edgeId: string,
		routeId: string,
		limit: number,
		before: number | undefined,
	): Page<PolicyVersion>;
	/** Numbers of the oldest and the newest; all between are there. */
	policyVersionsKept(edgeId: string, routeId: string): KeptVersions | undefined;
	policyAtVersion(
		edgeId: string,
		routeId: string,
		number: number,
	): Stored<PolicyDocument> | undefined;
	listIpLists(
		limit: number,
		beforeId: string | undefined,
	): Page<{ id: string } & Stored<IpListRecord>>;
}

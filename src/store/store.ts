/**
 * The durable state: edges, routes, policies, address lists, API keys (contract 2, "Durable"; docs/design.md, "Processes").
 * The supervisor holds the one `Store`; workers and offline commands hold `StoreReader`s over the same
 * folder. Every write answers after the commit is synced to disk; writes that wait together share a
 * sync. Values are the API's documents as JSON, under a global version that grows by one per commit.
 */
import type { NamedList } from "../policy/document/address-lists.ts";
import type { PolicyDocument } from "../policy/document/schema.ts";
import type { HandedOver } from "./handed-over.ts";
import type { IpListChange, IpListDocument, IpListRecord } from "./ip-lists.ts";
import type { KeyStore, StoredKey } from "./key-store.ts";
import type { EdgeDocument, NamedRoute, RouteDocument } from "./resources.ts";
import type { KeptVersions, PolicyVersion } from "./version-shapes.ts";
import type { WriteOrigin } from "./write-queue.ts";

export type { KeyStore, StoredKey };

/** A change of the store, as it is announced to the workers. */
export type Change =
	/** the edge and all its routes */
	| { readonly kind: "edge"; readonly edgeId: string }
	| { readonly kind: "route"; readonly edgeId: string; readonly routeId: string }
	| { readonly kind: "policy"; readonly edgeId: string; readonly routeId: string }
	/** what is tried beside the policy */
	| { readonly kind: "candidate"; readonly edgeId: string; readonly routeId: string }
	/** those of all routes that the edge has, or had, and their candidates */
	| { readonly kind: "policies"; readonly edgeId: string }
	| { readonly kind: "ip_list"; readonly listId: string };

/** `if-match` and `if-none-match`: a list of etags as sent, or `*`; decided by `precondition.ts`. */
export interface Precondition {
	readonly ifMatch?: readonly string[] | "*";
	readonly ifNoneMatch?: readonly string[] | "*";
}

/** A document as stored, with its strong etag (quoted; a digest of its content). */
export interface Stored<T> {
	readonly document: T;
	readonly etag: string;
}

/** `before`: etag of what is stored and stays so; undefined if nothing is */
export type WriteRefusal =
	| { readonly refused: "not_found" | "edge_not_found"; readonly before?: undefined }
	| { readonly refused: "precondition"; readonly before: string | undefined }
	| {
			readonly refused: "hostport_conflict";
			readonly hostport: string;
			readonly edgeId: string;
			readonly before: string | undefined;
	  }
	| {
			readonly refused: "match_conflict";
			readonly routeId: string;
			readonly before: string | undefined;
	  }
	/** a policy names address lists that there are not */
	| {
			readonly refused: "lists_missing";
			readonly lists: readonly NamedList[];
			readonly before: string | undefined;
	  }
	/** policies name the address list that is to be deleted */
	| {
			readonly refused: "list_in_use";
			readonly policies: readonly ListUse[];
			readonly before: string | undefined;
	  }
	/** there would be more than there may: entries in the list, lists, or entries in all of them */
	| {
			readonly refused: "list_full";
			readonly what: "entries" | "lists" | "total";
			readonly count: number;
			readonly before: string | undefined;
	  };

/** A policy that names an address list. */
export interface ListUse {
	readonly edgeId: string;
	readonly routeId: string;
}

/** How many documents were deleted along with a route or an edge. */
export interface AlsoDeleted {
	readonly routes: number;
	readonly policies: number;
}

export type WriteResult<T> =
	| {
			/** what is stored now; of a deletion what was */
			readonly stored: Stored<T>;
			readonly created: boolean;
			/** undefined if nothing was stored */
			readonly before: Stored<T> | undefined;
			/** it was a deletion */
			readonly deleted?: AlsoDeleted;
			readonly changes: readonly Change[];
			/** of a policy that was put: is there a route that it applies to? */
			readonly hasRoute?: boolean;
			/** of a policy that was put: number of its newest version; undefined: none are kept */
			readonly version?: number | undefined;
	  }
	| WriteRefusal;

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

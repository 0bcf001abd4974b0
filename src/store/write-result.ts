/** What a write depends on, and what comes of it. Part of the store's interface, `store.ts`. */
import type { NamedList } from "../policy/document/address-lists.ts";

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

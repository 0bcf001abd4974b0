/**
 * What `weir apply`, `export` and `diff` work with: edges, routes, policies and address lists under one kind of name,
 * wherever they come from. A route or policy is named `EDGE/ROUTE`.
 */
import { ID_PATTERN } from "../../store/ids.ts";

const KINDS = ["ip_list", "edge", "route", "policy"] as const;
export type ResourceKind = (typeof KINDS)[number];

export interface Resource {
	readonly kind: ResourceKind;
	readonly name: string;
	/** in normal form: with all defaults, without the fields that follow from the path */
	readonly document: Readonly<Record<string, unknown>>;
}

export interface StoredResource extends Resource {
	readonly etag: string | undefined;
}

/** By `keyOf`. */
export type Resources<R extends Resource = Resource> = ReadonlyMap<string, R>;

export const keyOf = ({ kind, name }: Pick<Resource, "kind" | "name">): string => `${kind} ${name}`;

const WORDS: Readonly<Record<ResourceKind, string>> = {
	ip_list: "address list",
	edge: "edge",
	route: "route",
	policy: "policy",
};

/** "policy site/all" */
export const titleOf = ({ kind, name }: Pick<Resource, "kind" | "name">): string =>
	`${WORDS[kind]} ${name}`;

/** In the management API. */
export function pathOf({ kind, name }: Pick<Resource, "kind" | "name">): string {
	if (kind === "ip_list") return `/ip-lists/${name}`;
	const [edge, route] = name.split("/");
	if (kind === "edge") return `/edges/https/${edge}`;
	return `/edges/https/${edge}/routes/${route}${kind === "policy" ? "/policy" : ""}`;
}

const NAMES: Readonly<Record<"one" | "two", RegExp>> = {
	one: new RegExp(`^${ID_PATTERN}$`),
	two: new RegExp(`^${ID_PATTERN}/${ID_PATTERN}$`),
};

export const isName = (kind: ResourceKind, name: string): boolean =>
	NAMES[kind === "route" || kind === "policy" ? "two" : "one"].test(name);

/** In the order of a file: by kind, then by name. */
export const inOrder = <R extends Resource>(resources: Iterable<R>): readonly R[] =>
	[...resources].sort((one, other) =>
		one.kind === other.kind
			? compare(one.name, other.name)
			: KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind),
	);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

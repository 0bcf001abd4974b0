/**
 * That the store is a fleet's (docs/fleet.md, "Applying"), as far as this room has to know it: who opens a store for
 * another use than the fleet's must not write past its log, and a backup holds the documents and not the membership.
 * `fleet/store-state.ts` writes both entries.
 */
import {
	apiKeyKey,
	FLEET_LAYOUT,
	idOf,
	LOCAL_KEYS,
	layoutOf,
	layoutOfContent,
	raiseLayout,
	setLayout,
	under,
} from "./layout.ts";
import type { Reads, Writes } from "./lmdb/database.ts";
import { StoreError } from "./store-error.ts";

export const FLEET_KEY = "!fleet";
export const MEMBER_KEY = "!member";

/** The last records of the log are kept below it. */
export const RING_PREFIX = "f/";

/** Whether an entry is there for the fleet alone. */
export const isMembership = (key: string): boolean =>
	key === FLEET_KEY || key === MEMBER_KEY || key.startsWith(RING_PREFIX);

interface Membership {
	readonly fleet: string;
	/** the layout before the store became a fleet's */
	readonly layout: number;
}

/** Name of the fleet that the store belongs to; undefined: none. */
export const fleetOf = (reads: Pick<Reads, "get">): string | undefined => membership(reads)?.fleet;

/** The layout that the store has, or would have outside its fleet. */
export function layoutAlone(reads: Reads): number {
	const found = membership(reads);
	return found === undefined ? layoutOf(reads) : Math.max(found.layout, layoutOfContent(reads));
}

/** @param fleet with what else is to be found there: `{ fleet: "prod", … }` */
export function joinFleet(writes: Writes, member: string, fleet: { readonly fleet: string }): void {
	const layout = membership(writes)?.layout ?? layoutOf(writes);
	writes.put(FLEET_KEY, JSON.stringify({ ...fleet, layout }));
	writes.put(MEMBER_KEY, member);
	raiseLayout(writes, FLEET_LAYOUT);
}

/**
 * The store holds the same documents, and builds that know no fleets may open it: keys that stayed here are as others. Who
 * joins again is known as the same machine.
 */
export function leaveFleet(writes: Writes): void {
	const layout = layoutAlone(writes);
	for (const { key, value } of Array.from(writes.range(under(LOCAL_KEYS)))) {
		writes.remove(key);
		writes.put(apiKeyKey(idOf(key)), value);
	}
	writes.clear({ start: RING_PREFIX, end: "f0" });
	writes.remove(FLEET_KEY);
	setLayout(writes, layout);
}

/**
 * @param configured name of the fleet that the configuration makes this machine a member of; undefined: of none
 * @throws StoreError the store belongs to another
 */
export function assertFleet(
	reads: Pick<Reads, "get">,
	directory: string,
	configured: string | undefined,
): void {
	const fleet = fleetOf(reads);
	if (fleet === undefined || fleet === configured) return;
	const named = configured === undefined ? "none" : `"${configured}"`;
	throw new StoreError(
		`the store in ${directory} belongs to the fleet "${fleet}", and the configuration names ${named}; put "${fleet}" under fleet: name, or make this a machine of its own with: weir fleet leave`,
	);
}

function membership(reads: Pick<Reads, "get">): Membership | undefined {
	const found = reads.get(FLEET_KEY);
	return found === undefined ? undefined : (JSON.parse(found) as Membership);
}

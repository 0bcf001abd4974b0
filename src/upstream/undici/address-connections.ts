/** The connections to one address, as `pool.ts` keeps them. */
import type { PoolConnection } from "./pool.ts";

export interface AddressConnections {
	readonly idle: PoolConnection[];
	readonly cold: PoolConnection[];
	/** connections that exist, busy ones included */
	count: number;
}

/** @param most connections that there may be */
export const hasRoom = (connections: AddressConnections | undefined, most: number): boolean =>
	connections !== undefined &&
	(connections.idle.length > 0 || connections.cold.length > 0 || connections.count < most);

/** Places that requests have. */
export const takenPlaces = (all: readonly AddressConnections[]): number =>
	all.reduce((sum, { count, idle, cold }) => sum + count - idle.length - cold.length, 0);

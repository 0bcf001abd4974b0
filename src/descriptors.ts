/**
 * Shares of the process's descriptors. At their limit nothing goes on: no client is accepted, no backend connected,
 * no log opened, no worker forked; and the event loop reports the waiting connection again and again, at the price of
 * a whole processor. So the limit is never reached:
 *
 * | numbers | for |
 * |---|---|
 * | all but the last 64 | the process's own files, clients, connections to backends |
 * | the first half of those | what comes up (files, threads, pipes), and clients |
 * | the second half | the same, but clients are closed at once: `accept` always has a number to give |
 *
 * A new descriptor has the lowest free number, so the number tells how many are taken, by whomever. Clients
 * are also counted: they get half of what the process's own files leave, because each of them may need a
 * connection to a backend to be answered. The operator's part is `ulimit -n` or `LimitNOFILE`; Node raises
 * its soft limit to the hard one. Used by `connection-bound.ts` and the upstream clients; the numbers come
 * from native/src/descriptors.h.
 */
import { LIMITS } from "./limits/limits.ts";
import { addon } from "./native-addon.ts";

export interface DescriptorShares {
	/** connections of clients, at most, in a worker and in the supervisor */
	readonly clients: number;
	readonly management: number;
	/** connections to backends have numbers below it */
	readonly upstreamEnd: number;
	/** clients are closed at once while all numbers below it are taken */
	readonly clientEnd: number;
}

/** Shares of a soft limit of so many descriptors; where that is too small for a server, one descriptor at least. */
export function sharesOf(limit: number): DescriptorShares {
	const shared = Math.max(limit - LIMITS.descriptorReserve, 2);
	// The process's own files are as many as the reserve, at most.
	const forConnections = Math.max(shared - LIMITS.descriptorReserve, 2);
	return {
		clients: Math.floor(forConnections / 2),
		management: Math.min(
			LIMITS.managementConnections,
			Math.ceil(shared * LIMITS.managementDescriptorShare),
		),
		upstreamEnd: shared,
		clientEnd: Math.max(limit - LIMITS.descriptorReserve / 2, 2),
	};
}

/** The shares of this process. */
export const descriptorShares = (): DescriptorShares => sharesOf(addon.descriptorLimit());

/** All numbers below `end` are taken. */
export function areTaken(end: number): boolean {
	const free = addon.lowestFreeDescriptor();
	return free < 0 || free >= end;
}

/** From now on connections to plain HTTP backends keep to their share. */
export const limitUpstreamDescriptors = ({ upstreamEnd }: DescriptorShares): void =>
	addon.limitUpstreamDescriptors(upstreamEnd);

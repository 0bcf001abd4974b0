/**
 * How many connections a worker may have to one address of a backend, if its document doesn't say: as many as
 * descriptors and ports allow, for it is a net and not a budget. A connection to a backend has a client's
 * beside it, and all workers share the ports that the kernel has to one address. Used by `edge/edge.ts`.
 */
import { LIMITS } from "../limits.ts";

/**
 * @param forBackends descriptors that connections to backends may have (`descriptors.ts`)
 * @param workers processes that connect to the same address
 */
export const connectionLimit = (forBackends: number, workers: number): number => {
	const byPorts = Math.floor(LIMITS.upstreamPorts / workers);
	return Math.max(32, Math.min(LIMITS.upstreamConnections, forBackends, byPorts));
};

/**
 * How many connections a worker may have to one address of a backend, if its document doesn't say: as many as
 * descriptors and ports allow, for it is a net and not a budget. A connection to a backend has a client's
 * beside it, so that half of the descriptors are for clients; and all workers share the ports that the kernel
 * has to one address. Used by `edge/edge.ts`.
 */
import { LIMITS } from "../limits.ts";

/**
 * @param descriptors that the process may have open
 * @param workers processes that connect to the same address
 */
export const connectionPlaces = (descriptors: number, workers: number): number => {
	const byDescriptors = Math.floor((descriptors - LIMITS.reservedDescriptors) / 2);
	const byPorts = Math.floor(LIMITS.upstreamPorts / workers);
	return Math.max(32, Math.min(LIMITS.upstreamConnections, byDescriptors, byPorts));
};

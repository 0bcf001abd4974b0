/**
 * How many connections a worker may have to one address of a backend if the backend's document does not say: as
 * many as descriptors and ports allow, since the limit is there to protect the process, not to share it out. Each
 * connection to a backend serves a client that has a connection, too, and all workers share the ports that the
 * kernel has for connections to one address. Used by `edge/worker-backends.ts`.
 */
import { LIMITS } from "../limits/limits.ts";

/**
 * @param forBackends descriptors that connections to backends may have (`descriptors.ts`)
 * @param workers processes that connect to the same address
 */
export const connectionLimit = (forBackends: number, workers: number): number => {
	const byPorts = Math.floor(LIMITS.upstreamPorts / workers);
	return Math.max(32, Math.min(LIMITS.upstreamConnections, forBackends, byPorts));
};

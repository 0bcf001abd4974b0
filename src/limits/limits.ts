/**
 * Everything that can grow has its bound here, with its unit and its source; a file for each room, one table for all
 * readers. `contract n` names a section of docs/contract.md. Bounds that an operator may raise are the defaults of the
 * config file (`config.ts`).
 */
import { CEL_LIMITS } from "./cel.ts";
import { DOCUMENTS_LIMITS } from "./documents.ts";
import { EDGE_LIMITS } from "./edge.ts";
import { EXPLAIN_LIMITS } from "./explain.ts";
import { FLEET_LIMITS } from "./fleet.ts";
import { HTTP_LIMITS } from "./http.ts";
import { LIMITER_LIMITS } from "./limiter.ts";
import { MANAGEMENT_LIMITS } from "./management.ts";
import { POLICY_LIMITS } from "./policy.ts";
import { PROCESS_LIMITS } from "./process.ts";
import { REPLAY_LIMITS } from "./replay.ts";
import { SLOW_CLIENTS_LIMITS } from "./slow-clients.ts";
import { STORE_LIMITS } from "./store.ts";
import { TELEMETRY_LIMITS } from "./telemetry.ts";
import { THREADS_LIMITS } from "./threads.ts";
import { UPSTREAM_LIMITS } from "./upstream.ts";

export const LIMITS = {
	...CEL_LIMITS,
	...DOCUMENTS_LIMITS,
	...EDGE_LIMITS,
	...EXPLAIN_LIMITS,
	...FLEET_LIMITS,
	...HTTP_LIMITS,
	...LIMITER_LIMITS,
	...MANAGEMENT_LIMITS,
	...POLICY_LIMITS,
	...PROCESS_LIMITS,
	...REPLAY_LIMITS,
	...SLOW_CLIENTS_LIMITS,
	...STORE_LIMITS,
	...TELEMETRY_LIMITS,
	...THREADS_LIMITS,
	...UPSTREAM_LIMITS,
} as const;

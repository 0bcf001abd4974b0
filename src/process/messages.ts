/**
 * What supervisor and workers say to each other over Node's IPC channel, which keeps order.
 *
 * A worker reads edges and routes, says `loaded`, and listens when told `listen`: announcements sent
 * before that have been applied by then because the channel is ordered, and from `loaded` on the
 * supervisor waits for this worker's `applied` too. So no worker ever serves an older policy than one
 * that the API has acknowledged (contract 2, read your writes on the data path).
 */
import type { Config } from "../config.ts";
import type { LiveToken, SeenRequest } from "../edge/seen/seen-request.ts";
import type { TicketSecrets } from "../edge/tls/ticket-key.ts";
import type { FrontState } from "../http/front-telemetry.ts";
import type { Change } from "../store/store.ts";
import type { LiveReport } from "../telemetry/live-report.ts";
import type { MetricsSnapshot } from "../telemetry/metrics.ts";
import type { PackedTraffic } from "../telemetry/traffic/worker-traffic.ts";

/** What all workers that start at one time are given alike. */
export interface WorkerFiles {
	/** the file that all workers share; null: each counts in its own memory */
	readonly counters: string | null;
	readonly store: WorkerStore;
	/** every request is answered with 503 until told otherwise */
	readonly refuses: boolean;
	/** requests with one of these are to be explained */
	readonly tokens: readonly LiveToken[];
}

/** The store that the supervisor has open: its folder and `identity`. */
export interface WorkerStore {
	readonly folder: string;
	readonly identity: string;
}

export interface WorkerStart extends WorkerFiles {
	/** from 0; its place among the workers, in metrics */
	readonly index: number;
	readonly config: Config;
	readonly tickets: TicketSecrets;
	/** descriptors to accept from, for each listener; none: the worker binds for itself */
	readonly sockets: readonly (readonly number[])[];
}

/** What a reload asks of workers that stay. */
export interface Settlement {
	/** differs from the worker's in settings that can be taken over, and in these listeners */
	readonly config: Config;
	/** places in `config.listen` */
	readonly listeners: readonly number[];
}

export type ToWorker =
	| ({ readonly type: "start" } & WorkerStart)
	| { readonly type: "tickets"; readonly secrets: TicketSecrets }
	/** read these from the store again and swap them in, then say `applied` */
	| { readonly type: "apply"; readonly id: number; readonly changes: readonly Change[] }
	/** requests are answered with 503, or again as the routes say */
	| { readonly type: "refuse"; readonly refuses: boolean }
	/** in place of those before; then say `applied` */
	| { readonly type: "watch"; readonly id: number; readonly tokens: readonly LiveToken[] }
	| { readonly type: "listen" }
	/** take over a configuration that needs no new process, then say `settled` */
	| ({ readonly type: "settle"; readonly id: number } & Settlement)
	/** stop accepting, finish what is in flight within `timeoutMs` (0: however long it takes), exit 0 */
	| { readonly type: "drain"; readonly timeoutMs: number }
	/** what is still in flight is to be ended now */
	| { readonly type: "hurry" }
	/** log files have been moved: open them again under their names */
	| { readonly type: "reopen" }
	| { readonly type: "metrics"; readonly id: number }
	/** once a second: what there is for the live page; says no other counters, which may be many */
	| { readonly type: "live"; readonly id: number };

export type ToSupervisor =
	/** the event loop turns; once per `LIMITS.heartbeatMs` */
	| { readonly type: "alive" }
	| { readonly type: "loaded" }
	| { readonly type: "listening"; readonly front: FrontState }
	| { readonly type: "applied"; readonly id: number }
	/** @param needsWorker settings that this worker could not take over, or why; nothing: all is taken over */
	| { readonly type: "settled"; readonly id: number; readonly needsWorker: readonly string[] }
	/** it accepts no more, told by a signal or by the supervisor */
	| { readonly type: "leaving" }
	/** a long change is still being worked on */
	| { readonly type: "progress" }
	| {
			readonly type: "metrics";
			readonly id: number;
			readonly metrics: MetricsSnapshot;
			/** since the last such message: it is to be added up, whoever waits for it */
			readonly traffic: PackedTraffic;
	  }
	| {
			readonly type: "live";
			readonly id: number;
			/** as that of `metrics` */
			readonly traffic: PackedTraffic;
			readonly report: LiveReport;
	  }
	/** a request that is to be explained, once it is over */
	| { readonly type: "seen"; readonly seen: SeenRequest }
	/** start-up failed for a reason that people must hear, e.g. a port that can't be bound */
	| { readonly type: "fatal"; readonly message: string };

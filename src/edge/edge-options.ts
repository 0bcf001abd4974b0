/** What an edge is made of (`edge.ts`, `edge-parts.ts`): the configuration, and what the worker's process has opened. */
import type { Config } from "../config.ts";
import type { Front } from "../http/front.ts";
import type { RateLimiters } from "../policy/admission.ts";
import type { preparePolicy } from "../policy/rules/compile.ts";
import type { StoreReader } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { WorkerTraffic } from "../telemetry/traffic/worker-traffic.ts";
import type { Evaluator } from "../threads/expression-evaluator.ts";
import type { ProgramMaker } from "../threads/program-maker.ts";
import type { UpstreamFactory } from "../upstream/upstream.ts";
import type { AccessOutput } from "./access/access-log.ts";
import type { SpanSink } from "./access/request-spans.ts";
import type { Geo, GeoFile } from "./geo.ts";
import type { SeenRequest } from "./seen/seen-request.ts";
import type { TicketSecrets } from "./tls/ticket-key.ts";

export interface EdgeOptions {
	readonly config: Config;
	readonly reader: StoreReader;
	readonly limiters: RateLimiters;
	readonly prepare: typeof preparePolicy;
	readonly upstreamFactory: UpstreamFactory;
	readonly log: Log;
	readonly metrics: Metrics;
	/** what is counted of each request; without one nobody asks */
	readonly traffic?: WorkerTraffic | undefined;
	readonly geo: Geo & Partial<GeoFile>;
	/** for access lines that have a destination of their own; without it they go to the log */
	readonly accessOutput?: AccessOutput | undefined;
	/** takes the spans of requests; undefined: tracing is off */
	readonly spans?: SpanSink | undefined;
	/** serves clients in place of the server library; without it the library serves them alone */
	readonly front?: Front | undefined;
	/** secrets for session tickets that all workers share; undefined: each listener makes its own */
	readonly tickets?: TicketSecrets | undefined;
	/** descriptors to accept from, for each listener; none: the server library binds for itself */
	readonly sockets?: readonly (readonly number[])[] | undefined;
	/** told of requests that are to be explained, once they are over */
	readonly seen?: ((request: SeenRequest) => void) | undefined;
	/** settles what is too expensive for the event loop */
	readonly evaluator: Evaluator;
	/** compiles what is too long for the event loop */
	readonly programs: ProgramMaker;
}

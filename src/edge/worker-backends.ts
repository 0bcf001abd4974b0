/** The backends of one worker: how its configuration bounds them, and what is counted and logged of them. Made by `edge.ts`. */
import type { Config } from "../config.ts";
import { descriptorShares } from "../descriptors.ts";
import { LIMITS } from "../limits/limits.ts";
import { type CounterSeries, type Metrics, series } from "../telemetry/metrics.ts";
import type { WorkerTraffic } from "../telemetry/traffic/worker-traffic.ts";
import { connectionLimit } from "../upstream/connection-limit.ts";
import type { UpstreamFactory, UpstreamFailure, UpstreamOptions } from "../upstream/upstream.ts";
import type { UpstreamLog } from "./proxying/upstream-log.ts";
import { Backends } from "./routing/backends.ts";
import type { BodyMemory } from "./slow/body-memory.ts";

const FAILURES: Readonly<Record<UpstreamFailure, CounterSeries>> = {
	connect: series("weir_upstream_errors_total", { reason: "connect" }),
	broken: series("weir_upstream_errors_total", { reason: "broken" }),
	timeout: series("weir_upstream_errors_total", { reason: "timeout" }),
	queue_full: series("weir_upstream_errors_total", { reason: "queue_full" }),
};
const RETRIES = series("weir_upstream_retries_total", {});

interface BackendsOf {
	readonly config: Config;
	readonly upstreamFactory: UpstreamFactory;
	readonly metrics: Metrics;
}

interface Told {
	readonly upstreamLog: UpstreamLog;
	readonly traffic: Pick<WorkerTraffic, "backends">;
}

/** @param memory of bodies that wait for backends */
export const workerBackends = (
	{ config, upstreamFactory, metrics }: BackendsOf,
	memory: BodyMemory,
	{ upstreamLog, traffic }: Told,
): Backends => {
	const options: UpstreamOptions = {
		connectTimeoutMs: config.timeouts.upstreamConnectMs,
		responseTimeoutMs: config.timeouts.upstreamResponseMs,
		idleTimeoutMs: config.timeouts.idleMs,
		connections: connectionLimit(descriptorShares().clients, config.workers),
		queue: LIMITS.upstreamQueue,
		onAttemptFailed: (failure, address, message) => {
			metrics.add(FAILURES[failure]);
			traffic.backends.failed(address, failure);
			upstreamLog.attemptFailed(failure, address, message);
		},
		onRetry: () => metrics.add(RETRIES),
	};
	const factory: UpstreamFactory = (document, each) => {
		if (document.tls?.verify === false) upstreamLog.unverified(document.urls);
		return upstreamFactory(document, each);
	};
	const backends = new Backends(factory, options, memory, ({ addresses }) =>
		traffic.backends.closed(addresses),
	);
	traffic.backends.readFrom(() => backends.takeStates());
	return backends;
};

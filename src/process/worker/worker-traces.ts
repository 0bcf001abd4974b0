/**
 * A worker's way to the collector of its spans: opened where tracing is on, with what becomes of spans counted, and said in
 * the log when the collector takes none. Used by `worker.ts`.
 */
import type { Config } from "../../config.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Log } from "../../telemetry/log.ts";
import { LogPace } from "../../telemetry/log-pace.ts";
import { type Metrics, series } from "../../telemetry/metrics.ts";
import { openSpanQueue } from "../../telemetry/traces/otlp.ts";
import type { SpanEnds, SpanQueue } from "../../telemetry/traces/span-queue.ts";
import { versionOf } from "../version.ts";

type Counts = Pick<Metrics, "counter">;

function spanEnds(metrics: Counts, log: Pick<Log, "warn">, endpoint: string): SpanEnds {
	const [exported, failed, dropped] = (["exported", "failed", "dropped"] as const).map((result) =>
		metrics.counter(series("weir_trace_spans_total", { result })),
	);
	const pace = new LogPace(LIMITS.traceLossLogMs);
	const lost = (reason: string): void => {
		if (pace.happened(performance.now()) === undefined) return;
		log.warn({ endpoint, reason }, "the collector takes no spans");
	};
	return {
		exported(spans) {
			if (exported !== undefined) exported.value += spans;
		},
		failed(spans, reason) {
			if (failed !== undefined) failed.value += spans;
			lost(reason);
		},
		dropped(spans) {
			if (dropped !== undefined) dropped.value += spans;
			lost("more spans come than it takes");
		},
	};
}

/** @returns undefined: tracing is off, and nothing is loaded for it */
export async function openTraces(
	{ endpoint, serviceName }: Config["tracing"],
	metrics: Counts,
	log: Pick<Log, "warn">,
): Promise<SpanQueue | undefined> {
	if (endpoint === null) return undefined;
	const ends = spanEnds(metrics, log, endpoint);
	return await openSpanQueue({ endpoint, serviceName, version: versionOf() }, ends);
}

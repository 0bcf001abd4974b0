/**
 * What a weir that another one takes over from tells of its counters: a part of `protocol.ts`, made and read by
 * `supervisor/scrape.ts`.
 */
import { z } from "zod";

/** One that can't be read is no reason to end a weir that nobody else stands in for any more. */
const numbers = z.record(z.string(), z.number()).catch({});

/** Of an earlier version {} is what it does not tell. */
export const handedCounts = z.object({
	/** by series */
	metrics: numbers,
	/** of routes, rules, backends and durations (`telemetry/traffic/handed-traffic.ts`) */
	traffic: numbers,
	/** by series: what those of rate-limits have beyond what their limits have counted (`supervisor/limit-metrics.ts`) */
	limits: numbers,
});
export type HandedCounts = z.infer<typeof handedCounts>;

export const NOTHING_COUNTED: HandedCounts = { metrics: {}, traffic: {}, limits: {} };

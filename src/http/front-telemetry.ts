/**
 * What a process tells of its front: whether its listeners have one, and which clients it closed. Used by
 * `edge/services.ts` for the data path, by `process/supervisor/` for the management API.
 */
import type { Log } from "../telemetry/log.ts";
import type { LabelsOf } from "../telemetry/metric-families.ts";
import { type Metrics, series } from "../telemetry/metrics.ts";
import type { Front } from "./front.ts";

/** Who reads clients: weir's front, by its configuration the server library alone, or that although it is on. */
export type FrontState = "on" | "off" | "unavailable";

/** A listener's clients are read by the server library alone, although the front is on. */
export function reportMissingFront(
	side: LabelsOf<"weir_front_missing_total">["side"],
	listener: string,
	metrics: Metrics,
	log: Pick<Log, "warn">,
): void {
	metrics.add(series("weir_front_missing_total", { side }));
	log.warn(
		{ side, listener },
		"the front is not available with this build of the server library: it reads clients alone (docs/known-limits.md says what does not hold then)",
	);
}

/** Once in a process. */
export function countClosed(front: Front, metrics: Metrics): void {
	const closed = (reason: LabelsOf<"weir_clients_silent_total">["reason"]) =>
		metrics.counter(series("weir_clients_silent_total", { reason }));
	front.countInto(closed("silent"), closed("unread"));
}

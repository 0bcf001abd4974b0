/**
 * Writes a line to the log when a request is ended because its client is too slow. There is at most one line a second
 * for each direction and reason, because an attack ends thousands of requests. Used by `services.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Log } from "../../telemetry/log.ts";
import { eventsBefore, LogPaces } from "../../telemetry/log-pace.ts";
import type { Direction, SlowReason } from "./slow-clients.ts";

/** Of a request, as much as the line tells. */
export interface EndedRequest {
	readonly edgeId: string;
	readonly routeId: string;
	readonly loggedIp: string;
}

export class SlowLog {
	readonly #log: Log;
	readonly #paces = new LogPaces(LIMITS.slowLogMs);

	constructor(log: Log) {
		this.#log = log;
	}

	ended(
		request: EndedRequest,
		direction: Direction,
		reason: SlowReason,
		nowMs = performance.now(),
	): void {
		const times = this.#paces.happened(`${direction} ${reason}`, nowMs);
		if (times === undefined) return;
		this.#log.warn(
			{
				edge: request.edgeId,
				route: request.routeId,
				client_ip: request.loggedIp,
				direction,
				reason,
				...eventsBefore(times),
			},
			"slow client ended",
		);
	}
}

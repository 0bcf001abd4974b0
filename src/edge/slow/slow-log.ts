/**
 * A line in the log when requests are ended because their client is too slow: at most one a second for each reason,
 * since an attack is a thousand of them. Used by `services.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Log } from "../../telemetry/log.ts";
import { LogPace } from "../../telemetry/log-pace.ts";
import type { Exchange } from "../exchange.ts";
import type { Direction, SlowReason } from "./slow-clients.ts";

export class SlowLog {
	readonly #log: Log;
	readonly #paces = new Map<string, LogPace>();

	constructor(log: Log) {
		this.#log = log;
	}

	ended(
		exchange: Exchange,
		direction: Direction,
		reason: SlowReason,
		nowMs = performance.now(),
	): void {
		const key = `${direction} ${reason}`;
		const pace = this.#paces.get(key) ?? new LogPace(LIMITS.slowLogMs);
		this.#paces.set(key, pace);
		const times = pace.happened(nowMs);
		if (times === undefined) return;
		this.#log.warn(
			{
				edge: exchange.edgeId,
				route: exchange.routeId,
				client_ip: exchange.loggedIp,
				direction,
				reason,
				...(times === 1 ? {} : { and_before: times - 1 }),
			},
			"slow client ended",
		);
	}
}

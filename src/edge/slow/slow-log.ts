/**
 * A line in the log when requests are ended because their client is too slow: at most one a second for each reason,
 * since an attack is a thousand of them. Used by `services.ts`.
 */
import { LIMITS } from "../../limits.ts";
import type { Log } from "../../log.ts";
import type { Exchange } from "../exchange.ts";
import type { Direction, SlowReason } from "./slow-clients.ts";

interface Logged {
	atMs: number;
	/** since the last line */
	unlogged: number;
}

export class SlowLog {
	readonly #log: Log;
	readonly #logged = new Map<string, Logged>();

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
		const last = this.#logged.get(key);
		if (last !== undefined && nowMs - last.atMs < LIMITS.slowLogMs) {
			last.unlogged++;
			return;
		}
		this.#logged.set(key, { atMs: nowMs, unlogged: 0 });
		this.#log.warn(
			{
				edge: exchange.edgeId,
				route: exchange.routeId,
				client_ip: exchange.loggedIp,
				direction,
				reason,
				...(last === undefined || last.unlogged === 0 ? {} : { and_before: last.unlogged }),
			},
			"slow client ended",
		);
	}
}

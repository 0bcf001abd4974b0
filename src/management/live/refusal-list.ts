/**
 * The last refused requests of all workers, in the order in which they were refused. Used by `feed.ts` and
 * `GET /live/refusals`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { RefusalRecord } from "../../telemetry/live-report.ts";
import type { Decisions } from "./decisions.ts";
import type { LiveRefusals, Refusal } from "./shapes.ts";
import type { Reported } from "./source.ts";

export class RefusalList {
	/** oldest first */
	#kept: Refusal[] = [];
	#nextId = 1;
	#leftOut = 0;

	/** Those of one collection. @param decisions told of all @returns what is new, newest first, as much as an event carries */
	add(reports: readonly Reported[], decisions?: Pick<Decisions, "add">): LiveRefusals {
		const found = reports
			.flatMap(({ index, report }) => report.refused.map((record) => ({ record, index })))
			.sort((one, other) => one.record.ms - other.record.ms)
			.map(({ record, index }) => told(record, index, String(this.#nextId++)));
		const untold = reports.reduce(
			(sum, { report }) => sum + Math.max(report.refusals - report.refused.length, 0),
			0,
		);
		decisions?.add(found);
		this.#kept.push(...found);
		const dropped = Math.max(this.#kept.length - LIMITS.liveRefusals, 0);
		this.#kept = this.#kept.slice(dropped);
		this.#leftOut += untold + dropped;
		const shown = found.slice(-LIMITS.liveRefusalsPerSecond);
		return {
			refusals: shown.toReversed(),
			left_out: untold + found.length - shown.length,
		};
	}

	/** @param most entries, newest first */
	list(most: number): LiveRefusals {
		const refusals = this.#kept.slice(-most).toReversed();
		return { refusals, left_out: this.#leftOut + this.#kept.length - refusals.length };
	}
}

function told(record: RefusalRecord, worker: number, id: string): Refusal {
	const { rule } = record;
	return {
		id,
		ts: record.ms,
		request_id: record.requestId ?? null,
		client_ip: record.clientIp,
		edge_id: record.edgeId || null,
		route_id: record.routeId || null,
		method: record.method,
		host: record.host,
		path: record.path,
		status: record.status,
		reason: record.reason,
		rule:
			rule === undefined ? null : { phase: rule.phase, index: rule.ruleIndex, name: rule.ruleName },
		limit: record.limit ?? null,
		worker,
	};
}

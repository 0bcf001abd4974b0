/** Workers together: who serves, who answers, who reads clients, and what all are asked. Used by `worker-set.ts`. */

import type { FrontState } from "../../http/front-telemetry.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { PlainSnapshot } from "../../telemetry/metrics.ts";
import type { Settlement } from "../messages.ts";
import type { WorkerHandle } from "./worker-handle.ts";

type Seen = Pick<WorkerHandle, "state" | "heartbeat" | "front" | "index">;

const servingOf = (workers: Iterable<Seen>): Seen[] =>
	[...workers].filter(({ state }) => state === "listening");

const answeringOf = (workers: Iterable<Seen>, nowMs: number): Seen[] =>
	servingOf(workers).filter(({ heartbeat }) => !heartbeat.isLate(nowMs));

const countAnswering = (workers: Iterable<Seen>, nowMs: number): number =>
	answeringOf(workers, nowMs).length;

/** The supervisor's own; restarts, which are counted elsewhere, are told before the first one. */
export const ownMetrics = (workers: Iterable<Seen>, nowMs: number): PlainSnapshot => ({
	weir_workers: countAnswering(workers, nowMs),
	weir_worker_restarts_total: 0,
	weir_workers_stuck_total: 0,
});

/** Of `count` workers: new connections go where one accepts them, of whatever generation it is. */
export function leadTo(
	workers: Iterable<Seen>,
	count: number,
	sockets: { lead(count: number, accepts: (worker: number) => boolean): void },
): void {
	const accepting = new Set(answeringOf(workers, performance.now()).map(({ index }) => index));
	sockets.lead(count, (worker) => accepting.has(worker));
}

/** true, or why not: some of the connections would go to a worker that does not answer */
export function readinessOf(workers: Iterable<Seen>, nowMs: number): boolean | string {
	const all = [...workers];
	const serving = servingOf(all).length;
	const answering = countAnswering(all, nowMs);
	if (answering < serving) return `${answering} of ${serving} workers answer at the moment.`;
	return serving > 0;
}

/** Where workers differ, the worst. */
export function frontOf(workers: Iterable<Seen>): FrontState {
	return servingOf(workers).find(({ front }) => front !== "on")?.front ?? "on";
}

/**
 * Has the workers that stay take over a configuration.
 * @param count how many there should be @returns why they can't, or nothing
 */
export async function settleAll(
	workers: Iterable<Pick<WorkerHandle, "drained" | "settle">>,
	count: number,
	id: number,
	settlement: Settlement,
): Promise<readonly string[]> {
	const staying = [...workers].filter(({ drained }) => !drained);
	if (staying.length < count) return ["a worker is being replaced"];
	const all = staying.map((worker) => worker.settle(id, settlement, LIMITS.settleMs));
	return [...new Set((await Promise.all(all)).flat())];
}

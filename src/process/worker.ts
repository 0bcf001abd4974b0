/**
 * A worker process: the data path over a snapshot of the store (design, "Processes"). Started by
 * `worker-handle.ts` only; everything it is told comes over the IPC channel (`messages.ts`).
 */

import { createEdge, type Edge } from "../edge/edge.ts";
import { openGeo } from "../edge/geo.ts";
import { RequestView } from "../edge/request-view.ts";
import { ExpressionEvaluator } from "../heavy/expression-evaluator.ts";
import { openHeavyQueue } from "../heavy/heavy-queue.ts";
import { ThreadProgramMaker } from "../heavy/program-maker.ts";
import { NativeLimiters } from "../limiter/limiters.ts";
import { openLog } from "../log.ts";
import { Metrics } from "../metrics.ts";
import { preparePolicy } from "../policy/compile.ts";
import { openReader, StoreError } from "../store/open.ts";
import type { Change } from "../store/store.ts";
import { upstreamFactory } from "../upstream/create-upstream.ts";
import type { ToSupervisor, ToWorker, WorkerStart } from "./messages.ts";
import { keepTouched, openWorkerCounters, reportGrowth } from "./worker-counters.ts";

/** how often a long change says that it is being worked on */
const PROGRESS_MS = 500;

const metrics = new Metrics();
let edge: Edge | undefined;
let drainMs = 0;
/** What comes before the snapshot is complete; received in order once it is. */
const early: ToWorker[] = [];

const say = (message: ToSupervisor): void => {
	if (process.connected) process.send?.(message, () => {});
};

async function start({ config, counters: countersPath, store }: WorkerStart): Promise<void> {
	drainMs = config.timeouts.drainMs;
	const log = openLog(config.log, () => metrics.add("weir_log_lines_dropped_total"));
	const reader = openReader(store.folder, store.identity);
	const counters = openWorkerCounters(countersPath, log);
	const limiters = new NativeLimiters({
		counters,
		keysMax: config.keysPerRateLimit,
		onNoRoom: () =>
			log.error(
				{},
				"no room for another rate-limit: new ones are counted by each worker for itself",
			),
	});
	keepTouched(limiters, reportGrowth(counters, log));
	const heavy = openHeavyQueue((reason) => {
		metrics.add("weir_heavy_threads_lost_total");
		log.error({ reason }, "the thread for expensive expressions was lost and is replaced");
	});
	edge = createEdge({
		config,
		reader,
		log,
		metrics,
		geo: await openGeo(config.geoDatabase),
		limiters,
		prepare: preparePolicy,
		upstreamFactory: upstreamFactory((name, reason) =>
			log.warn({ name, reason }, "a backend's name could not be resolved"),
		),
		evaluator: new ExpressionEvaluator(heavy, metrics),
		programs: new ThreadProgramMaker(heavy),
		requestView: RequestView.open(),
	});
	edge.load();
	for (const message of early.splice(0)) receive(message);
	say({ type: "loaded" });
}

function receive(message: ToWorker): void {
	switch (message.type) {
		case "start":
			break;
		case "apply":
			applying = applying.then(() => apply(message.id, message.changes), stopWith);
			break;
		case "listen":
			// Behind what was announced before it.
			applying.then(() => edge?.listen()).then(() => say({ type: "listening" }), stopWith);
			break;
		case "drain":
			void leave(message.timeoutMs);
			break;
		case "metrics":
			say({ type: "metrics", id: message.id, metrics: metrics.snapshot() });
			break;
	}
}

/** Announcements are taken over one after the other, in the order in which they came. */
let applying = Promise.resolve();
let saidMs = 0;

async function apply(id: number, changes: readonly Change[]): Promise<void> {
	try {
		await edge?.prepare(changes, () => {
			const now = performance.now();
			if (now - saidMs < PROGRESS_MS) return;
			saidMs = now;
			say({ type: "progress" });
		});
		edge?.apply(changes);
	} catch (error) {
		// The supervisor sees the same files and doesn't acknowledge the change; what is served stays.
		if (!(error instanceof StoreError && error.lost)) throw error;
	}
	say({ type: "applied", id });
}

let leaving = false;
async function leave(timeoutMs: number): Promise<void> {
	if (leaving) return;
	leaving = true;
	// The last counters go along, so that the supervisor's totals keep what this worker counted.
	await edge?.drain(timeoutMs);
	say({ type: "metrics", id: 0, metrics: metrics.snapshot() });
	setImmediate(() => process.exit(0));
}

function stopWith(error: unknown): void {
	const message = error instanceof Error ? error.message : String(error);
	if (!process.connected) process.exit(1);
	process.send?.({ type: "fatal", message } satisfies ToSupervisor, () => process.exit(1));
}

let started = false;
process.on("message", (message: ToWorker) => {
	if (message.type === "start" && !started) {
		started = true;
		start(message).catch(stopWith);
	} else if (edge === undefined) early.push(message);
	else receive(message);
});

// Ctrl-C reaches the whole process group; the supervisor decides what it means.
process.on("SIGINT", () => {});
process.on("SIGHUP", () => {});
process.on("SIGTERM", () => void leave(drainMs));
// The supervisor is gone: let go of the port so that the next one can have it.
process.on("disconnect", () => void leave(drainMs));

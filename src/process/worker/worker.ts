/**
 * A worker process: the data path over a snapshot of the store (docs/design.md, "Processes"). Begun by
 * `worker-entry.ts`; everything it is told comes over the IPC channel (`messages.ts`) or is a signal.
 */

import { createEdge, type Edge } from "../../edge/edge.ts";
import { openGeo } from "../../edge/geo.ts";
import { Front } from "../../http/front.ts";
import { NativeLimiters } from "../../limiter/limiters.ts";
import { LIMITS } from "../../limits/limits.ts";
import { preparePolicy } from "../../policy/rules/compile.ts";
import { openReader, StoreError } from "../../store/open.ts";
import type { Change, StoreReader } from "../../store/store.ts";
import type { SpanQueue } from "../../telemetry/traces/span-queue.ts";
import { ExpressionEvaluator } from "../../threads/expression-evaluator.ts";
import { openExpressionThreads } from "../../threads/expression-threads.ts";
import { ThreadProgramMaker } from "../../threads/program-maker.ts";
import { upstreamFactory } from "../../upstream/create-upstream.ts";
import type { Settlement, ToSupervisor, ToWorker, WorkerStart } from "../messages.ts";
import type { WorkerSignals } from "../signals/worker-signals.ts";
import { compileSooner } from "../sooner-compiled.ts";
import { Announcements } from "./announcements.ts";
import { beat } from "./beat.ts";
import { LiveReporter } from "./live-reporter.ts";
import { keepReported, keepTouched, openWorkerCounters, reportGrowth } from "./worker-counters.ts";
import { WorkerLogs } from "./worker-logs.ts";
import { LAST, WorkerMetrics } from "./worker-metrics.ts";
import { openTraces } from "./worker-traces.ts";

/** how often a long change says that it is being worked on */
const PROGRESS_MS = 500;

const counted = new WorkerMetrics();
const { metrics, traffic } = counted;
let served: StoreReader | undefined;
let edge: Edge | undefined;
let logs: WorkerLogs | undefined;
let limiters: NativeLimiters | undefined;
/** where tracing is on */
let spans: SpanQueue | undefined;
let drainMs = 0;
let wantsFront = true;
/** another worker may find room for what this one counts for itself */
let countsAlone = false;
/** What comes before the snapshot is complete; received in order once it is. */
const early: ToWorker[] = [];

const say = (message: ToSupervisor): void => {
	if (process.connected) process.send?.(message, () => {});
};
const reporter = new LiveReporter(() => edge, traffic, say);

async function start({
	index,
	config,
	counters: countersPath,
	store,
	tickets,
	refuses,
	tokens,
	sockets,
}: WorkerStart): Promise<void> {
	counted.begin(index);
	drainMs = config.timeouts.drainMs;
	wantsFront = config.front === "on";
	logs = new WorkerLogs(config.log, metrics);
	const { log: own, access } = logs;
	spans = await openTraces(config.tracing, metrics, own);
	const reader = openReader(store.folder, store.identity);
	served = reader;
	const counters = openWorkerCounters(countersPath, own, () => {
		countsAlone = true;
	});
	limiters = new NativeLimiters({
		counters,
		keysMax: config.keysPerRateLimit,
		onNoRoom: () => {
			countsAlone = true;
			own.error(
				{},
				"no room for another rate-limit: new ones are counted by each worker for itself",
			);
		},
	});
	keepTouched(limiters, reportGrowth(counters, own));
	keepReported(limiters);
	const expressionThreads = openExpressionThreads({
		...config.expressions,
		onLost: (reason) => {
			metrics.add("weir_heavy_threads_lost_total");
			own.error({ reason }, "a thread for expensive expressions was lost and is replaced");
		},
		onReplaced: () => metrics.add("weir_heavy_threads_replaced_total"),
	});
	edge = createEdge({
		config,
		reader,
		log: own,
		accessOutput: access,
		spans,
		metrics,
		traffic,
		geo: await openGeo(config.geoDatabase),
		limiters,
		prepare: preparePolicy,
		upstreamFactory: upstreamFactory((name, reason) =>
			own.warn({ name, reason }, "a backend's name could not be resolved"),
		),
		evaluator: new ExpressionEvaluator(expressionThreads, metrics),
		programs: new ThreadProgramMaker(expressionThreads),
		front: config.front === "on" ? Front.open() : undefined,
		tickets,
		sockets,
		seen: (seen) => say({ type: "seen", seen }),
	});
	edge.load();
	edge.refuse(refuses);
	edge.watch(tokens);
	counted.serves(reader);
	counted.countPolicies(index, () => edge?.policiesInUse ?? 0);
	for (const message of early.splice(0)) receive(message);
	say({ type: "loaded" });
}

function receive(message: ToWorker): void {
	switch (message.type) {
		case "start":
			break;
		case "apply":
			void announced.take(message.changes, () => apply(message.id, message.changes));
			break;
		case "settle":
			void announced.alone(() => settle(message.id, message));
			break;
		case "listen":
			if (leaving) break;
			// Behind what was announced before it.
			announced.settled().then(listen).catch(stopWith);
			break;
		case "drain":
			void leave(message.timeoutMs);
			break;
		case "hurry":
			edge?.hurry();
			break;
		case "refuse":
			edge?.refuse(message.refuses);
			break;
		case "watch":
			edge?.watch(message.tokens);
			say({ type: "applied", id: message.id });
			break;
		case "tickets":
			edge?.setTickets(message.secrets);
			break;
		case "reopen":
			logs?.reopen();
			break;
		case "metrics":
			edge?.collect();
			say(counted.told(message.id));
			break;
		case "live":
			reporter.tellSoon(message.id);
			break;
	}
}

async function listen(): Promise<void> {
	const front = (await edge?.listen()) === true ? "on" : wantsFront ? "unavailable" : "off";
	say({ type: "listening", front });
	compileSooner();
}

const announced = new Announcements(stopWith);
let saidMs = 0;

async function apply(id: number, changes: readonly Change[]): Promise<void> {
	try {
		const prepared = await edge?.prepare(changes, () => {
			const now = performance.now();
			if (now - saidMs < PROGRESS_MS) return;
			saidMs = now;
			say({ type: "progress" });
		});
		reporter.finish();
		edge?.apply(changes);
		prepared?.release();
		if (served !== undefined) counted.serves(served);
	} catch (error) {
		// The supervisor sees the same files and doesn't acknowledge the change; what is served stays.
		if (!(error instanceof StoreError && error.lost)) throw error;
	}
	say({ type: "applied", id });
}

/** All of it, or it says what it could not take over, and goes on with the rest. */
async function settle(id: number, { config, listeners }: Settlement): Promise<void> {
	const needsWorker = [...(edge?.stale ?? [])];
	if (countsAlone) needsWorker.push("rate-limits without room");
	if (leaving) needsWorker.push("a worker is being replaced");
	try {
		if (needsWorker.length === 0) await edge?.renew(config, listeners);
		drainMs = config.timeouts.drainMs;
		logs?.settle(config.log);
	} catch (error) {
		needsWorker.push((error as Error).message);
	}
	say({ type: "settled", id, needsWorker });
}

let leaving = false;
async function leave(timeoutMs: number): Promise<void> {
	if (leaving) return;
	leaving = true;
	say({ type: "leaving" });
	// The last counters and refusals go along, so that the supervisor's totals keep what this worker counted.
	await edge?.drain(timeoutMs);
	limiters?.report();
	await spans?.flush(LIMITS.traceFlushMs);
	await logs?.close();
	reporter.tell(LAST);
	say(counted.told(LAST));
	setImmediate(() => process.exit(0));
}

function stopWith(error: unknown): void {
	const message = error instanceof Error ? error.message : String(error);
	if (!process.connected) process.exit(1);
	process.send?.({ type: "fatal", message } satisfies ToSupervisor, () => process.exit(1));
}

export function work(signals: WorkerSignals): void {
	let started = false;
	process.on("message", (message: ToWorker) => {
		if (message.type === "start" && !started) {
			started = true;
			start(message).catch(stopWith);
		} else if (edge === undefined) early.push(message);
		else receive(message);
	});
	// The supervisor is gone: let go of the port so that the next one can have it.
	process.on("disconnect", () => void leave(drainMs === 0 ? LIMITS.orphanMs : drainMs));
	if (!process.connected) void leave(0);
	beat();
	signals.obey({ leave: () => void leave(drainMs), reopenLog: () => logs?.reopen() });
}

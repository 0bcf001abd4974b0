/**
 * A worker process: the data path over a snapshot of the store (docs/design.md, "Processes"). Begun by
 * `worker-entry.ts`; everything it is told comes over the IPC channel (`messages.ts`) or is a signal.
 */

import type { Config } from "../../config.ts";
import { createEdge, type Edge } from "../../edge/edge.ts";
import { openGeo } from "../../edge/geo.ts";
import { Front } from "../../http/front.ts";
import { NativeLimiters } from "../../limiter/limiters.ts";
import { LIMITS } from "../../limits/limits.ts";
import { preparePolicy } from "../../policy/rules/compile.ts";
import { openReader, StoreError } from "../../store/open.ts";
import type { Change, StoreReader } from "../../store/store.ts";
import { openLog } from "../../telemetry/log.ts";
import { SUPERVISOR_STDOUT } from "../../telemetry/log-output.ts";
import { ExpressionEvaluator } from "../../threads/expression-evaluator.ts";
import { openExpressionThreads } from "../../threads/expression-threads.ts";
import { ThreadProgramMaker } from "../../threads/program-maker.ts";
import { upstreamFactory } from "../../upstream/create-upstream.ts";
import { reopenLog } from "../log/process-log.ts";
import { ReplaceableLog } from "../log/replaceable-log.ts";
import type { Settlement, ToSupervisor, ToWorker, WorkerStart } from "../messages.ts";
import type { WorkerSignals } from "../signals/worker-signals.ts";
import { beat } from "./beat.ts";
import { LiveReporter } from "./live-reporter.ts";
import { keepReported, keepTouched, openWorkerCounters, reportGrowth } from "./worker-counters.ts";
import { WorkerMetrics } from "./worker-metrics.ts";

/** how often a long change says that it is being worked on */
const PROGRESS_MS = 500;

const counted = new WorkerMetrics();
const { metrics, traffic } = counted;
const reporter = new LiveReporter();
let served: StoreReader | undefined;
let edge: Edge | undefined;
let log: ReplaceableLog | undefined;
let drainMs = 0;
let logSettings: Config["log"] | undefined;
let wantsFront = true;
/** another worker may find room for what this one counts for itself */
let countsAlone = false;
/** What comes before the snapshot is complete; received in order once it is. */
const early: ToWorker[] = [];

const say = (message: ToSupervisor): void => {
	if (process.connected) process.send?.(message, () => {});
};

/** Never fails: whether a log can be had is judged at start and reload, not when a worker is replaced. */
function openWorkerLog({ level, destination }: Config["log"]): ReturnType<typeof openLog> {
	const toStdout = destination === "stdout";
	return openLog(
		{ level, destination: toStdout ? SUPERVISOR_STDOUT : destination, orStderr: true },
		() => metrics.add("weir_log_lines_dropped_total"),
	);
}

async function start({
	index,
	config,
	counters: countersPath,
	store,
	tickets,
	sockets,
}: WorkerStart): Promise<void> {
	counted.begin(index);
	drainMs = config.timeouts.drainMs;
	wantsFront = config.front === "on";
	logSettings = config.log;
	const own = new ReplaceableLog(openWorkerLog(config.log));
	log = own;
	const reader = openReader(store.folder, store.identity);
	served = reader;
	const counters = openWorkerCounters(countersPath, own, () => {
		countsAlone = true;
	});
	const limiters = new NativeLimiters({
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
	});
	edge.load();
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
			applying = applying.then(() => apply(message.id, message.changes), stopWith);
			break;
		case "settle":
			applying = applying.then(() => settle(message.id, message), stopWith);
			break;
		case "listen":
			if (leaving) break;
			// Behind what was announced before it.
			applying.then(() => edge?.listen()).then(sayListening, stopWith);
			break;
		case "drain":
			void leave(message.timeoutMs);
			break;
		case "hurry":
			edge?.hurry();
			break;
		case "tickets":
			edge?.setTickets(message.secrets);
			break;
		case "reopen":
			if (log !== undefined) reopenLog(log);
			break;
		case "metrics":
			say(counted.told(message.id));
			break;
		case "live":
			say({ type: "live", id: message.id, traffic: traffic.take(), report: reporter.report(edge) });
			break;
	}
}

function sayListening(hasFront: boolean | undefined): void {
	const front = hasFront === true ? "on" : wantsFront ? "unavailable" : "off";
	say({ type: "listening", front });
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
		settleLog(config.log);
	} catch (error) {
		needsWorker.push((error as Error).message);
	}
	say({ type: "settled", id, needsWorker });
}

/** A file is opened again under its name, as log rotation wants it. */
function settleLog(next: Config["log"]): void {
	const isSame = next.destination === logSettings?.destination && next.level === logSettings.level;
	logSettings = next;
	if (!isSame) log?.replace(openWorkerLog(next));
	else if (log !== undefined) reopenLog(log);
}

let leaving = false;
async function leave(timeoutMs: number): Promise<void> {
	if (leaving) return;
	leaving = true;
	say({ type: "leaving" });
	// The last counters go along, so that the supervisor's totals keep what this worker counted.
	await edge?.drain(timeoutMs);
	say(counted.told(0));
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
	signals.obey({
		leave: () => void leave(drainMs),
		reopenLog: () => log !== undefined && reopenLog(log),
	});
}

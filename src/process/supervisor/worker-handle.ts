/**
 * The supervisor's side of one worker process: its state, the changes that it has not acknowledged yet, its counters
 * and its end. Made by `worker-set.ts`.
 */
import type { LiveToken, SeenRequest } from "../../edge/seen/seen-request.ts";
import type { TicketSecrets } from "../../edge/tls/ticket-key.ts";
import type { FrontState } from "../../http/front-telemetry.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Change } from "../../store/store.ts";
import type { LiveReport } from "../../telemetry/live-report.ts";
import type { MetricsSnapshot } from "../../telemetry/metrics.ts";
import { TrafficReader } from "../../telemetry/traffic/traffic-wire.ts";
import type { PackedTraffic, TrafficChange } from "../../telemetry/traffic/worker-traffic.ts";
import type { Settlement, ToSupervisor, ToWorker, WorkerStart } from "../messages.ts";
import { AwaitedAnswers } from "./awaited-answers.ts";
import { AwaitedApplies } from "./awaited-applies.ts";
import { forkWorker, numbersInWorker } from "./fork-worker.ts";
import { Heartbeat } from "./heartbeat.ts";
import { type ProcessEnd, WorkerProcess } from "./worker-process.ts";

const WENT = "a worker is being replaced";
const SILENT = "a worker does not answer";

/** `loading` → `loaded` (must acknowledge) → `listening` → `draining` → `dead` */
export type WorkerState = "loading" | "loaded" | "listening" | "draining" | "dead";

type Asking = Extract<ToWorker, { readonly type: "metrics" | "live" }>;
type Announcement = Extract<ToWorker, { readonly type: "apply" | "watch" }>;

export interface WorkerEvents {
	onLoaded(worker: WorkerHandle): void;
	onListening(worker: WorkerHandle): void;
	/** by itself: somebody has sent it a signal */
	onLeaving(worker: WorkerHandle): void;
	onFatal(worker: WorkerHandle, message: string): void;
	/** what it has counted since it last told */
	onTraffic(worker: WorkerHandle, change: TrafficChange, report?: LiveReport): void;
	/** a request that is to be explained */
	onSeen(worker: WorkerHandle, seen: SeenRequest): void;
	/** also where it could not even be forked */
	onExit(worker: WorkerHandle, end: ProcessEnd): void;
}

export class WorkerHandle {
	readonly index: number;
	readonly startedMs = Date.now();
	readonly pid: number | undefined;
	readonly exited: Promise<void>;
	readonly heartbeat = new Heartbeat(performance.now());
	state: WorkerState = "loading";
	/** once it listens */
	front: FrontState = "on";
	/** told to drain: its end is no crash */
	drained = false;
	/** there is another in its place already */
	replaced = false;
	/** the newest counters heard of; kept so that a worker's death takes none of them along */
	lastMetrics: MetricsSnapshot = {};
	readonly #process: WorkerProcess<ToSupervisor, ToWorker>;
	#deadline: NodeJS.Timeout | undefined;
	readonly #awaitedApplies = new AwaitedApplies(LIMITS.publishAckMs);
	/** of the last `watch`; those of changes are above 0 */
	#watchId = 0;
	readonly #awaitedSettles = new AwaitedAnswers<readonly string[]>();
	readonly #rows = new TrafficReader();
	readonly #awaitedMetrics = new AwaitedAnswers<MetricsSnapshot>();

	constructor(index: number, start: WorkerStart, events: WorkerEvents) {
		this.index = index;
		this.#process = new WorkerProcess(
			() => forkWorker(start),
			(message) => this.#receive(message, events),
		);
		this.pid = this.#process.pid;
		this.exited = this.#process.ended.then((end) => {
			this.state = "dead";
			this.#awaitedApplies.releaseAll();
			this.#awaitedMetrics.answerAll(this.lastMetrics);
			this.#awaitedSettles.answerAll([WENT]);
			events.onExit(this, end);
		});
		const sockets = numbersInWorker(start.sockets);
		this.#process.send({ type: "start", ...start, sockets });
	}

	/** See `Watched`. */
	get busyMs(): number {
		return this.state === "loading" ? LIMITS.workerLoadingMs : LIMITS.workerBusyMs;
	}

	get stays(): boolean {
		return this.state !== "dead" && this.state !== "draining";
	}

	get mustAcknowledge(): boolean {
		return this.state === "loaded" || this.state === "listening" || this.state === "draining";
	}

	/**
	 * Announces changes. A worker that still loads gets them too, but nobody waits for it: it listens only
	 * after it has applied them. Resolves when applied, or when the worker is dead; one that turns its event
	 * loop and yet gets nowhere for `LIMITS.publishAckMs` is killed, one that does not is the watchdog's.
	 */
	apply(id: number, changes: readonly Change[]): Promise<void> {
		return this.#announce({ type: "apply", id, changes });
	}

	/** As `apply`: requests with these tokens are to be explained, and no others. */
	watch(tokens: readonly LiveToken[]): Promise<void> {
		this.#watchId -= 1;
		return this.#announce({ type: "watch", id: this.#watchId, tokens });
	}

	#announce(message: Announcement): Promise<void> {
		if (this.state === "dead") return Promise.resolve();
		this.#process.send(message);
		if (!this.mustAcknowledge) return Promise.resolve();
		return this.#awaitedApplies.wait(message.id, () => {
			const isQuiet = this.heartbeat.isQuiet(performance.now());
			if (!isQuiet) this.kill();
			return isQuiet;
		});
	}

	refuse(refuses: boolean): void {
		this.#process.send({ type: "refuse", refuses });
	}

	setTickets(secrets: TicketSecrets): void {
		this.#process.send({ type: "tickets", secrets });
	}

	/** @returns what the worker could not take over, or why; nothing: it has taken over all */
	settle(id: number, settlement: Settlement, timeoutMs: number): Promise<readonly string[]> {
		if (this.state !== "listening") return Promise.resolve([WENT]);
		this.#process.send({ type: "settle", id, ...settlement });
		return this.#awaitedSettles.wait(id, timeoutMs, () => [SILENT]);
	}

	listen(): void {
		this.#process.send({ type: "listen" });
	}

	reopenLog(): void {
		this.#process.send({ type: "reopen" });
	}

	/**
	 * Resolves when the process is gone; it is killed a second after its own deadline.
	 * @param timeoutMs 0: as long as it takes
	 */
	async drain(timeoutMs: number): Promise<void> {
		if (this.state === "dead") return;
		this.state = "draining";
		this.drained = true;
		this.#process.send({ type: "drain", timeoutMs });
		if (timeoutMs > 0) this.#killAfter(timeoutMs + 1000);
		await this.exited;
		clearTimeout(this.#deadline);
	}

	/** One that drains ends what it is still at. */
	hurry(): void {
		this.#process.send({ type: "hurry" });
		this.#killAfter(1000);
	}

	#killAfter(milliseconds: number): void {
		clearTimeout(this.#deadline);
		this.#deadline = setTimeout(() => this.kill(), milliseconds);
	}

	/** Asks for the counters; the last ones heard of if it doesn't answer within `timeoutMs`. */
	metrics(id: number, timeoutMs: number): Promise<MetricsSnapshot> {
		return this.#ask({ type: "metrics", id }, timeoutMs);
	}

	/** Asks for what the live page shows, which `onTraffic` gets. */
	live(id: number, timeoutMs: number): Promise<unknown> {
		return this.#ask({ type: "live", id }, timeoutMs);
	}

	#ask(message: Asking, timeoutMs: number): Promise<MetricsSnapshot> {
		if (!this.mustAcknowledge) return Promise.resolve(this.lastMetrics);
		const { id } = message;
		this.#process.send(message);
		return this.#awaitedMetrics.wait(id, timeoutMs, () => this.lastMetrics);
	}

	/** Ends the worker at once; its end is no crash. */
	discard(): void {
		this.drained = true;
		this.kill();
	}

	kill(): void {
		this.#process.kill();
	}

	#read({ rows, backends, durations }: PackedTraffic): TrafficChange {
		return { ...this.#rows.read(rows), backends, durations };
	}

	#receive(message: ToSupervisor, events: WorkerEvents): void {
		this.heartbeat.heard(performance.now());
		switch (message.type) {
			case "alive":
				break;
			case "loaded":
				if (this.state === "loading") this.state = "loaded";
				events.onLoaded(this);
				break;
			case "listening":
				if (this.state === "loaded") this.state = "listening";
				this.front = message.front;
				events.onListening(this);
				break;
			case "leaving":
				this.state = "draining";
				if (!this.drained) events.onLeaving(this);
				break;
			case "applied":
				this.#awaitedApplies.acknowledged(message.id);
				break;
			case "settled":
				this.#awaitedSettles.answered(message.id, message.needsWorker);
				break;
			case "progress":
				this.#awaitedApplies.aliveAgain();
				break;
			case "metrics":
				this.lastMetrics = message.metrics;
				events.onTraffic(this, this.#read(message.traffic));
				this.#awaitedMetrics.answered(message.id, message.metrics);
				break;
			case "live":
				events.onTraffic(this, this.#read(message.traffic), message.report);
				this.#awaitedMetrics.answered(message.id, this.lastMetrics);
				break;
			case "seen":
				events.onSeen(this, message.seen);
				break;
			case "fatal":
				events.onFatal(this, message.message);
				break;
		}
	}
}

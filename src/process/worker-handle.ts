/**
 * The supervisor's side of one worker process: its state, what it has yet to acknowledge, and its end.
 * `WorkerSet` keeps several of these.
 */
import { type ChildProcess, fork } from "node:child_process";
import type { Config } from "../config.ts";
import type { MetricsSnapshot } from "../metrics.ts";
import type { Change } from "../store/store.ts";
import type { ToSupervisor, ToWorker, WorkerFiles } from "./messages.ts";

/** `loading` → `loaded` (must acknowledge) → `listening` → `draining` → `dead` */
export type WorkerState = "loading" | "loaded" | "listening" | "draining" | "dead";

export interface WorkerEvents {
	onLoaded(worker: WorkerHandle): void;
	onListening(worker: WorkerHandle): void;
	onFatal(worker: WorkerHandle, message: string): void;
	onExit(worker: WorkerHandle, code: number | null, signal: NodeJS.Signals | null): void;
}

export class WorkerHandle {
	readonly index: number;
	readonly startedMs = Date.now();
	readonly pid: number | undefined;
	readonly exited: Promise<void>;
	state: WorkerState = "loading";
	/** told to drain: its end is no crash */
	drained = false;
	/** the newest counters heard of; kept so that a worker's death takes none of them along */
	lastMetrics: MetricsSnapshot = {};
	readonly #child: ChildProcess;
	readonly #awaitedApplies = new Map<number, { timer: NodeJS.Timeout; release(): void }>();
	readonly #awaitedMetrics = new Map<number, (metrics: MetricsSnapshot) => void>();

	constructor(index: number, config: Config, files: WorkerFiles, events: WorkerEvents) {
		this.index = index;
		this.#child = fork(new URL("./worker.js", import.meta.url), [], {
			env: {
				...process.env,
				WEIR_API_KEY: "",
				UWS_HTTP_MAX_HEADERS_SIZE: String(config.limits.requestHeaderBytes),
			},
			execArgv: process.execArgv,
		});
		this.pid = this.#child.pid;
		this.#child.on("message", (message: ToSupervisor) => this.#receive(message, events));
		this.#child.on("error", () => {});
		this.exited = new Promise((resolve) => {
			this.#child.once("exit", (code, signal) => {
				this.state = "dead";
				for (const { release } of this.#awaitedApplies.values()) release();
				for (const answer of this.#awaitedMetrics.values()) answer(this.lastMetrics);
				events.onExit(this, code, signal);
				resolve();
			});
		});
		this.#send({ type: "start", config, ...files });
	}

	get mustAcknowledge(): boolean {
		return this.state === "loaded" || this.state === "listening" || this.state === "draining";
	}

	/**
	 * Announces changes. A worker that still loads gets them too, but nobody waits for it: it listens only
	 * after it has applied them. Resolves when applied, or when the worker is dead; one that gives no
	 * sign of life for `timeoutMs` is killed.
	 */
	apply(id: number, changes: readonly Change[], timeoutMs: number): Promise<void> {
		if (this.state === "dead") return Promise.resolve();
		this.#send({ type: "apply", id, changes });
		if (!this.mustAcknowledge) return Promise.resolve();
		return new Promise((resolve) => {
			const timer = setTimeout(() => this.kill(), timeoutMs);
			const release = (): void => {
				clearTimeout(timer);
				this.#awaitedApplies.delete(id);
				resolve();
			};
			this.#awaitedApplies.set(id, { timer, release });
		});
	}

	listen(): void {
		this.#send({ type: "listen" });
	}

	/** Resolves when the process is gone; it is killed a second after its own deadline. */
	async drain(timeoutMs: number): Promise<void> {
		if (this.state === "dead") return;
		this.state = "draining";
		this.drained = true;
		this.#send({ type: "drain", timeoutMs });
		const timer = setTimeout(() => this.kill(), timeoutMs + 1000);
		await this.exited;
		clearTimeout(timer);
	}

	/** Asks for the counters; the last ones heard of if it doesn't answer within `timeoutMs`. */
	metrics(id: number, timeoutMs: number): Promise<MetricsSnapshot> {
		if (!this.mustAcknowledge) return Promise.resolve(this.lastMetrics);
		this.#send({ type: "metrics", id });
		return new Promise((resolve) => {
			const answer = (metrics: MetricsSnapshot): void => {
				clearTimeout(timer);
				this.#awaitedMetrics.delete(id);
				resolve(metrics);
			};
			const timer = setTimeout(() => answer(this.lastMetrics), timeoutMs);
			this.#awaitedMetrics.set(id, answer);
		});
	}

	/** Ends a worker that nobody wants any more, at once and without calling it a crash. */
	discard(): void {
		this.drained = true;
		this.kill();
	}

	kill(): void {
		this.#child.kill("SIGKILL");
	}

	#receive(message: ToSupervisor, events: WorkerEvents): void {
		switch (message.type) {
			case "loaded":
				if (this.state === "loading") this.state = "loaded";
				events.onLoaded(this);
				break;
			case "listening":
				if (this.state === "loaded") this.state = "listening";
				events.onListening(this);
				break;
			case "applied":
				this.#awaitedApplies.get(message.id)?.release();
				this.#aliveAgain();
				break;
			case "progress":
				this.#aliveAgain();
				break;
			case "metrics":
				this.lastMetrics = message.metrics;
				this.#awaitedMetrics.get(message.id)?.(message.metrics);
				break;
			case "fatal":
				events.onFatal(this, message.message);
				break;
		}
	}

	/** What waits behind a long change has its time counted anew from each sign of life. */
	#aliveAgain(): void {
		for (const { timer } of this.#awaitedApplies.values()) timer.refresh();
	}

	#send(message: ToWorker): void {
		// A worker that is just dying can't be written to; its exit event settles what waits for it.
		if (this.#child.connected) this.#child.send(message, () => {});
	}
}

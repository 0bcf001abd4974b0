/**
 * The worker processes of a supervisor: keeps N of them running, announces changes to all and waits for
 * all, replaces them one generation by another on reload, drains them at the end (design, "Processes").
 */
import type { Config } from "../config.ts";
import { LIMITS } from "../limits.ts";
import type { Log } from "../log.ts";
import type { Publisher } from "../management/publisher.ts";
import type { MetricsSnapshot } from "../metrics.ts";
import type { Change } from "../store/store.ts";
import type { WorkerFiles } from "./messages.ts";
import { MetricsLedger } from "./metrics-ledger.ts";
import { RespawnDelay } from "./respawn.ts";
import { type WorkerEvents, WorkerHandle } from "./worker-handle.ts";

export class WorkerSet implements Publisher {
	#config: Config;
	readonly #files: WorkerFiles;
	readonly #log: Log;
	readonly #workers = new Set<WorkerHandle>();
	readonly #respawnTimers = new Set<NodeJS.Timeout>();
	#delays = new Map<number, RespawnDelay>();
	readonly #ledger = new MetricsLedger();
	#nextId = 1;
	#pending: { changes: Change[]; done: Promise<void> } | undefined;
	#stopping = false;
	#restarts = 0;

	constructor(config: Config, files: WorkerFiles, log: Log) {
		this.#config = config;
		this.#files = files;
		this.#log = log;
	}

	/** Resolves when all N workers listen. @throws Error with the reason if one can't start */
	async start(): Promise<void> {
		await this.#startGeneration();
	}

	get listening(): number {
		return [...this.#workers].filter(({ state }) => state === "listening").length;
	}

	/**
	 * Resolves when every worker that serves runs the changes. Those of one turn of the event loop travel
	 * in one message, as their writes shared one sync.
	 */
	publish(changes: readonly Change[]): Promise<void> {
		if (this.#pending !== undefined) {
			this.#pending.changes.push(...changes);
			return this.#pending.done;
		}
		const batch = [...changes];
		const done = new Promise<void>((resolve) => {
			setImmediate(() => {
				this.#pending = undefined;
				const id = this.#nextId++;
				const applied = [...this.#workers].map((worker) =>
					worker.apply(id, batch, LIMITS.publishAckMs),
				);
				resolve(Promise.all(applied).then(() => {}));
			});
		});
		this.#pending = { changes: batch, done };
		return done;
	}

	/**
	 * Starts a full new generation under `config` and drains the old one once the new one listens. If the
	 * new one can't start, the old one stays. @throws Error with the reason
	 */
	async reload(config: Config): Promise<void> {
		const old = [...this.#workers];
		const before = this.#config;
		this.#config = config;
		const timers = [...this.#respawnTimers];
		try {
			await this.#startGeneration();
		} catch (error) {
			this.#config = before;
			throw error;
		}
		for (const timer of timers) this.#cancelRespawn(timer);
		await Promise.all(old.map((worker) => worker.drain(config.timeouts.drainMs)));
	}

	/** Drains all workers; resolves when they are gone. */
	async stop(): Promise<void> {
		this.#stopping = true;
		for (const timer of [...this.#respawnTimers]) this.#cancelRespawn(timer);
		const { drainMs } = this.#config.timeouts;
		await Promise.all([...this.#workers].map((worker) => worker.drain(drainMs)));
	}

	/** Kills what is left; for a second signal. */
	kill(): void {
		this.#stopping = true;
		for (const worker of this.#workers) worker.discard();
	}

	async metrics(): Promise<readonly MetricsSnapshot[]> {
		const id = this.#nextId++;
		const live = await Promise.all([...this.#workers].map((worker) => worker.metrics(id, 1000)));
		const own = { weir_workers: this.listening, weir_worker_restarts_total: this.#restarts };
		return [own, this.#ledger.total, ...live];
	}

	async #startGeneration(): Promise<void> {
		this.#delays = new Map();
		const started = Array.from({ length: this.#config.workers }, (_, index) =>
			this.#startFirst(index),
		);
		const results = await Promise.allSettled(started);
		const failed = results.find((result) => result.status === "rejected");
		if (failed === undefined) return;
		for (const result of results) if (result.status === "fulfilled") result.value.discard();
		throw failed.reason;
	}

	/** A worker of a new generation: its failure to start is the caller's, not a reason to try again. */
	#startFirst(index: number): Promise<WorkerHandle> {
		return new Promise((resolve, reject) => {
			let reason: string | undefined;
			const worker = this.#spawn(index, {
				onListening: () => resolve(worker),
				onFatal: (message) => {
					reason = message;
				},
				onEarlyExit: () => reject(new Error(reason ?? `worker ${index} ended while starting`)),
			});
		});
	}

	#spawn(index: number, start: StartEvents): WorkerHandle {
		const config = this.#config;
		let listened = false;
		const events: WorkerEvents = {
			onLoaded: (worker) => worker.listen(),
			onListening: (worker) => {
				listened = true;
				start.onListening(worker);
			},
			onFatal: (_worker, message) => start.onFatal(message),
			onExit: (worker, code, signal) => {
				this.#workers.delete(worker);
				this.#ledger.retire(worker.lastMetrics);
				if (listened) this.#afterExit(worker, config, code, signal);
				else start.onEarlyExit();
			},
		};
		const worker = new WorkerHandle(index, config, this.#files, events);
		this.#workers.add(worker);
		return worker;
	}

	#afterExit(
		worker: WorkerHandle,
		config: Config,
		code: number | null,
		signal: NodeJS.Signals | null,
	): void {
		// Drained on purpose, or of a generation that has been replaced meanwhile.
		if (this.#stopping || worker.drained || config !== this.#config) return;
		this.#log.error({ worker: worker.index, pid: worker.pid, code, signal }, "worker ended");
		this.#respawnLater(worker.index, Date.now() - worker.startedMs);
	}

	#respawnLater(index: number, aliveMs: number): void {
		const delays = this.#delays;
		const delay = delays.get(index) ?? new RespawnDelay();
		delays.set(index, delay);
		const delayMs = delay.next(aliveMs);
		const timer = setTimeout(() => {
			this.#respawnTimers.delete(timer);
			this.#respawn(index);
		}, delayMs);
		this.#respawnTimers.add(timer);
	}

	#respawn(index: number): void {
		const startedMs = Date.now();
		const config = this.#config;
		this.#restarts += 1;
		this.#spawn(index, {
			onListening: (worker) =>
				this.#log.info({ worker: index, pid: worker.pid }, "worker started again"),
			onFatal: (message) => this.#log.error({ worker: index }, message),
			onEarlyExit: () => {
				if (this.#stopping || config !== this.#config) return;
				this.#log.error({ worker: index }, "worker ended while starting");
				this.#respawnLater(index, Date.now() - startedMs);
			},
		});
	}

	#cancelRespawn(timer: NodeJS.Timeout): void {
		clearTimeout(timer);
		this.#respawnTimers.delete(timer);
	}
}

interface StartEvents {
	onListening(worker: WorkerHandle): void;
	onFatal(message: string): void;
	/** ended before it listened */
	onEarlyExit(): void;
}

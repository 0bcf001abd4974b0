/**
 * The worker processes of the supervisor (docs/design.md, "Processes"). It keeps N workers running, announces each
 * change to all of them and waits until all have applied it. A reload starts a new generation of workers and drains
 * the old one. Made by `serve.ts`.
 */
import type { Config } from "../../config.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Publisher } from "../../management/publisher.ts";
import type { Change } from "../../store/store.ts";
import type { Log } from "../../telemetry/log.ts";
import type { MetricsSnapshot, PlainSnapshot } from "../../telemetry/metrics.ts";
import type { FrontState, WorkerFiles } from "../messages.ts";
import { ChangeBatches } from "./change-batches.ts";
import { MetricsLedger } from "./metrics-ledger.ts";
import { Respawns } from "./respawn.ts";
import { TicketKeeper } from "./ticket-keeper.ts";
import { type Stuck, Watchdog } from "./watchdog.ts";
import { type WorkerEvents, WorkerHandle } from "./worker-handle.ts";
import { type ProcessEnd, startFailure } from "./worker-process.ts";

export class WorkerSet implements Publisher {
	#config: Config;
	readonly #files: () => WorkerFiles;
	readonly #log: Log;
	readonly #workers = new Set<WorkerHandle>();
	readonly #respawns = new Respawns((index) => this.#respawn(index));
	readonly #tickets = new TicketKeeper((secrets) => {
		for (const worker of this.#workers) worker.setTickets(secrets);
	});
	readonly #batches = new ChangeBatches(async (changes) => {
		const id = this.#nextId++;
		await Promise.all(
			[...this.#workers].map((worker) => worker.apply(id, changes, LIMITS.publishAckMs)),
		);
	});
	readonly #ledger = new MetricsLedger();
	#nextId = 1;
	#stopping = false;
	#restarts = 0;
	#stuck = 0;

	constructor(config: Config, files: () => WorkerFiles, log: Log) {
		this.#config = config;
		this.#files = files;
		this.#log = log;
		const onStuck = (worker: WorkerHandle, stuck: Stuck) => this.#replace(worker, stuck);
		const watchdog = new Watchdog(this.#workers, onStuck, performance.now());
		setInterval(() => watchdog.look(performance.now()), LIMITS.heartbeatMs).unref();
	}

	/** Resolves when all N workers listen. @throws Error with the reason if one can't start; none is left then */
	async start(): Promise<void> {
		try {
			await this.#startGeneration();
		} catch (error) {
			this.kill();
			throw error;
		}
	}

	/** true, or why not: some of the connections would go to a worker that does not answer */
	get readiness(): boolean | string {
		const serving = this.#serving.length;
		const answering = this.#answering;
		if (answering < serving) return `${answering} of ${serving} workers answer at the moment.`;
		return serving > 0;
	}

	/** who reads clients; where workers differ, the worst */
	get front(): FrontState {
		const states = this.#serving.map(({ front }) => front);
		return states.find((front) => front !== "on") ?? "on";
	}

	get #serving(): WorkerHandle[] {
		return [...this.#workers].filter(({ state }) => state === "listening");
	}

	get #answering(): number {
		const nowMs = performance.now();
		return this.#serving.filter(({ heartbeat }) => !heartbeat.isLate(nowMs)).length;
	}

	/** Resolves when every worker that serves has applied the changes. */
	publish(changes: readonly Change[]): Promise<void> {
		return this.#batches.add(changes);
	}

	/**
	 * Starts a full new generation under `config` and drains the old one once the new one listens. If the
	 * new one can't start, the old one stays, and what it lost meanwhile is started again.
	 * @throws Error with the reason
	 */
	async reload(config: Config): Promise<void> {
		// Told to stop while the reload was getting ready: nobody would drain new workers.
		if (this.#stopping) throw new Error(STOPPING);
		const old = [...this.#workers];
		const before = this.#config;
		// Nothing of the old generation is started again meanwhile; the new one takes its place.
		this.#respawns.cancel();
		this.#config = config;
		try {
			await this.#startGeneration();
		} catch (error) {
			this.#config = before;
			this.#goBackTo(old);
			throw this.#stopping ? new Error(STOPPING) : error;
		}
		await Promise.all(old.map((worker) => worker.drain(config.timeouts.drainMs)));
	}

	/** Drains all workers; resolves when they are gone. */
	async stop(): Promise<void> {
		this.#stopping = true;
		this.#tickets.close();
		this.#respawns.cancel();
		const { drainMs } = this.#config.timeouts;
		await Promise.all([...this.#workers].map((worker) => worker.drain(drainMs)));
	}

	/** Kills the workers that still run; called at the second signal to stop. */
	kill(): void {
		this.#stopping = true;
		for (const worker of this.#workers) worker.discard();
	}

	reopenLogs(): void {
		for (const worker of this.#workers) worker.reopenLog();
	}

	async metrics(): Promise<readonly MetricsSnapshot[]> {
		const id = this.#nextId++;
		const live = await Promise.all([...this.#workers].map((worker) => worker.metrics(id, 1000)));
		const own: PlainSnapshot = {
			weir_workers: this.#answering,
			weir_worker_restarts_total: this.#restarts,
			weir_workers_stuck_total: this.#stuck,
		};
		return [own, this.#ledger.total, ...live];
	}

	async #startGeneration(): Promise<void> {
		this.#respawns.forgetCrashes();
		const started = Array.from({ length: this.#config.workers }, (_, index) =>
			this.#startFirst(index),
		);
		const results = await Promise.allSettled(started);
		const failed = results.find((result) => result.status === "rejected");
		if (failed !== undefined) throw failed.reason;
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
				onEarlyExit: ({ error }) => reject(new Error(reason ?? startFailure(index, error))),
			});
		});
	}

	#spawn(index: number, start: StartEvents): WorkerHandle {
		const config = this.#config;
		let listened = false;
		const events: WorkerEvents = {
			onLoaded: (worker) => {
				// One that is to leave would accept connections only to reset them.
				if (!worker.drained) worker.listen();
			},
			onListening: (worker) => {
				listened = true;
				start.onListening(worker);
			},
			onFatal: (_worker, message) => start.onFatal(message),
			onExit: (worker, end) => {
				this.#workers.delete(worker);
				this.#ledger.retire(worker.lastMetrics);
				if (listened) this.#afterExit(worker, config, end);
				else start.onEarlyExit(end);
			},
		};
		const first = { config, ...this.#files(), tickets: this.#tickets.secrets };
		const worker = new WorkerHandle(index, first, events);
		this.#workers.add(worker);
		return worker;
	}

	#afterExit(worker: WorkerHandle, config: Config, { code, signal }: ProcessEnd): void {
		// Drained on purpose, or of a generation that has been replaced meanwhile.
		if (this.#stopping || worker.drained || config !== this.#config) return;
		this.#log.error({ worker: worker.index, pid: worker.pid, code, signal }, "worker ended");
		this.#respawns.later(worker.index, Date.now() - worker.startedMs);
	}

	/** A reload has failed: the generation `old` stays, and its workers that ended meanwhile are started again. */
	#goBackTo(old: readonly WorkerHandle[]): void {
		this.#respawns.cancel();
		for (const worker of this.#workers) if (!old.includes(worker)) worker.discard();
		const left = new Set(old.filter(({ state }) => state !== "dead").map(({ index }) => index));
		for (let index = 0; index < this.#config.workers; index++)
			if (!this.#stopping && !left.has(index)) this.#respawns.later(index, 0);
	}

	/** Its end is a crash like another: it is started again. */
	#replace(worker: WorkerHandle, { verdict, silentMs }: Stuck): void {
		this.#stuck += 1;
		this.#log.error(
			{ worker: worker.index, pid: worker.pid, silent_ms: Math.round(silentMs) },
			verdict === "still"
				? "worker stands still and is replaced"
				: "worker goes round in circles and is replaced",
		);
		worker.kill();
	}

	#respawn(index: number): void {
		const startedMs = Date.now();
		const config = this.#config;
		this.#restarts += 1;
		this.#spawn(index, {
			onListening: (worker) =>
				this.#log.info({ worker: index, pid: worker.pid }, "worker started again"),
			onFatal: (message) => this.#log.error({ worker: index }, message),
			onEarlyExit: ({ error }) => {
				if (this.#stopping || config !== this.#config) return;
				this.#log.error({ worker: index }, startFailure(index, error));
				this.#respawns.later(index, Date.now() - startedMs);
			},
		});
	}
}

const STOPPING = "weir is stopping";

interface StartEvents {
	onListening(worker: WorkerHandle): void;
	onFatal(message: string): void;
	/** ended before it listened */
	onEarlyExit(end: ProcessEnd): void;
}

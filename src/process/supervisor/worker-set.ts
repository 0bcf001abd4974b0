/**
 * The worker processes of the supervisor (docs/design.md, "Processes"). It keeps N workers running, announces each
 * change to all and waits until all have applied it; a reload starts a new generation. Made by `serve.ts`.
 */
import type { Config } from "../../config.ts";
import type { FrontState } from "../../http/front-telemetry.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Publisher } from "../../management/publisher.ts";
import type { Change } from "../../store/store.ts";
import type { Log } from "../../telemetry/log.ts";
import type { MetricsSnapshot } from "../../telemetry/metrics.ts";
import { trafficMetrics } from "../../telemetry/traffic/traffic-series.ts";
import type { Settlement, WorkerFiles } from "../messages.ts";
import { ChangeBatches } from "./change-batches.ts";
import { type StartEvents, startGeneration } from "./generation-start.ts";
import type { Heritage } from "./given-sockets.ts";
import { LeavingWorkers } from "./leaving-workers.ts";
import { ListeningSockets } from "./listening-sockets.ts";
import { LiveWorkers } from "./live-workers.ts";
import { MetricsLedger } from "./metrics-ledger.ts";
import { Respawns } from "./respawn.ts";
import { frontOf, leadTo, ownMetrics, readinessOf, settleAll } from "./serving-workers.ts";
import { TicketKeeper } from "./ticket-keeper.ts";
import { STUCK, type Stuck, Watchdog } from "./watchdog.ts";
import { type WorkerEvents, WorkerHandle } from "./worker-handle.ts";
import { type ProcessEnd, startFailure } from "./worker-process.ts";

export class WorkerSet implements Publisher {
	#config: Config;
	/** another one for each reload with new workers */
	#generation = {};
	readonly #files: () => WorkerFiles;
	readonly #log: Log;
	readonly #workers = new Set<WorkerHandle>();
	readonly sockets: ListeningSockets;
	readonly #leaving: LeavingWorkers;
	readonly #respawns = new Respawns((index) => this.#respawn(index));
	readonly tickets: TicketKeeper;
	readonly #batches = new ChangeBatches(async (changes) => {
		const id = this.#nextId++;
		await this.live.publish(changes.length, (worker) => worker.apply(id, changes));
	});
	readonly ledger = new MetricsLedger(() => this.#config.metrics.routes);
	readonly live = new LiveWorkers(this.#workers, this.ledger.traffic, () => this.#config.workers);
	#nextId = 1;
	#stopping = false;

	constructor(config: Config, files: () => WorkerFiles, log: Log, heritage?: Heritage) {
		this.sockets = new ListeningSockets(undefined, heritage?.sockets);
		this.tickets = new TicketKeeper((secrets) => {
			for (const worker of this.#workers) worker.setTickets(secrets);
		}, heritage?.tickets);
		this.#config = config;
		this.#files = files;
		this.#log = log;
		const watchdog = new Watchdog(this.#workers, this.#replace, performance.now());
		this.#leaving = new LeavingWorkers(log);
		setInterval(() => {
			watchdog.look(performance.now());
			leadTo(this.#workers, this.#config.workers, this.sockets);
		}, LIMITS.heartbeatMs).unref();
	}

	/** Resolves when all N workers listen. @throws Error with the reason if one can't start; none is left then */
	async start(): Promise<void> {
		try {
			await this.sockets.prepare(this.#config);
			await this.#startGeneration();
			this.sockets.keepOnly(this.#config);
		} catch (error) {
			this.kill();
			throw error;
		}
	}

	get readiness(): boolean | string {
		return readinessOf(this.#workers, performance.now());
	}

	get front(): FrontState {
		return frontOf(this.#workers);
	}

	/** Resolves when every worker that serves has applied the changes. */
	publish(changes: readonly Change[]): Promise<void> {
		return this.#batches.add(changes);
	}

	/**
	 * Starts a full new generation under `config` and has the old one leave once the new one listens; what that is
	 * still at goes on. If the new one can't start, the old one stays, and what it lost meanwhile is started again.
	 * @throws Error with the reason
	 */
	async reload(config: Config): Promise<void> {
		const { drainMs } = config.timeouts;
		await this.#leaving.room(drainMs === 0 ? LIMITS.drainMs : drainMs);
		const { sizes } = this.sockets;
		await this.sockets.prepare(config);
		// Told to stop while the reload was getting ready: nobody would drain new workers.
		if (this.#stopping) throw new Error(STOPPING);
		const old = [...this.#workers].filter(({ drained }) => !drained);
		const [before, generation] = [this.#config, this.#generation];
		// Nothing of the old generation is started again meanwhile; the new one takes its place.
		this.#respawns.cancel();
		[this.#config, this.#generation] = [config, {}];
		try {
			await this.#startGeneration();
		} catch (error) {
			[this.#config, this.#generation] = [before, generation];
			this.sockets.goBackTo(sizes, this.#goBackTo(old));
			throw this.#stopping ? new Error(STOPPING) : error;
		}
		this.sockets.keepOnly(config);
		this.#leaving.drain(old, drainMs);
	}

	/**
	 * Has the workers take over a configuration without new ones. What cannot be taken over needs `reload`; what some
	 * have taken over by then is that of the workers which come.
	 * @returns why not, or nothing
	 */
	async settle(settlement: Settlement): Promise<readonly string[]> {
		if (settlement.listeners.length > 0 && !this.sockets.isPossible) return ["listen"];
		const [count, id] = [this.#config.workers, this.#nextId++];
		const reasons = await settleAll(this.#workers, count, id, settlement);
		if (reasons.length === 0) this.#config = settlement.config;
		return reasons;
	}

	/** Drains all workers; resolves when they are gone. */
	async stop(): Promise<void> {
		this.#stopping = true;
		this.tickets.close();
		this.#respawns.cancel();
		// The workers' are the last ones then: what has connected is still accepted.
		this.sockets.close();
		const { timeouts } = this.#config;
		await Promise.all([...this.#workers].map((worker) => worker.drain(timeouts.drainMs)));
	}

	/** At the second signal to stop. */
	kill(): void {
		this.#stopping = true;
		for (const worker of this.#workers) worker.discard();
	}

	each(tell: (worker: WorkerHandle) => void): void {
		for (const worker of this.#workers) tell(worker);
	}

	async metrics(): Promise<readonly MetricsSnapshot[]> {
		return [...(await this.counts()), trafficMetrics(this.ledger.traffic, Date.now())];
	}

	/** Without what `ledger.traffic` has of routes, rules and backends. */
	async counts(): Promise<readonly MetricsSnapshot[]> {
		const counted = await this.ledger.metricsOf(this.#workers, this.#nextId++);
		return [ownMetrics(this.#workers, performance.now()), ...counted];
	}

	#startGeneration(): Promise<void> {
		this.#respawns.forgetCrashes();
		return startGeneration(this.#config.workers, (index, events) => this.#spawn(index, events));
	}

	#spawn(index: number, start: StartEvents): void {
		const [config, generation] = [this.#config, this.#generation];
		let listened = false;
		const events: WorkerEvents = {
			onLoaded: (worker) => {
				if (worker.drained) return; // it has nothing to accept
				const problem = this.sockets.listen(config, index);
				if (problem === undefined) return worker.listen();
				start.onFatal(problem);
				worker.kill();
			},
			onListening: (worker) => {
				listened = true;
				leadTo(this.#workers, this.#config.workers, this.sockets);
				start.onListening(worker);
			},
			onLeaving: (worker) => {
				leadTo(this.#workers, this.#config.workers, this.sockets);
				if (listened) this.#respawnFor(worker, generation);
			},
			onFatal: (_worker, message) => start.onFatal(message),
			onTraffic: (...told) => this.live.add(...told),
			onSeen: ({ index: place }, seen) => this.live.seen(seen, place),
			onExit: (worker, end) => {
				this.#workers.delete(worker);
				this.ledger.retire(worker.lastMetrics, worker);
				leadTo(this.#workers, this.#config.workers, this.sockets);
				if (listened) this.#afterExit(worker, generation, end);
				else start.onEarlyExit(end);
			},
		};
		const sockets = this.sockets.of(config, index);
		const first = { index, config, ...this.#files(), tickets: this.tickets.secrets, sockets };
		this.#workers.add(new WorkerHandle(index, first, events));
	}

	#afterExit(worker: WorkerHandle, generation: object, { code, signal }: ProcessEnd): void {
		// Drained on purpose, or of a generation that has been replaced meanwhile.
		if (this.#stopping || worker.drained || generation !== this.#generation) return;
		this.#log.error({ worker: worker.index, process: worker.pid, code, signal }, "worker ended");
		this.#respawnFor(worker, generation);
	}

	#respawnFor(worker: WorkerHandle, generation: object): void {
		if (this.#stopping || worker.replaced || generation !== this.#generation) return;
		worker.replaced = true;
		this.#respawns.later(worker.index, Date.now() - worker.startedMs);
	}

	/** A reload has failed: `old` stays, what of it ended meanwhile is started again. Resolves when the new ones have ended. */
	#goBackTo(old: readonly WorkerHandle[]): Promise<unknown> {
		this.#respawns.cancel();
		const made = [...this.#workers].filter((each) => !each.drained && !old.includes(each));
		this.#leaving.giveUp(made, this.#config.timeouts.drainMs);
		const left = new Set(old.filter((worker) => worker.stays).map(({ index }) => index));
		for (let index = 0; index < this.#config.workers; index++)
			if (!this.#stopping && !left.has(index)) this.#respawns.later(index, 0);
		return Promise.all(made.map(({ exited }) => exited));
	}

	/** Its end is a crash like another: it is started again. */
	readonly #replace = (worker: WorkerHandle, { verdict, silentMs }: Stuck): void => {
		this.ledger.retire({ weir_workers_stuck_total: 1 });
		const told = { worker: worker.index, process: worker.pid, silent_ms: Math.round(silentMs) };
		this.#log.error(told, STUCK[verdict]);
		worker.kill();
	};

	#respawn(index: number): void {
		const [startedMs, generation] = [Date.now(), this.#generation];
		this.ledger.retire({ weir_worker_restarts_total: 1 });
		this.#spawn(index, {
			onListening: (worker) =>
				this.#log.info({ worker: index, process: worker.pid }, "worker started again"),
			onFatal: (message) => this.#log.error({ worker: index }, message),
			onEarlyExit: ({ error }) => {
				if (this.#stopping || generation !== this.#generation) return;
				this.#log.error({ worker: index }, startFailure(index, error));
				this.#respawns.later(index, Date.now() - startedMs);
			},
		});
	}
}

const STOPPING = "weir is stopping";

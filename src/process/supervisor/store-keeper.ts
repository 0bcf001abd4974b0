/**
 * The supervisor's part in the store: opens it, answers `weir keys` over the control socket, watches the store's
 * files and counts documents for `/metrics`. Used by `serve.ts`.
 *
 * Every write looks at the files, and a timer looks while there are no writes. If the files were removed, replaced or
 * cut short, the log says so once and `/readyz` until the restart. Removed and replaced files are still open here, so
 * the supervisor copies them: for workers that start later, and for the operator.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LIMITS } from "../../limits/limits.ts";
import { AuditedKeys } from "../../management/audit/audited-keys.ts";
import { openStore } from "../../store/open.ts";
import { StoreError } from "../../store/store-error.ts";
import type { TransactionalStore } from "../../store/transactions.ts";
import type { StoreOptions } from "../../store/writer.ts";
import type { AuditLog, Log } from "../../telemetry/log.ts";
import { type MetricsSnapshot, series } from "../../telemetry/metrics.ts";
import { type Controlling, ControlServer } from "../control/server.ts";
import type { WorkerStore } from "../messages.ts";
import { narrowFiles } from "./private-files.ts";

type SupervisorLog = Pick<Log, "error" | "warn"> & AuditLog;

export class StoreKeeper {
	readonly store: TransactionalStore;
	readonly #folder: string;
	readonly #log: SupervisorLog;
	readonly #timer: NodeJS.Timeout;
	#control: ControlServer | undefined;
	#isSaid = false;
	#forWorkers: WorkerStore;

	/** @throws StoreError */
	constructor(folder: string, log: SupervisorLog, options: StoreOptions = {}) {
		for (const warning of narrowFiles(folder)) log.warn({}, warning);
		this.store = openStore(folder, options);
		this.#forWorkers = { folder, identity: this.store.identity };
		this.#folder = folder;
		this.#log = log;
		this.#timer = setInterval(() => this.loss, LIMITS.storeLookMs).unref();
	}

	/** Without the control socket only `weir keys` is missing, and that says so. */
	async listen(controlling: Controlling = {}): Promise<void> {
		try {
			const keys = new AuditedKeys(this.store, this.#log, "control socket");
			this.#control = await ControlServer.open(this.#folder, keys, controlling);
		} catch (error) {
			const reason = (error as Error).message;
			this.#log.warn({ reason }, "no control socket: weir keys works only while weir is stopped");
		}
	}

	/** The control socket's name is free for another supervisor; conversations go on. */
	letGo(): void {
		this.#control?.close();
	}

	/** As the store's, for people who need not know where it lies; the log has all of it. */
	get loss(): string | undefined {
		const { loss } = this.store;
		if (loss === undefined) return undefined;
		if (!this.#isSaid) {
			this.#isSaid = true;
			this.#log.error({ reason: loss }, "the store is lost");
			void this.#copy();
		}
		return "The store's files were removed, replaced or cut short; weir must be started again.";
	}

	/** Where a worker that starts now reads from. */
	get forWorkers(): WorkerStore {
		return this.#forWorkers;
	}

	/** Without the counts where they can't be had any more. */
	metrics(): MetricsSnapshot {
		const lost = { weir_store_lost: this.loss === undefined ? 0 : 1 };
		try {
			const { edges, routes, policies } = this.store.counts();
			const version = series("weir_store_version", { process: "supervisor" });
			return {
				...lost,
				[version]: this.store.version(),
				weir_edges: edges,
				weir_routes: routes,
				weir_policies: policies,
			};
		} catch (error) {
			if (error instanceof StoreError && error.lost) return lost;
			throw error;
		}
	}

	/** Left where it is: it may be the only one. */
	async #copy(): Promise<void> {
		let folder: string | undefined;
		try {
			folder = await mkdtemp(join(tmpdir(), "weir-store-"));
			this.#forWorkers = { folder, identity: await this.store.copyTo(folder) };
			this.#log.warn({ folder }, "the store was copied as it was when it was lost");
		} catch (error) {
			if (folder !== undefined) await rm(folder, { recursive: true, force: true });
			const reason = (error as Error).message;
			this.#log.error({ reason }, "the store can't be copied: no worker can be replaced");
		}
	}

	/** A server that is told to stop while it stops closes it again. */
	async close(): Promise<void> {
		clearInterval(this.#timer);
		this.#control?.close();
		await this.store.close();
	}
}

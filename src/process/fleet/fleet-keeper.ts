/**
 * The supervisor's part in a fleet: opens this machine's membership, gives the store the queue where its writes wait,
 * opens it anew where certificates have changed or another weir did not take over after all, and tells the workers when
 * they must not answer (docs/fleet.md, "Cut off"). Made by `fleet-member.ts` where the configuration names a fleet; to everybody
 * else it is the `Fleet` itself.
 */
import type { FleetSettings } from "../../config.ts";
import type { Fleet, LogEntry, OwnStatus, Spread } from "../../fleet/fleet.ts";
import { FleetError } from "../../fleet/fleet-error.ts";
import { LEVEL } from "../../fleet/level.ts";
import type { SeenStatus, Stop } from "../../fleet/log/log.ts";
import type { FleetState } from "../../fleet/state.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Database } from "../../store/lmdb/database.ts";
import type { Change } from "../../store/store.ts";
import type { WriteQueue } from "../../store/write-queue.ts";
import type { MetricsSnapshot } from "../../telemetry/metrics.ts";
import { versionOf } from "../version.ts";
import { KeeperQueue } from "./keeper-queue.ts";
import { RefusalWatch } from "./refusal-watch.ts";

/** What a membership is opened with. */
export interface Membership {
	readonly state: FleetState;
	readonly settings: FleetSettings;
	/** every worker has the changes in force once it resolves */
	readonly publish: (changes: readonly Change[]) => Promise<void>;
}

interface KeeperOptions {
	/** @throws Error a sentence: this store is no member's */
	readonly stateOf: (database: Database) => FleetState;
	/** Does not wait for the engine. */
	readonly open: (membership: Membership) => Promise<Fleet>;
	/** a file that remembers over restarts when this machine was last in sync */
	readonly syncMark: string;
}

export class FleetKeeper implements Fleet {
	readonly queue = new KeeperQueue();
	readonly #options: KeeperOptions;
	readonly #watch: RefusalWatch;
	#settings: FleetSettings;
	#state: FleetState | undefined;
	#publish: Membership["publish"] = async () => {};
	#fleet: Fleet | undefined;
	readonly #since = new Date().toISOString();

	constructor(settings: FleetSettings, options: KeeperOptions) {
		this.#settings = settings;
		this.#options = options;
		this.#watch = new RefusalWatch(options.syncMark);
		setInterval(() => this.#look(), LIMITS.fleetRefusalLookMs).unref();
	}

	/** For `openStore`. */
	readonly queueOf = (database: Database): WriteQueue => {
		this.#state = this.#options.stateOf(database);
		this.#look();
		return this.queue;
	};

	/**
	 * From now on this machine follows.
	 * @param tell told a sentence when the data path must not answer any more, undefined when it may again
	 */
	async start(
		publish: Membership["publish"],
		tell: (refusal: string | undefined) => void,
	): Promise<void> {
		this.#publish = publish;
		this.#watch.tell = tell;
		await this.resume();
	}

	async resume(): Promise<void> {
		if (this.#fleet !== undefined || this.#state === undefined) return;
		const { open } = this.#options;
		const fleet = await open({
			state: this.#state,
			settings: this.#settings,
			publish: (changes) => this.#inForce(changes),
		});
		this.#fleet = fleet;
		this.queue.use(fleet.queue);
		this.#look();
	}

	/** The first state ends the refusal, and is in force once no worker refuses. */
	async #inForce(changes: readonly Change[]): Promise<void> {
		await this.#publish(changes);
		const refused = this.refusal !== undefined;
		this.#look();
		if (refused && this.refusal === undefined) await this.#publish([]);
	}

	/** Nothing is applied any more; writes wait until `resume`. */
	async pause(): Promise<void> {
		const fleet = this.#fleet;
		this.#fleet = undefined;
		this.queue.use(undefined);
		await fleet?.close();
	}

	/** Reads credentials and certificates again. @throws Error it can't be opened; then writes are refused */
	async reload(settings: FleetSettings): Promise<void> {
		this.#settings = settings;
		if (this.#fleet === undefined) return;
		await this.pause();
		await this.resume();
	}

	async close(): Promise<void> {
		this.#watch.close();
		await this.pause();
	}

	/** Without a membership, while one is opened, this machine tells what it has. */
	status(): OwnStatus {
		return this.#fleet?.status() ?? this.#alone();
	}

	#alone(): OwnStatus {
		const { member, role } = this.#settings;
		const position = this.#state?.position;
		return {
			member: {
				...{ id: this.#state?.member ?? "", name: member.name, role },
				...{ version: versionOf(), level: LEVEL, labels: member.labels },
			},
			position,
			state: "starting",
			since: this.#since,
			why: "weir starts",
			connection: { isUp: false, why: "weir starts", since: this.#since },
			tail: position?.applied ?? 0,
			lost: { records: 0, unverified: 0, files: [] },
		};
	}

	get refusal(): string | undefined {
		return this.#watch.refusal;
	}

	#look(): void {
		const { name, refuseAfterMs } = this.#settings;
		this.#watch.look(this.status(), { name, refuseAfterMs }, Date.now());
	}

	async members(): Promise<readonly SeenStatus[]> {
		return this.#open.members();
	}

	async forget(member: string): Promise<void> {
		await this.#open.forget(member);
	}

	async reached(revision: number, timeoutMs: number): Promise<boolean> {
		return this.#open.reached(revision, timeoutMs);
	}

	attend(): Stop {
		return this.#open.attend();
	}

	async spread(revision: number, timeoutMs: number): Promise<Spread> {
		return this.#open.spread(revision, timeoutMs);
	}

	async history(limit: number, before: number | undefined): Promise<readonly LogEntry[]> {
		return this.#open.history(limit, before);
	}

	metrics(): MetricsSnapshot {
		return this.#fleet?.metrics() ?? {};
	}

	get #open(): Fleet {
		if (this.#fleet !== undefined) return this.#fleet;
		throw new FleetError(
			"ERR_FLEET_UNAVAILABLE",
			"This machine connects to its fleet at this moment. Nothing was changed; try again.",
		);
	}
}

/**
 * A machine's membership: the protocol, its presence, and who waits for revisions, as the rest of weir sees them. Made
 * over an open log and the machine's state; it follows from the moment it is made.
 */
import { LIMITS } from "../limits/limits.ts";
import type { Change } from "../store/store.ts";
import type { WriteQueue } from "../store/write-queue.ts";
import type { Log } from "../telemetry/log.ts";
import type { MetricsSnapshot } from "../telemetry/metrics.ts";
import { CLOCK } from "./clock.ts";
import type { Fleet, LogEntry, OwnStatus, Spread } from "./fleet.ts";
import { historyOf } from "./history.ts";
import type { Mark } from "./in-force.ts";
import type { FleetLog, MemberStatus, SeenStatus, Stop } from "./log/log.ts";
import type { FoundRecord, LostRecord } from "./lost.ts";
import { LostFiles } from "./lost-file.ts";
import { LostRecords } from "./lost-records.ts";
import { Presence } from "./presence.ts";
import { Protocol } from "./protocol.ts";
import type { FleetState } from "./state.ts";
import { Waits } from "./wait.ts";

export interface MemberOptions {
	/** the fleet's name */
	readonly fleet: string;
	readonly identity: Pick<MemberStatus, "name" | "version" | "role" | "labels" | "limits">;
	/** highest that this weir understands */
	readonly level: number;
	/** closed with the member */
	readonly log: FleetLog;
	readonly state: FleetState;
	/** resolves when all workers run them */
	readonly publish: (changes: readonly Change[]) => Promise<void>;
	/** where records are kept that the fleet has lost */
	readonly directory: string;
	/** a machine that was in no fleet gives up documents of its own for the fleet's */
	readonly mayDiscard: boolean;
	readonly logger: Pick<Log, "info" | "warn" | "error">;
}

export class Member implements Fleet {
	readonly #options: MemberOptions;
	readonly #protocol: Protocol;
	readonly #presence: Presence;
	readonly #waits: Waits;
	readonly #lost: LostRecords;

	constructor(options: MemberOptions) {
		this.#options = options;
		const { log, logger, state, fleet, identity, level, publish, mayDiscard } = options;
		const own = () => this.#said();
		this.#presence = new Presence({ log, own, warn: (sentence) => logger.warn({}, sentence) });
		this.#waits = new Waits({ log, own });
		this.#lost = new LostRecords({
			kept: new LostFiles(options.directory),
			reported: (path, lost) => this.#reported(path, lost),
			found: (path, records, left) => this.#found(path, records, left),
			failed: (error) => logger.error({ err: error }, "a file of lost records can't be written"),
		});
		const parts = { fleet, identity, level, log, state, publish, mayDiscard };
		this.#protocol = new Protocol({
			...parts,
			clock: CLOCK,
			wallNow: Date.now,
			told: (mark) => this.#told(mark),
			lost: this.#lost,
			failed: (error) => logger.error({ err: error }, "a part of the fleet failed on this machine"),
		});
		this.#protocol.standing.onChange = () => this.#stands();
		this.#protocol.start();
		this.#presence.start();
	}

	get queue(): WriteQueue {
		return this.#protocol.queue;
	}

	status(): OwnStatus {
		const { state, level } = this.#options;
		const { name, role, version, labels } = this.#options.identity;
		const { standing, follower, catchUp } = this.#protocol;
		return {
			member: { id: state.member, name, role, version, level, labels },
			position: state.position,
			state: standing.state,
			since: standing.since,
			why: standing.why,
			connection: follower.connection,
			tail: catchUp.tail,
			lost: this.#lost.summary(),
		};
	}

	async members(): Promise<readonly SeenStatus[]> {
		return this.#presence.members();
	}

	async forget(member: string): Promise<void> {
		await this.#options.log.forget(member);
	}

	async reached(revision: number, timeoutMs: number): Promise<boolean> {
		return this.#waits.reached(revision, timeoutMs);
	}

	attend(): Stop {
		return this.#waits.attend();
	}

	async spread(revision: number, timeoutMs: number): Promise<Spread> {
		return this.#waits.spread(revision, timeoutMs);
	}

	async history(limit: number, before: number | undefined): Promise<readonly LogEntry[]> {
		return historyOf(this.#options.log, this.#options.state, limit, before);
	}

	get refusal(): string | undefined {
		if (this.#options.state.position !== undefined) return undefined;
		const { why } = this.#protocol.standing;
		return `This machine has no state of the fleet "${this.#options.fleet}" yet${why === undefined ? "" : `: ${why}`}`;
	}

	metrics(): MetricsSnapshot {
		return this.#protocol.counts.snapshot(this.status(), this.#presence.others());
	}

	/** Nothing is applied or written after it. */
	async close(): Promise<void> {
		this.#presence.stop();
		await this.#protocol.close();
		await this.#options.log.close();
	}

	#said(): MemberStatus | undefined {
		const status = this.#protocol.status();
		const { records } = this.#lost.summary();
		return status === undefined || records === 0 ? status : { ...status, lost: records };
	}

	#told(mark: Mark): void {
		this.#presence.applied(mark.isAwaited);
		this.#waits.applied(mark.revision, mark.digest);
	}

	/** Changes are told once each. */
	#stands(): void {
		const { logger, fleet, state } = this.#options;
		const { standing } = this.#protocol;
		this.#presence.changed();
		const fields = { fleet, state: standing.state, revision: state.position?.applied };
		const sentence = standing.why ?? `This machine is ${STATES[standing.state]} in the fleet.`;
		if (standing.state === "stuck" || standing.state === "diverged") logger.error(fields, sentence);
		else if (standing.state === "cut_off") logger.warn(fields, sentence);
		else logger.info(fields, sentence);
	}

	#reported(path: string, lost: readonly LostRecord[]): void {
		const { logger, fleet } = this.#options;
		logger.error(
			{ fleet, records: lost.length, revisions: named(lost), path },
			`the fleet's log has another history than this machine had: ${lost.length} records of it are not in force any more, or can't be told; ${path} keeps them`,
		);
	}

	#found(path: string, records: readonly FoundRecord[], left: number): void {
		const { logger, fleet } = this.#options;
		this.#protocol.counts.found(records.length);
		logger.info(
			{ fleet, records: records.length, revisions: named(records), left, path },
			`${records.length} records that were reported as lost are in force after all, given back to the log; ${left === 0 ? `nothing that ${path} keeps is lost: delete it` : `${left} more that ${path} keeps are not`}`,
		);
	}
}

const named = (records: readonly { readonly revision: number }[]): readonly number[] =>
	records.slice(0, LIMITS.fleetMissingNamed).map(({ revision }) => revision);

const STATES: Readonly<Record<MemberStatus["state"], string>> = {
	starting: "not yet in sync",
	in_sync: "in sync",
	catching_up: "catching up",
	cut_off: "cut off",
	stuck: "stuck",
	diverged: "on its own",
};

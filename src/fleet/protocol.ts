/**
 * The parts of the protocol put together over a log and a state: what a member is but for presence and waits. Made by
 * `member.ts`, and by the model's tests, which run it over a log that misbehaves.
 */
import { LIMITS } from "../limits/limits.ts";
import type { Change } from "../store/store.ts";
import { Agreement } from "./agreement.ts";
import { Applier } from "./applier.ts";
import { Audit } from "./audit.ts";
import { CatchUp } from "./catch-up.ts";
import type { Clock } from "./clock.ts";
import { FleetCounts } from "./fleet-counts.ts";
import { FleetError } from "./fleet-error.ts";
import { FleetQueue } from "./fleet-queue.ts";
import { Follower } from "./follower.ts";
import { Healer } from "./heal.ts";
import { InForce, type Mark } from "./in-force.ts";
import { type FleetLog, LogError, type MemberStatus, type Stop, type Tail } from "./log/log.ts";
import type { LostRecords } from "./lost-records.ts";
import { Resync } from "./resync.ts";
import { Snapshots } from "./snapshots.ts";
import { Standing } from "./standing.ts";
import type { FleetState } from "./state.ts";
import { Turns } from "./turns.ts";
import { writeRefusal } from "./write-refusal.ts";

export interface ProtocolOptions {
	readonly fleet: string;
	readonly identity: Pick<MemberStatus, "name" | "version" | "role" | "labels" | "limits">;
	/** highest that this weir understands */
	readonly level: number;
	readonly log: FleetLog;
	readonly state: FleetState;
	readonly clock: Clock;
	/** milliseconds since 1970 */
	readonly wallNow: () => number;
	/** resolves when all workers run them */
	readonly publish: (changes: readonly Change[]) => Promise<void>;
	/** a revision is in force on all workers */
	readonly told: (mark: Mark) => void;
	/** keeps what is given up, before it is */
	readonly lost: LostRecords;
	/** this machine gives up documents of its own when it joins */
	readonly mayDiscard: boolean;
	/** a fault of this machine: its disk, its workers, a bug */
	readonly failed: (error: unknown) => void;
}

export class Protocol {
	readonly #options: ProtocolOptions;
	readonly standing: Standing;
	readonly counts: FleetCounts;
	readonly inForce: InForce;
	readonly catchUp: CatchUp;
	readonly follower: Follower;
	readonly queue: FleetQueue;
	readonly audit: Audit;
	/** undefined: an edge, which uploads nothing */
	readonly snapshots: Snapshots | undefined;
	readonly #turns = new Turns();
	#stopAudit: Stop | undefined;
	#isClosed = false;

	constructor(options: ProtocolOptions) {
		this.#options = options;
		const { log, state, clock, level, identity, failed, lost, mayDiscard, fleet } = options;
		const counts = new FleetCounts(() => clock.now());
		const standing = new Standing(() => new Date(options.wallNow()).toISOString());
		const { position } = state;
		const mark = position && { revision: position.applied, digest: position.digest };
		const told = (mark: Mark, ms: number) => {
			counts.applied(mark.revision, mark.records, ms);
			options.told(mark);
		};
		const now = () => clock.now();
		const inForce = new InForce({ publish: options.publish, told, failed, now }, mark);
		const turns = this.#turns;
		const agreement = new Agreement(log, state, clock);
		const applier = new Applier({ state, level, inForce, counts, lost });
		const mayAppend = identity.role === "manager";
		const healer = new Healer({ log, state, agreement, counts, mayAppend });
		const common = { log, state, agreement, counts, standing, level };
		const resync = new Resync({ ...common, fleet, inForce, lost, mayDiscard });
		const catchUp = new CatchUp({ ...common, applier, healer, resync, clock });
		const looked = (tail: Tail) => void this.snapshots?.consider(tail);
		this.standing = standing;
		this.counts = counts;
		this.inForce = inForce;
		this.catchUp = catchUp;
		this.follower = new Follower({ ...common, applier, catchUp, turns, clock, looked, failed });
		this.queue = new FleetQueue({
			parts: { log, state, applier, agreement, catchUp, follower: this.follower, counts },
			turns,
			inForce,
			clock,
			refusal: () => writeRefusal(identity.role, standing, this.inForce.mark?.revision),
			failed: (error) => this.follower.failed(error),
		});
		if (mayAppend) {
			const { wallNow } = options;
			const unsaid = () => undefined;
			this.snapshots = new Snapshots({
				log,
				state,
				agreement,
				turns,
				clock,
				wallNow,
				failed: unsaid,
			});
		}
		this.audit = new Audit({ ...common, resync, snapshots: this.snapshots, turns });
		if (position !== undefined) counts.at(position.applied);
	}

	start(): void {
		// What it took at the end of its last life it may not have told of.
		const { lost, state } = this.#options;
		const ring = [...state.ring()].filter(([, { isVoid }]) => !isVoid);
		lost.count(ring.map(([revision, { id }]) => ({ id, revision })));
		this.follower.start();
		this.#scheduleAudit();
	}

	/** What was begun is finished; nothing is taken or written after it. */
	async close(): Promise<void> {
		this.#isClosed = true;
		this.#stopAudit?.();
		this.follower.close();
		await this.queue.idle();
		await this.#turns.close();
		await this.inForce.settled();
	}

	/** A log that can't be reached is no fault of this machine, and `Standing` tells of it. */
	readonly #failed = (error: unknown): void => {
		const isOfTheFleet = error instanceof LogError || error instanceof FleetError;
		if (!isOfTheFleet) this.#options.failed(error);
	};

	/** What this member says of itself; undefined: it has never had a state. */
	status(): MemberStatus | undefined {
		const { state, identity, level } = this.#options;
		const { mark } = this.inForce;
		if (mark === undefined) return undefined;
		return {
			...identity,
			id: state.member,
			level,
			state: this.standing.state,
			since: this.standing.since,
			revision: mark.revision,
			digest: mark.digest,
		};
	}

	#scheduleAudit(): void {
		if (this.#isClosed) return;
		const { clock } = this.#options;
		this.#stopAudit = clock.after(LIMITS.fleetAuditMs * (0.5 + clock.random()), () => {
			this.#scheduleAudit();
			this.audit.run().catch(this.#failed);
		});
	}
}

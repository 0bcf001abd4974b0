/**
 * Goes over to the log's history where a member's own is another, or where the log does not reach back to it: the
 * newest sound snapshot and the records after it are put together beside the state, and the difference is made in
 * one transaction and published. What was equal is not touched, and nothing restarts (docs/fleet.md, "Applying").
 */
import { LIMITS } from "../limits/limits.ts";
import type { Agreement } from "./agreement.ts";
import type { FleetCounts, ResyncReason } from "./fleet-counts.ts";
import type { InForce } from "./in-force.ts";
import type { FleetLog, Snapshot, Tail } from "./log/log.ts";
import { partingFrom } from "./lost.ts";
import type { LostRecords } from "./lost-records.ts";
import type { NumberedRecord } from "./record.ts";
import type { Standing } from "./standing.ts";
import type { FleetState, Staged } from "./state.ts";

export interface ResyncOptions {
	readonly fleet: string;
	readonly log: FleetLog;
	readonly state: FleetState;
	readonly agreement: Agreement;
	readonly inForce: Pick<InForce, "add">;
	readonly counts: FleetCounts;
	readonly standing: Standing;
	/** highest that this weir understands */
	readonly level: number;
	/** keeps what is given up */
	readonly lost: LostRecords;
	/** a machine that has never been in the fleet may give up documents of its own for the fleet's */
	readonly mayDiscard: boolean;
}

/** `again`: the log moved on meanwhile · `halted`: it serves what it has; `Standing` says why */
export type Resynced = "done" | "again" | "halted";

/** What the records after a snapshot are. */
type Fold = "whole" | "cut" | "damaged" | "stuck";

const EMPTY_DIGEST = "0".repeat(32);

export class Resync {
	readonly #options: ResyncOptions;

	constructor(options: ResyncOptions) {
		this.#options = options;
	}

	/** @throws LogError */
	async run(tail: Tail, why: ResyncReason | "first"): Promise<Resynced> {
		const { log, standing, level, agreement } = this.#options;
		let damage = `The log begins at revision ${tail.first}, and there is no sound snapshot to begin with.`;
		for (const { revision, name } of await log.snapshots.list()) {
			if (revision > tail.last || revision + 1 < tail.first) continue;
			const snapshot = await log.snapshots.open(name);
			if (snapshot === undefined || !(await agreement.isOfThisLog(snapshot, tail))) continue;
			if (snapshot.level > level) return this.#stuck(snapshot.level, revision);
			const staged = await this.#stage(snapshot, tail);
			if (staged === undefined) continue;
			const result = await this.#goOver(staged, snapshot, tail, why);
			if (result !== "damaged") return result;
			damage = `A record of the log after revision ${revision} is damaged, and there is no snapshot after it yet.`;
			break;
		}
		if (tail.first === 1 && (await this.#beganEmpty(tail))) {
			const staged = await this.#stage(undefined, tail);
			const result = staged && (await this.#goOver(staged, undefined, tail, why));
			if (result !== undefined && result !== "damaged") return result;
		}
		standing.set(
			"diverged",
			`${damage} This machine serves what it has. A machine that has the whole state uploads a snapshot by itself; if none does, \`weir fleet reseed\` on the machine with the highest revision begins the log again.`,
		);
		return "halted";
	}

	/** Without a snapshot, the empty state is what the first record says that it was decided on. */
	async #beganEmpty(tail: Tail): Promise<boolean> {
		for await (const { record } of this.#options.log.read(1, tail.last))
			if (record !== undefined) return record.before === EMPTY_DIGEST;
		return false;
	}

	#stage(snapshot: Snapshot | undefined, { incarnation }: Tail): Promise<Staged | undefined> {
		return this.#options.state.stage(snapshot, { fleet: this.#options.fleet, incarnation });
	}

	async #goOver(
		staged: Staged,
		snapshot: Snapshot | undefined,
		tail: Tail,
		why: ResyncReason | "first",
	): Promise<Resynced | "damaged"> {
		try {
			const fold = await this.#fold(staged, tail);
			if (fold === "damaged") return "damaged";
			if (fold === "cut") return "again";
			if (why === "first" && !this.#mayBegin(staged)) return "halted";
			await this.#become(staged, snapshot, tail, why);
			if (fold === "whole") return "done";
			return this.#stuck(undefined, staged.position.applied + 1);
		} finally {
			staged.close();
		}
	}

	/** Puts the records after the snapshot on top of it. */
	async #fold(staged: Staged, tail: Tail): Promise<Fold> {
		let next = staged.position.applied + 1;
		let { digest } = staged.position;
		let damagedAt = Number.POSITIVE_INFINITY;
		let batch: NumberedRecord[] = [];
		let end: Fold = "whole";
		for await (const numbered of this.#options.log.read(next, tail.last)) {
			const { revision, record } = numbered;
			if (revision !== next) return "cut";
			if (record === undefined) damagedAt = revision;
			else if (record.before === digest) {
				if (record.level > this.#options.level) {
					end = "stuck";
					break;
				}
				digest = record.after;
				damagedAt = Number.POSITIVE_INFINITY;
			}
			// Who wrote this one had taken the damaged one for a record.
			else if (record.base >= damagedAt) return "damaged";
			batch.push(numbered);
			next++;
			if (batch.length < LIMITS.fleetApplyRecords) continue;
			staged.take(batch);
			batch = [];
		}
		staged.take(batch);
		if (staged.position.digest !== digest) return "damaged";
		return end === "whole" && next <= tail.last ? "cut" : end;
	}

	#mayBegin(staged: Staged): boolean {
		const { state, standing, mayDiscard } = this.#options;
		const own = state.wholeDigest();
		if (mayDiscard || own === EMPTY_DIGEST || own === staged.position.digest) return true;
		standing.set(
			"diverged",
			"This machine has documents of its own, and others than the fleet's: `weir fleet join --discard-local` saves them and takes the fleet's instead.",
		);
		return false;
	}

	async #become(
		staged: Staged,
		snapshot: Snapshot | undefined,
		tail: Tail,
		why: ResyncReason | "first",
	): Promise<void> {
		const { state, log, counts, inForce, lost: reports } = this.#options;
		const { valid } = staged;
		const parting = await partingFrom(state, log, tail, snapshot, valid, reports.oldest);
		const { lost, kept, led } = parting;
		reports.report(lost);
		counts.lost(lost.length);
		const { applied } = state.position ?? { applied: 0 };
		const changes = await state.become(staged, kept);
		if (why !== "first") counts.resynced(why);
		reports.count([...led, ...Array.from(valid, ([id, revision]) => ({ id, revision }))]);
		const { position } = staged;
		counts.at(position.applied);
		inForce.add(changes, {
			revision: position.applied,
			digest: position.digest,
			records: Math.max(0, position.applied - applied),
			isAwaited: true,
		});
	}

	#stuck(level: number | undefined, revision: number): "halted" {
		this.#options.standing.set("stuck", stuckSentence(this.#options.level, level, revision));
		return "halted";
	}
}

/** @param needed undefined: more than this weir's */
export const stuckSentence = (own: number, needed: number | undefined, revision: number): string =>
	`Revision ${revision} of the fleet needs level ${needed ?? `${own + 1} or more`}, and this weir understands level ${own}: it stops before that revision and serves what it has. Install the newer weir on this machine.`;

/**
 * Brings a member to the log's end: looks where the log ends, whether both agree, gives back or goes over where they
 * don't, and takes what is missing. Every way to be in sync goes through here, but for live records that follow
 * each other. Used by `follower.ts` and `batch-write.ts`, each in its turn.
 */
import { LIMITS } from "../limits/limits.ts";
import type { Agreement } from "./agreement.ts";
import type { Applier, Stop } from "./applier.ts";
import type { Clock } from "./clock.ts";
import type { FleetCounts, ResyncReason } from "./fleet-counts.ts";
import type { Healer } from "./heal.ts";
import { followsOn } from "./incarnation.ts";
import { type FleetLog, LogError, type Tail } from "./log/log.ts";
import type { FleetRecord, NumberedRecord } from "./record.ts";
import { type Resync, stuckSentence } from "./resync.ts";
import type { Standing } from "./standing.ts";
import type { FleetState } from "./state.ts";

export interface CatchUpOptions {
	readonly log: FleetLog;
	readonly state: FleetState;
	readonly agreement: Agreement;
	readonly applier: Applier;
	readonly healer: Healer;
	readonly resync: Resync;
	readonly standing: Standing;
	readonly counts: FleetCounts;
	readonly clock: Clock;
	/** highest that this weir understands */
	readonly level: number;
}

/** `again`: something was done about it, or the log moved on · `halted`: it serves what it has */
type Step = "done" | "again" | "halted";

/** a log that moves on all the time is met again at the next look */
const ROUNDS = 8;

export class CatchUp {
	readonly #options: CatchUpOptions;
	/** since when the log has ended before what this machine holds, which may not append */
	#shortSinceMs: number | undefined;
	#tail = 0;

	constructor(options: CatchUpOptions) {
		this.#options = options;
	}

	/** last revision of the log that this machine knows of */
	get tail(): number {
		return Math.max(this.#tail, this.#options.state.position?.applied ?? 0);
	}

	/** There is such a revision, as somebody says. */
	heardOf(revision: number): void {
		this.#tail = Math.max(this.#tail, revision);
		this.#options.counts.heardOf(revision);
	}

	/** @returns the log's end, where this member stands now; undefined: it could not come there @throws LogError */
	async run(): Promise<Tail | undefined> {
		for (let round = 0; round < ROUNDS; round++) {
			const tail = await this.#options.log.tail();
			this.#tail = tail.last;
			this.#options.counts.heardOf(tail.last);
			const step = await this.#step(tail);
			if (step === "halted") return undefined;
			if (step === "again") continue;
			this.#options.standing.set("in_sync");
			return tail;
		}
		return undefined;
	}

	async #step(tail: Tail): Promise<Step> {
		const { state, agreement, resync, standing, level } = this.#options;
		const { position } = state;
		if (position === undefined) return again(await resync.run(tail, "first"));
		if (position.level > level) {
			standing.set("stuck", stuckSentence(level, position.level, position.applied));
			return "halted";
		}
		if (position.incarnation !== tail.incarnation) return this.#changeLogs(tail);
		if (tail.last < position.applied) return this.#healed(tail);
		this.#shortSinceMs = undefined;
		// It was away for long, and nobody has to worry.
		if (tail.first > position.applied + 1) return this.#resynced(tail, "trimmed");
		if (!(await agreement.inSync())) return this.#resynced(tail, "verify");
		return position.applied === tail.last ? "done" : this.#fill(tail);
	}

	/** The log was begun again. */
	async #changeLogs(tail: Tail): Promise<Step> {
		const { state, log } = this.#options;
		const { position } = state;
		if (position === undefined) return "again";
		if (!followsOn(position.incarnation, tail.incarnation))
			throw new LogError(
				"incarnation",
				`The engine's log belongs to another fleet of the same name "${position.fleet}" (it is ${tail.incarnation}, this machine's is ${position.incarnation}): name the right engine or fleet, or leave this one with \`weir fleet leave\`.`,
			);
		const [newest] = await log.snapshots.list();
		const snapshot = newest && (await log.snapshots.open(newest.name));
		const isSame =
			snapshot?.incarnation === tail.incarnation &&
			snapshot.revision === position.applied &&
			snapshot.digest === position.digest;
		if (!isSame) return this.#resynced(tail, "incarnation");
		const { fleet, applied: revision, level } = position;
		state.begin({ fleet, incarnation: tail.incarnation, revision, level });
		return "again";
	}

	/** The log ends before what this member holds. */
	async #healed(tail: Tail): Promise<Step> {
		const { healer, standing, clock } = this.#options;
		const healing = await healer.heal(tail);
		if (healing === "healed") return "again";
		if (healing === "differs") return this.#resynced(tail, "verify");
		this.#shortSinceMs ??= clock.now();
		if (clock.now() - this.#shortSinceMs >= LIMITS.fleetAliveMs)
			return this.#resynced(tail, "verify");
		standing.set(
			"catching_up",
			`The log ends at revision ${tail.last}, before what this machine holds; it waits for a manager to give the rest back.`,
		);
		return "halted";
	}

	async #resynced(tail: Tail, why: ResyncReason): Promise<Step> {
		return again(await this.#options.resync.run(tail, why));
	}

	async #fill(tail: Tail): Promise<Step> {
		const { log, state, counts, standing } = this.#options;
		const from = (state.position?.applied ?? 0) + 1;
		if (tail.last - from >= LIMITS.fleetLiveBuffer)
			standing.set("catching_up", `It takes revisions ${from} to ${tail.last} from the log.`);
		let batch: NumberedRecord[] = [];
		for await (const numbered of log.read(from, tail.last)) {
			batch.push(numbered);
			if (batch.length < LIMITS.fleetApplyRecords) continue;
			const step = await this.#take(batch, tail);
			if (step !== "done") return step;
			batch = [];
		}
		const step = await this.#take(batch, tail);
		const applied = state.position?.applied ?? 0;
		counts.gapsFilled(Math.max(0, applied - from + 1));
		return step === "done" && applied < tail.last ? "again" : step;
	}

	async #take(batch: readonly NumberedRecord[], tail: Tail): Promise<Step> {
		const { applier, agreement, state, standing, level } = this.#options;
		let stop: Stop = applier.take(batch);
		for (let isVerified = false; stop === "mismatch"; isVerified = true) {
			if (!isVerified && !(await agreement.inSync())) return this.#resynced(tail, "verify");
			if (this.#comesAfterDamage(batch)) return this.#resynced(tail, "misfit");
			stop = applier.take(batch, (state.position?.applied ?? 0) + 1);
		}
		if (stop === "misfit") return this.#resynced(tail, "misfit");
		if (stop !== "stuck") return stop === "done" ? "done" : "again";
		const revision = (state.position?.applied ?? 0) + 1;
		const needed = recordAt(batch, revision)?.level;
		standing.set("stuck", stuckSentence(level, needed, revision));
		return "halted";
	}

	/** The next record was written by one who had taken for a record what lies here and is none: it is damaged. */
	#comesAfterDamage(batch: readonly NumberedRecord[]): boolean {
		const { head, applied } = this.#options.state.position ?? { head: 0, applied: 0 };
		const base = recordAt(batch, applied + 1)?.base ?? 0;
		const ring = this.#options.state.ring();
		for (let revision = head + 1; revision <= Math.min(base, applied); revision++)
			if (ring.get(revision)?.id === "") return true;
		return false;
	}
}

const recordAt = (batch: readonly NumberedRecord[], revision: number): FleetRecord | undefined =>
	batch.find((each) => each.revision === revision)?.record;

const again = (resynced: "done" | "again" | "halted"): Step =>
	resynced === "halted" ? "halted" : "again";

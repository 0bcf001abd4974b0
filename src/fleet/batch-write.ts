/**
 * One batch of writes on its way into the log, one try at a time, each in its turn (docs/fleet.md, "Writes"): decided
 * on the state as it is, appended if nothing came first, compared with the log, taken. Whatever became of an append
 * whose answer was lost is found by its record's id. Made by `fleet-queue.ts`.
 */
import { randomBytes } from "node:crypto";
import { LIMITS } from "../limits/limits.ts";
import type { Writes } from "../store/lmdb/database.ts";
import type { WriteOrigin } from "../store/write-queue.ts";
import type { Agreement } from "./agreement.ts";
import type { Applier } from "./applier.ts";
import type { CatchUp } from "./catch-up.ts";
import type { FleetCounts } from "./fleet-counts.ts";
import { FleetError } from "./fleet-error.ts";
import type { Follower } from "./follower.ts";
import type { Appended, FleetLog } from "./log/log.ts";
import type { FleetRecord } from "./record.ts";
import type { Decision, FleetState, Outcome, Position, Versions } from "./state.ts";
import { levelFor } from "./write-level.ts";

export interface WriteParts {
	readonly log: FleetLog;
	readonly state: FleetState;
	readonly applier: Applier;
	readonly agreement: Agreement;
	readonly catchUp: CatchUp;
	readonly follower: Pick<Follower, "reach">;
	readonly counts: FleetCounts;
}

export interface QueuedWrite {
	readonly operation: (writes: Writes) => unknown;
	readonly origin: WriteOrigin;
}

interface Tried {
	readonly base: number;
	readonly after: string;
	readonly decision: Decision;
}

/** What became of a batch. */
export interface Settled {
	readonly outcomes: readonly Outcome<unknown>[];
	/** undefined: all were refused, and nothing was written */
	readonly at: { readonly revision: number; readonly digest: string } | undefined;
}

/** `again`: others came first · `unknown`: no answer · `split`: too much for one record, or refused because of one of them */
export type Try = Settled | "again" | "unknown" | "split";

export class BatchWrite {
	readonly #parts: WriteParts;
	readonly #batch: readonly QueuedWrite[];
	/** by id: what was appended, or may have been, and is not known to count for nothing */
	readonly #tried = new Map<string, Tried>();
	/** machines of the fleet don't understand versions of policies yet */
	#versions: Versions = "kept";

	constructor(parts: WriteParts, batch: readonly QueuedWrite[]) {
		this.#parts = parts;
		this.#batch = batch;
	}

	/** It may be in the log, or come there yet. */
	get isUncertain(): boolean {
		return this.#tried.size > 0;
	}

	/** @throws FleetError it can't be; LogError the log can't be reached */
	async once(): Promise<Try> {
		if (this.#tried.size > 0) {
			const tail = await this.#parts.catchUp.run();
			const found = this.#found();
			if (found !== undefined) return found;
			if (tail === undefined || !this.#hasNoneBefore(tail.last)) return "unknown";
		}
		return this.#decide();
	}

	async #decide(): Promise<Try> {
		const { state, catchUp } = this.#parts;
		const { position } = state;
		if (position === undefined) return "again";
		const operations = this.#batch.map(({ operation }) => operation);
		const decision = state.decide(operations, this.#versions);
		if (!this.needsRecord(decision)) {
			if (await this.confirms(position)) return { outcomes: decision.outcomes, at: undefined };
			await catchUp.run();
			return this.#found() ?? "again";
		}
		const isLarge = decision.bytes > LIMITS.fleetRecordBytes / 2;
		if (isLarge && this.#batch.length > 1) return "split";
		if (decision.bytes > LIMITS.fleetRecordInflatedBytes) throw tooLarge(decision.bytes);
		return this.#append(position, decision);
	}

	/** What changes nothing has a record all the same: that it changes nothing was decided on a state that may be old. */
	needsRecord({ outcomes, operations }: Decision): boolean {
		return operations.length > 0 || !outcomes.every(isRefusal);
	}

	/** What is refused is refused on the newest state: its client may have seen that elsewhere. */
	async confirms(position: Position): Promise<boolean> {
		const { log, agreement } = this.#parts;
		return (await log.tail()).last === position.applied && (await agreement.inSync());
	}

	async #append(position: Position, decision: Decision): Promise<Try> {
		const level = await this.#levelOf(position, decision);
		if (typeof level === "string") return level;
		const record = this.#record(position, decision, level);
		this.#tried.set(record.id, { base: record.base, after: record.after, decision });
		const answer = await this.#parts.log.append(record, LIMITS.fleetAppendMs);
		if ("unknown" in answer) {
			this.#parts.counts.appended("unknown");
			return "unknown";
		}
		if ("refused" in answer) return this.#refused(answer, record);
		if ("conflict" in answer) return this.#conflict(record.id, answer.conflict);
		this.#parts.counts.appended("ok");
		return this.appended(answer.revision, record, decision);
	}

	/** It lies in the log. Whether it counts there, the log before it tells, and the state. */
	async appended(revision: number, record: FleetRecord, { outcomes }: Decision): Promise<Try> {
		const { agreement, applier, catchUp } = this.#parts;
		const isNext = revision === record.base + 1 && (await agreement.inSync());
		if (isNext && applier.take([{ revision, record }]) === "done")
			return { outcomes, at: { revision, digest: record.after } };
		await catchUp.run();
		return this.#found() ?? "again";
	}

	/**
	 * What came first is mostly on its way already: sooner here than it is read from the log, and, where an engine's
	 * leader has refused for the sake of a record that the others have not stored yet, as soon as there is a new end.
	 * As where it is read, it goes on from what the log still holds.
	 */
	async #conflict(id: string, last: number): Promise<Try> {
		const { counts, state, agreement, follower, catchUp } = this.#parts;
		counts.appended("conflict");
		this.#tried.delete(id);
		const isAhead = last > (state.position?.applied ?? 0);
		const goesOn = isAhead && (await agreement.inSync()) && (await follower.reach(last));
		if (!goesOn) await catchUp.run();
		return this.#found() ?? "again";
	}

	#refused(answer: Extract<Appended, { refused: string }>, { id }: FleetRecord): "split" {
		this.#parts.counts.appended("refused");
		this.#tried.delete(id);
		if (answer.refused === "too_large") {
			if (this.#batch.length > 1) return "split";
			throw new FleetError("ERR_BODY_TOO_LARGE", `${answer.why} Nothing was changed.`);
		}
		const code = answer.refused === "full" ? "ERR_STORE_FULL" : "ERR_FLEET_UNAVAILABLE";
		throw new FleetError(code, `${answer.why} Nothing was changed.`);
	}

	/**
	 * What needs more than the fleet understands is decided again without versions of policies, then each write of several
	 * on its own.
	 */
	async #levelOf(position: Position, { level }: Decision): Promise<number | "again" | "split"> {
		const asked = this.#batch.map(({ origin }) => origin.level ?? 0);
		try {
			return await levelFor(Math.max(level, ...asked), position.level, this.#parts.log);
		} catch (error) {
			if (!(error instanceof FleetError)) throw error;
			if (this.#versions === "kept" && level > position.level) {
				this.#versions = "left_out";
				return "again";
			}
			if (this.#batch.length > 1) return "split";
			throw error;
		}
	}

	/** What was tried and counts in the log as this member has it. */
	#found(): Settled | undefined {
		if (this.#tried.size === 0) return undefined;
		for (const [revision, { id, isVoid }] of this.#parts.state.ring()) {
			const tried = this.#tried.get(id);
			if (tried === undefined) continue;
			if (isVoid) this.#tried.delete(id);
			else
				return {
					outcomes: tried.decision.outcomes,
					at: { revision, digest: tried.after },
				};
		}
		return undefined;
	}

	/**
	 * Something else lies where they would have come, so they never will; one that would be the log's next may come yet,
	 * and then the next try is refused. @returns false: this member can't tell what lies there
	 */
	#hasNoneBefore(last: number): boolean {
		const ring = this.#parts.state.ring();
		for (const [id, { base }] of [...this.#tried]) {
			if (base >= last) continue;
			if (!ring.has(base + 1)) return false;
			this.#tried.delete(id);
		}
		return true;
	}

	#record(position: Position, { operations, after }: Decision, level: number): FleetRecord {
		const [first] = this.#batch;
		return {
			id: randomBytes(16).toString("base64url"),
			base: position.applied,
			before: position.digest,
			after,
			level,
			by: this.#parts.state.member,
			isAwaited: this.#batch.some(({ origin }) => origin.isAwaited === true),
			at: first?.origin.at ?? "",
			key: this.#batch.find(({ origin }) => origin.key !== undefined)?.origin.key,
			operations,
		};
	}
}

const tooLarge = (bytes: number): FleetError =>
	new FleetError(
		"ERR_BODY_TOO_LARGE",
		`The change has ${bytes} bytes, and a record of the fleet's log may have ${LIMITS.fleetRecordInflatedBytes}. Nothing was changed. Make it in several parts.`,
	);

/** It has not been done, and the client hears why: an error, `refused`, or that there is no such thing. */
function isRefusal(outcome: Outcome<unknown>): boolean {
	if ("error" in outcome) return true;
	const { value } = outcome;
	return value === false || (typeof value === "object" && value !== null && "refused" in value);
}

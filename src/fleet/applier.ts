/**
 * Takes the log's records: the one place that changes a member's state, for records that come live, that are fetched,
 * and that are its own (docs/fleet.md, "Applying"). A record applies to exactly the state that it was decided on, or
 * to none. What does not fit is for `catch-up.ts` to judge, since that means asking the log.
 */
import { LIMITS } from "../limits/limits.ts";
import type { FleetCounts } from "./fleet-counts.ts";
import type { InForce } from "./in-force.ts";
import type { LostRecords } from "./lost-records.ts";
import type { NumberedRecord } from "./record.ts";
import type { FleetState, Taken } from "./state.ts";

/**
 * `gap`: one between is missing · `mismatch`: the next one was decided on another state · `stuck`: it needs a newer
 * weir · `misfit`: what it made of the state is not what its writer made of it
 */
export type Stop = "done" | "gap" | "mismatch" | "stuck" | "misfit";

export interface ApplierOptions {
	readonly state: FleetState;
	/** highest that this weir understands */
	readonly level: number;
	readonly inForce: Pick<InForce, "add">;
	readonly counts: FleetCounts;
	/** hears what it takes */
	readonly lost: Pick<LostRecords, "taken">;
}

export class Applier {
	readonly #options: ApplierOptions;

	constructor(options: ApplierOptions) {
		this.#options = options;
	}

	/**
	 * @param records in order; what was taken before is dropped
	 * @param voidAt here the log holds, where this member stands, what it holds: so a record that does not fit is void
	 */
	take(records: readonly NumberedRecord[], voidAt?: number): Stop {
		const { position } = this.#options.state;
		if (position === undefined) return "gap";
		let { applied, digest } = position;
		let batch: Taken[] = [];
		let bytes = 0;
		for (const numbered of records) {
			const { revision, record } = numbered;
			if (revision <= applied) continue;
			const stop = this.#judge(numbered, applied, digest, voidAt);
			if (typeof stop === "string") return this.#store(batch) ? stop : "misfit";
			batch.push({ ...numbered, isVoid: stop.isVoid });
			applied = revision;
			if (!stop.isVoid && record !== undefined) digest = record.after;
			bytes += sizeOf(numbered);
			if (batch.length < LIMITS.fleetApplyRecords && bytes < LIMITS.fleetApplyBytes) continue;
			if (!this.#store(batch)) return "misfit";
			batch = [];
			bytes = 0;
		}
		return this.#store(batch) ? "done" : "misfit";
	}

	#judge(
		{ revision, record }: NumberedRecord,
		applied: number,
		digest: string,
		voidAt: number | undefined,
	): "gap" | "mismatch" | "stuck" | { readonly isVoid: boolean } {
		if (revision > applied + 1) return "gap";
		if (record === undefined) return { isVoid: true };
		if (record.before !== digest) return revision === voidAt ? { isVoid: true } : "mismatch";
		return record.level > this.#options.level ? "stuck" : { isVoid: false };
	}

	/** @returns false: nothing was stored, for something does not fit */
	#store(batch: readonly Taken[]): boolean {
		const { state, counts, inForce, lost } = this.#options;
		const last = batch.at(-1);
		if (last === undefined) return true;
		const result = state.take(batch);
		if ("misfit" in result) return false;
		lost.taken(batch);
		counts.voided(batch.filter(({ isVoid }) => isVoid).length);
		inForce.add(result.changes, {
			revision: last.revision,
			digest: state.position?.digest ?? "",
			records: batch.length,
			isAwaited: batch.some(({ record }) => record?.isAwaited === true),
		});
		return true;
	}
}

/** Characters of what it writes, about. */
function sizeOf({ record }: NumberedRecord): number {
	let size = 0;
	for (const [, key, value] of record?.operations ?? []) size += key.length + (value?.length ?? 0);
	return size;
}

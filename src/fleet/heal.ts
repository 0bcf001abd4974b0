/**
 * Gives the log back what it had and lost: a power cut, a restored backup. A member that holds more than the log, and
 * agrees with it where it ends, appends the missing records as they were (docs/fleet.md, "Failures"). Several
 * members may do so at once: each record comes through once.
 */
import { LIMITS } from "../limits/limits.ts";
import type { Agreement } from "./agreement.ts";
import type { FleetCounts } from "./fleet-counts.ts";
import { type FleetLog, LogError, type Tail } from "./log/log.ts";
import type { FleetState } from "./state.ts";

/** `differs`: the log has another history, or this member has not all that is missing; `may_not`: it is an edge */
export type Healing = "healed" | "differs" | "may_not";

export interface HealerOptions {
	readonly log: FleetLog;
	readonly state: FleetState;
	readonly agreement: Agreement;
	readonly counts: FleetCounts;
	readonly mayAppend: boolean;
}

export class Healer {
	readonly #options: HealerOptions;

	constructor(options: HealerOptions) {
		this.#options = options;
	}

	/** @param tail ends before what this member holds @throws LogError */
	async heal({ first, last }: Tail): Promise<Healing> {
		const { state, counts, mayAppend } = this.#options;
		const applied = state.position?.applied ?? 0;
		if (!(await this.#agreesAt(last, first))) return "differs";
		if (!mayAppend) return "may_not";
		let given = 0;
		try {
			for (let revision = last + 1; revision <= applied; revision++) {
				const outcome = await this.#give(revision);
				if (outcome === "differs") return "differs";
				if (outcome === "given") given++;
			}
		} finally {
			counts.healed(given);
		}
		return "healed";
	}

	async #agreesAt(last: number, first: number): Promise<boolean> {
		const { state, agreement, log } = this.#options;
		if (last === 0) return true;
		const own = state.ring().get(last)?.id ?? "";
		if (first <= last) {
			const theirs = await agreement.at(last);
			return typeof theirs === "object" && own !== "" && theirs.record?.id === own;
		}
		// All is trimmed: a snapshot tells what the log's end was. If none does, nothing speaks against it.
		const kept = (await log.snapshots.list()).find(({ revision }) => revision === last);
		const snapshot = kept && (await log.snapshots.open(kept.name));
		if (snapshot === undefined || (own !== "" && own === snapshot.id)) return true;
		return state.ringRecord(last + 1)?.before === snapshot.digest;
	}

	async #give(revision: number): Promise<"given" | "there" | "differs"> {
		const { state, log, agreement } = this.#options;
		const record = state.ringRecord(revision);
		if (record === undefined) return "differs";
		// It comes to the same place, also if it was accepted on an old base once: what it applies to, it says itself.
		const answer = await log.append({ ...record, base: revision - 1 }, LIMITS.fleetAppendMs);
		if ("revision" in answer) return answer.revision === revision ? "given" : "differs";
		if ("unknown" in answer) throw new LogError("unreachable", answer.unknown);
		if ("refused" in answer) throw new LogError("not_permitted", answer.why);
		const theirs = await agreement.at(revision);
		return typeof theirs === "object" && theirs.record?.id === record.id ? "there" : "differs";
	}
}

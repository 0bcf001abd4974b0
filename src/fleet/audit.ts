/**
 * Members compare what they have, each with a few others: two that stand at the same revision with different digests
 * can't both be right, and whatever else has missed that is found here (docs/fleet.md, "Applying"). Each then looks at
 * all, and compares its whole ring with the log: who has another history goes over to the log's. Where the log does not tell, most are right, and upload what they
 * have as a snapshot for the others to go over to.
 */
import { LIMITS } from "../limits/limits.ts";
import type { Agreement } from "./agreement.ts";
import type { FleetLog, SeenStatus } from "./log/log.ts";
import type { Resync } from "./resync.ts";
import type { Snapshots } from "./snapshots.ts";
import type { Standing } from "./standing.ts";
import type { FleetState } from "./state.ts";
import type { Turns } from "./turns.ts";

export interface AuditOptions {
	readonly log: FleetLog;
	readonly state: FleetState;
	readonly agreement: Agreement;
	readonly resync: Resync;
	/** undefined: an edge, which uploads nothing */
	readonly snapshots: Snapshots | undefined;
	readonly turns: Turns;
	readonly standing: Standing;
}

/** `same`: nobody says anything else · `found`: this machine went over · `uploaded`: others will · `left`: not now */
export type Audited = "same" | "found" | "uploaded" | "left";

export class Audit {
	readonly #options: AuditOptions;

	constructor(options: AuditOptions) {
		this.#options = options;
	}

	/** @throws LogError */
	async run(): Promise<Audited> {
		const { log, state, snapshots, turns, standing } = this.#options;
		if (standing.state !== "in_sync") return "left";
		const isOther = ({ status, ageMs }: SeenStatus): boolean =>
			status.id !== state.member && ageMs <= LIMITS.fleetAliveMs;
		const some = (await log.seen(LIMITS.fleetAuditSample)).filter(isOther);
		if (!this.#isSuspect(some)) return "same";
		const seen = (await log.seen()).filter(isOther);
		const result = await turns.take(() => this.#compare(seen));
		const isNeeded = seen.some(({ status }) => status.state === "diverged");
		if (result !== "upload" && (result === "found" || !isNeeded)) return result;
		return (await snapshots?.upload()) === true ? "uploaded" : "left";
	}

	/** All are read only then: who differs from the others meets one of them soon, and many others meet it. */
	#isSuspect(some: readonly SeenStatus[]): boolean {
		const { position } = this.#options.state;
		return some.some(
			({ status }) =>
				status.state === "diverged" ||
				(status.revision === position?.applied && status.digest !== position.digest),
		);
	}

	async #compare(seen: readonly SeenStatus[]): Promise<Audited | "upload"> {
		const { state, agreement, log } = this.#options;
		const { position } = state;
		if (position === undefined) return "same";
		const beside = seen.filter(({ status }) => status.revision === position.applied);
		const others = beside.filter(({ status }) => status.digest !== position.digest);
		if (others.length === 0) return "same";
		if (state.wholeDigest() !== position.digest) return this.#goOver();
		const tail = await log.tail();
		if (tail.last !== position.applied) return "left";
		const ring = await agreement.wholeRing();
		if (ring === "differs") return this.#goOver();
		const same = beside.filter(({ status }) => status.digest === position.digest).length + 1;
		// As many against as for it: who knows what the log has lost stays, others go by the log.
		const isOutnumbered = others.length + (ring === "damaged" ? 0 : 1) > same;
		return isOutnumbered ? this.#goOver() : "upload";
	}

	async #goOver(): Promise<Audited> {
		const { resync, log } = this.#options;
		await resync.run(await log.tail(), "audit");
		return "found";
	}
}

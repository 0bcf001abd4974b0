/**
 * The candidate of one route in a worker: its compiled policy, and what is counted of it. One for each document: a changed
 * candidate is another. Made by `candidates.ts`; a `Route` has it as a property.
 */
import type { PolicyLoader, PolicyOwner } from "../policies/policy-loader.ts";
import { type PolicySlot, STORED } from "../policies/policy-slot.ts";
import type { CandidateCounts } from "./candidate-counts.ts";

export class RouteCandidate {
	readonly etag: string;
	readonly counts: CandidateCounts;
	readonly #owner: PolicyOwner;
	#slot: PolicySlot;

	/** @param slot undefined: it is compiled when a request asks */
	constructor(
		owner: PolicyOwner,
		etag: string,
		counts: CandidateCounts,
		slot: PolicySlot | undefined,
	) {
		this.#owner = owner;
		this.etag = etag;
		this.counts = counts;
		this.#slot = slot ?? STORED;
	}

	/** In no state but `stored` after a failure to read it. */
	slot(loader: Pick<PolicyLoader, "open">): PolicySlot {
		if (this.#slot.state !== "stored") return this.#slot;
		const opened = loader.open(this.#owner);
		// The next request tries to read it again.
		if (opened.state !== "unreadable") this.#slot = opened;
		return opened;
	}

	close(): void {
		this.#slot.close();
	}
}

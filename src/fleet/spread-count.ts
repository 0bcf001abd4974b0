/** Counts who has one revision, from what members say: those seen of late, and whoever speaks meanwhile. Used by `wait.ts`. */
import { LIMITS } from "../limits/limits.ts";
import type { Spread } from "./fleet.ts";
import type { MemberStatus, SeenStatus } from "./log/log.ts";

export class SpreadCount {
	readonly #revision: number;
	readonly #digest: () => string | undefined;
	/** names of all that count, by id */
	readonly #names = new Map<string, string>();
	readonly #missing = new Set<string>();
	#isKnown = false;
	/** called once all have it */
	onWhole: (() => void) | undefined;

	/** @param digest of the state at the revision; undefined: not known (any more) */
	constructor(revision: number, digest: () => string | undefined) {
		this.#revision = revision;
		this.#digest = digest;
	}

	/** Who there is has been read. */
	get isKnown(): boolean {
		return this.#isKnown;
	}

	/** The last words of all members. */
	see(members: readonly SeenStatus[]): void {
		this.#isKnown = true;
		for (const { status, ageMs } of members) if (ageMs <= LIMITS.fleetAliveMs) this.#count(status);
		this.#tellIfWhole();
	}

	hear(status: MemberStatus): void {
		this.#count(status);
		this.#tellIfWhole();
	}

	get result(): Spread {
		const missing = [...this.#missing].map((id) => this.#names.get(id) ?? id).sort();
		const of = this.#names.size;
		return { applied: of - missing.length, of, missing };
	}

	/** Who has it once has it: an older word may come later. */
	#count(status: MemberStatus): void {
		const { id, name } = status;
		const isNew = !this.#names.has(id);
		this.#names.set(id, name);
		if (this.#has(status)) this.#missing.delete(id);
		else if (isNew) this.#missing.add(id);
	}

	#has({ revision, digest, state }: MemberStatus): boolean {
		if (state === "diverged" || revision < this.#revision) return false;
		const expected = this.#digest();
		return revision > this.#revision || expected === undefined || digest === expected;
	}

	#tellIfWhole(): void {
		if (this.#isKnown && this.#missing.size === 0) this.onWhole?.();
	}
}

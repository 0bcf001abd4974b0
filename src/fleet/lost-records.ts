/**
 * What this machine has reported as lost, and what of it is: a record that another machine gives back is found by its id
 * when it is taken again, and its report is closed (docs/fleet.md, "Failures"). Made by `member.ts` over the files of
 * `lost-file.ts`; the protocol tells it what it takes.
 */
import { LIMITS } from "../limits/limits.ts";
import type { FoundRecord, LostRecord } from "./lost.ts";
import type { Taken } from "./state.ts";

/** A reported record that was not found. */
export interface MissingRecord extends Pick<LostRecord, "revision" | "why"> {
	readonly id: string;
	/** what tells of it */
	readonly where: string;
}

/** Where reports are kept. */
export interface LostKept {
	/** @returns where @throws Error of the system */
	write(lost: readonly LostRecord[]): string;
	/** They are not lost. @throws Error of the system */
	found(where: string, records: readonly FoundRecord[]): void;
	/** those that were not found, of all that is kept; newest first */
	read(): Iterable<MissingRecord>;
	/** nobody has taken it away */
	isThere(where: string): boolean;
}

/** What is really lost, as far as this machine can tell. */
export interface LostSummary {
	readonly records: number;
	/** written here, and so old that nobody can tell */
	readonly unverified: number;
	/** files that tell of them, newest first */
	readonly files: readonly string[];
}

export interface LostRecordsOptions {
	readonly kept: LostKept;
	readonly reported: (where: string, lost: readonly LostRecord[]) => void;
	/** @param left of those in the same place that were not found */
	readonly found: (where: string, records: readonly FoundRecord[], left: number) => void;
	/** it could not be written down */
	readonly failed: (error: unknown) => void;
}

export class LostRecords {
	readonly #options: LostRecordsOptions;
	/** by id; the newest are the last */
	readonly #missing = new Map<string, MissingRecord>();

	constructor(options: LostRecordsOptions) {
		this.#options = options;
		const found = new Map<string, MissingRecord>();
		for (const each of options.kept.read()) {
			if (found.size >= LIMITS.fleetLostTracked) break;
			if (!found.has(each.id)) found.set(each.id, each);
		}
		for (const each of [...found.values()].reverse()) this.#missing.set(each.id, each);
	}

	/** Kept before they are given up. @throws Error of the system */
	report(lost: readonly LostRecord[]): void {
		if (lost.length === 0) return;
		const where = this.#options.kept.write(lost);
		for (const { record, revision, why } of lost) {
			this.#missing.delete(record.id);
			if (this.#missing.size >= LIMITS.fleetLostTracked) this.#forgetOldest();
			this.#missing.set(record.id, { id: record.id, revision, why, where });
		}
		this.#options.reported(where, lost);
	}

	/** Lowest revision that a reported record had; undefined: none is missing. */
	get oldest(): number | undefined {
		if (this.#missing.size === 0) return undefined;
		return Math.min(...[...this.#missing.values()].map(({ revision }) => revision));
	}

	/** They are in the state now. */
	taken(records: readonly Pick<Taken, "revision" | "record" | "isVoid">[]): void {
		if (this.#missing.size === 0) return;
		this.count(
			records.flatMap(({ revision, record, isVoid }) =>
				isVoid || record === undefined ? [] : [{ id: record.id, revision }],
			),
		);
	}

	/** These count in the log, as this machine has it. */
	count(records: readonly FoundRecord[]): void {
		const found = new Map<string, FoundRecord[]>();
		const once = new Map(records.map((each) => [each.id, each]));
		for (const each of once.values()) {
			const missing = this.#missing.get(each.id);
			if (missing === undefined) continue;
			found.set(missing.where, [...(found.get(missing.where) ?? []), each]);
		}
		for (const [where, all] of found) this.#found(where, all);
	}

	/** What somebody has dealt with, and deleted, does not count any more. */
	summary(): LostSummary {
		const files = new Set([...this.#missing.values()].map(({ where }) => where));
		for (const where of files) {
			if (this.#options.kept.isThere(where)) continue;
			files.delete(where);
			for (const [id, each] of this.#missing) if (each.where === where) this.#missing.delete(id);
		}
		const all = [...this.#missing.values()];
		const unverified = all.filter(({ why }) => why === "unverified").length;
		const records = all.length - unverified;
		return { records, unverified, files: [...files].sort().reverse() };
	}

	#found(where: string, records: readonly FoundRecord[]): void {
		try {
			this.#options.kept.found(where, records);
		} catch (error) {
			this.#options.failed(error);
			return;
		}
		for (const { id } of records) this.#missing.delete(id);
		const left = [...this.#missing.values()].filter((each) => each.where === where).length;
		this.#options.found(where, records, left);
	}

	#forgetOldest(): void {
		const [oldest] = this.#missing.keys();
		if (oldest !== undefined) this.#missing.delete(oldest);
	}
}

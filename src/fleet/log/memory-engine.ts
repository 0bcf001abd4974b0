/**
 * An engine in memory that many members share: what lies in it, and what a test may do to it that real engines do
 * on bad days (lose its end, accept two records for one base, trim, alter what it keeps). `memory-log.ts` is a member's
 * way to it; tests make it, nobody else.
 */
import { FLEET_LIMITS } from "../../limits/fleet.ts";
import type { FleetRecord, NumberedRecord } from "../record.ts";
import type { MemberStatus, SeenStatus, Snapshot } from "./log.ts";

/** A snapshot as it is kept. */
export type KeptSnapshot = Omit<Snapshot, "entries"> & {
	readonly entries: readonly (readonly [key: string, value: string])[];
};

/** On a member's way here, before each call; `append answer`: after the record lies in the log, before its writer hears of it. */
export type FaultPoint =
	| "append"
	| "append answer"
	| "at"
	| "read"
	| "tail"
	| "newest"
	| "seen"
	| "forget"
	| "list"
	| "open"
	| "put"
	| "trim"
	| "purge";

export interface EngineOptions {
	readonly incarnation?: string;
	/** revision of the first record to come; a log that was begun again goes on where the old one ended */
	readonly first?: number;
	readonly maxBytes?: number;
	/** milliseconds, for the ages of statuses */
	readonly now?: () => number;
	/** asked at each append on an old base: true accepts it all the same, as a broken engine does */
	readonly acceptsStale?: () => boolean;
}

interface Kept {
	readonly record: FleetRecord | undefined;
	readonly bytes: number;
}

/** headers and the stream's own bytes of a record, about */
const OVERHEAD_BYTES = 256;

export class MemoryEngine {
	readonly #options: EngineOptions;
	#incarnation: string;
	#first: number;
	#records: Kept[] = [];
	#bytes = 0;
	#isMissing = false;
	readonly statuses = new Map<string, { readonly status: MemberStatus; readonly at: number }>();
	readonly snapshots = new Map<string, KeptSnapshot>();
	/** of every member's way here: told of each record, and of each status */
	readonly listeners = new Set<{
		record(record: NumberedRecord): void;
		status(status: MemberStatus): void;
	}>();

	constructor(options: EngineOptions = {}) {
		this.#options = options;
		this.#incarnation = options.incarnation ?? "memory";
		this.#first = options.first ?? 1;
	}

	get first(): number {
		return this.#first;
	}
	get last(): number {
		return this.#first + this.#records.length - 1;
	}
	get bytes(): number {
		return this.#bytes;
	}
	get maxBytes(): number {
		return this.#options.maxBytes ?? FLEET_LIMITS.fleetLogBytes;
	}
	get incarnation(): string {
		return this.#incarnation;
	}
	/** its files are gone: it answers, and knows of no log */
	get isMissing(): boolean {
		return this.#isMissing;
	}

	/** Compare-and-set. @returns its revision; the last revision, if that is not `base`; or that it has no room */
	append(
		record: FleetRecord,
	): { readonly revision: number } | { readonly conflict: number } | "full" {
		const isStale = record.base !== this.last;
		if (isStale && this.#options.acceptsStale?.() !== true) return { conflict: this.last };
		const bytes = bytesOf(record);
		if (this.#bytes + bytes > this.maxBytes) return "full";
		this.#records.push({ record, bytes });
		this.#bytes += bytes;
		const numbered = { revision: this.last, record };
		for (const listener of [...this.listeners]) listener.record(numbered);
		return { revision: numbered.revision };
	}

	/** @returns undefined: not in the log */
	at(revision: number): NumberedRecord | undefined {
		const kept = this.#records[revision - this.#first];
		return kept === undefined ? undefined : { revision, record: kept.record };
	}

	say(status: MemberStatus): void {
		this.statuses.set(status.id, { status, at: this.#now() });
		for (const listener of [...this.listeners]) listener.status(status);
	}

	seen(): readonly SeenStatus[] {
		const now = this.#now();
		return [...this.statuses.values()].map(({ status, at }) => ({ status, ageMs: now - at }));
	}

	/** Drops records up to and with `upTo`. */
	purge(upTo: number): void {
		const count = Math.max(0, Math.min(upTo, this.last) - this.#first + 1);
		this.#drop(0, count);
		this.#first += count;
	}

	/** Forgets its last records, though it acknowledged them, and snapshots of them: a power cut, a restored backup. */
	loseEnd(count: number): void {
		const lost = Math.min(count, this.#records.length);
		this.#drop(this.#records.length - lost, lost);
		for (const [name, { revision }] of this.snapshots)
			if (revision > this.last) this.snapshots.delete(name);
	}

	/** What lies at a revision changes; undefined: it is no sound record any more. */
	alter(
		revision: number,
		change: (record: FleetRecord | undefined) => FleetRecord | undefined,
	): void {
		const index = revision - this.#first;
		const kept = this.#records[index];
		if (kept !== undefined) this.#records[index] = { ...kept, record: change(kept.record) };
	}

	alterSnapshot(name: string, change: (snapshot: KeptSnapshot) => KeptSnapshot): void {
		const kept = this.snapshots.get(name);
		if (kept !== undefined) this.snapshots.set(name, change(kept));
	}

	/** All its files are gone. */
	vanish(): void {
		this.#isMissing = true;
		this.snapshots.clear();
		this.statuses.clear();
		this.#drop(0, this.#records.length);
	}

	/** A new log in its place, as `reseed` makes it. */
	begin(incarnation: string, first: number): void {
		this.vanish();
		this.#isMissing = false;
		this.#incarnation = incarnation;
		this.#first = first;
	}

	#now(): number {
		return this.#options.now?.() ?? 0;
	}

	#drop(index: number, count: number): void {
		for (const { bytes } of this.#records.splice(index, count)) this.#bytes -= bytes;
	}
}

function bytesOf(record: FleetRecord): number {
	return OVERHEAD_BYTES + Buffer.byteLength(JSON.stringify(record.operations));
}

/**
 * A member's state in memory, with the promises that `FleetState` makes. What lies on the `MemoryDisk` survives the death of
 * its process; a state of a dead process changes nothing any more.
 */
import type { Snapshot } from "../../../src/fleet/log/log.ts";
import type { FleetRecord, NumberedRecord } from "../../../src/fleet/record.ts";
import type {
	Decision,
	FleetState,
	Outcome,
	Position,
	Staged,
	Taken,
	Versions,
} from "../../../src/fleet/state.ts";
import type { Writes } from "../../../src/store/lmdb/database.ts";
import type { Change } from "../../../src/store/store.ts";
import { Contents } from "./contents.ts";

export interface RingEntry {
	readonly id: string;
	readonly isVoid: boolean;
	readonly record: FleetRecord | undefined;
}

/** What is durable of a member. */
export interface Durable {
	readonly position: Position | undefined;
	readonly contents: Contents;
	readonly ring: ReadonlyMap<number, RingEntry>;
}

/** A member's state as the model looks at it. */
export type ModelState = FleetState & { readonly contents: Contents };

/** Survives the death of its process. */
export interface Disk {
	readonly content: Durable;
	/** for one life of a process */
	state(options: StateOptions): ModelState;
}

export class MemoryDisk implements Disk {
	content: Durable;
	readonly #member: string;

	constructor(member: string) {
		this.#member = member;
		const at = { fleet: "model", incarnation: "memory", applied: 0, head: 0, level: 1 };
		const position = { ...at, digest: "0".repeat(32) };
		this.content = { position, contents: new Contents(), ring: new Map() };
	}

	state(options: StateOptions): ModelState {
		return new MemoryState(this.#member, this, options);
	}
}

export interface StateOptions {
	readonly isAlive: () => boolean;
	readonly ringRecords: number;
	/** level that a document needs */
	readonly levelOf: (value: string) => number;
	/** told of each state before anybody else hears of it */
	readonly stored: (content: Durable) => void;
	/** false: a mutant */
	readonly derives?: boolean;
	/** a mutant: what is taken is on the disk later */
	readonly later?: (run: () => void) => void;
}

export class MemoryState implements FleetState {
	readonly member: string;
	readonly #disk: MemoryDisk;
	readonly #options: StateOptions;
	#content: Durable;

	constructor(member: string, disk: MemoryDisk, options: StateOptions) {
		this.member = member;
		this.#disk = disk;
		this.#options = options;
		this.#content = disk.content;
	}

	get position(): Position | undefined {
		return this.#content.position;
	}

	get contents(): Contents {
		return this.#content.contents;
	}

	decide(
		operations: readonly ((writes: Writes) => unknown)[],
		versions: Versions = "kept",
	): Decision {
		const before = this.#content.contents;
		let contents = new Contents(before);
		const outcomes: Outcome<unknown>[] = [];
		for (const operation of operations) {
			const tried = new Contents(contents);
			try {
				outcomes.push({ value: operation(tried) });
				contents = tried;
			} catch (error) {
				outcomes.push({ error });
			}
		}
		if (versions === "left_out") {
			for (const [, key] of contents.since(before)) if (key.startsWith("v/")) contents.remove(key);
		}
		const changes = contents.since(before);
		const levels = changes.map(([, , value]) => this.#options.levelOf(value ?? ""));
		return {
			outcomes,
			operations: changes,
			after: contents.digest,
			level: Math.max(1, ...levels),
			bytes: JSON.stringify(changes).length,
		};
	}

	take(records: readonly Taken[]): { readonly changes: readonly Change[] } | { misfit: number } {
		const { position } = this.#content;
		if (position === undefined) throw new Error("there is no state to apply records to");
		let { applied, head, level } = position;
		const contents = new Contents(this.#content.contents, this.#options.derives);
		const ring = new Map(this.#content.ring);
		for (const { revision, record, isVoid } of records) {
			if (revision !== applied + 1) throw new Error(`I7: ${revision} applied after ${applied}`);
			applied = revision;
			ring.set(revision, { id: record?.id ?? "", isVoid, record });
			if (isVoid || record === undefined) continue;
			if (record.before !== contents.digest) throw new Error(`I1: ${revision} does not fit`);
			contents.apply(record.operations);
			if (contents.digest !== record.after) return { misfit: revision };
			head = revision;
			level = record.level;
		}
		for (const revision of ring.keys())
			if (revision <= applied - this.#options.ringRecords) ring.delete(revision);
		const changes = changesBetween(this.#content.contents, contents);
		const { digest } = contents;
		this.#store({ position: { ...position, applied, head, level, digest }, contents, ring });
		return { changes };
	}

	ring(): ReadonlyMap<number, RingEntry> {
		return this.#content.ring;
	}

	ringRecord(revision: number): FleetRecord | undefined {
		return this.#content.ring.get(revision)?.record;
	}

	wholeDigest(): string {
		const whole = new Contents();
		for (const [key, value] of this.#content.contents.primary()) whole.put(key, value);
		return whole.digest;
	}

	snapshot(): Snapshot {
		const { position, contents, ring } = this.#content;
		if (position === undefined) throw new Error("there is no state to tell of");
		const entries = contents.primary();
		return {
			revision: position.applied,
			head: position.head,
			id: ring.get(position.applied)?.id ?? "",
			digest: position.digest,
			level: position.level,
			incarnation: position.incarnation,
			count: entries.length,
			entries: eachOf(entries),
		};
	}

	async stage(
		from: Snapshot | undefined,
		fleet: { readonly fleet: string; readonly incarnation: string },
	): Promise<Staged | undefined> {
		const contents = new Contents();
		if (from !== undefined) {
			let count = 0;
			for await (const [key, value] of from.entries) {
				contents.apply([["put", key, value]]);
				count++;
			}
			if (count !== from.count || contents.digest !== from.digest) return undefined;
		}
		return new MemoryStaged(contents, {
			...fleet,
			applied: from?.revision ?? 0,
			head: from?.head ?? 0,
			level: from?.level ?? 1,
			digest: contents.digest,
		});
	}

	async become(staged: Staged, kept: ReadonlySet<number>): Promise<readonly Change[]> {
		if (!(staged instanceof MemoryStaged)) throw new Error("another's staged state");
		const { position, contents } = staged;
		const own = [...this.#content.ring].filter(([revision]) => kept.has(revision));
		const ring = new Map([...own, ...staged.ring]);
		const changes = changesBetween(this.#content.contents, contents);
		this.#store({ position, contents, ring });
		return changes;
	}

	begin(at: Parameters<FleetState["begin"]>[0]): void {
		const { contents } = this.#content;
		const { revision, ...rest } = at;
		const position = { ...rest, applied: revision, head: revision, digest: contents.digest };
		this.#store({ position, contents, ring: new Map() });
	}

	leave(): void {
		this.#store({ position: undefined, contents: this.#content.contents, ring: new Map() });
	}

	#store(content: Durable): void {
		if (!this.#options.isAlive()) throw new Error("a dead process writes");
		this.#content = content;
		const keep = () => {
			if (this.#options.isAlive()) this.#disk.content = content;
		};
		if (this.#options.later === undefined) keep();
		else this.#options.later(keep);
		this.#options.stored(content);
	}
}

class MemoryStaged implements Staged {
	position: Position;
	readonly contents: Contents;
	readonly ring = new Map<number, RingEntry>();
	readonly valid = new Map<string, number>();

	constructor(contents: Contents, position: Position) {
		this.contents = contents;
		this.position = position;
	}

	take(records: readonly NumberedRecord[]): void {
		for (const { revision, record } of records) {
			const isVoid = record === undefined || record.before !== this.contents.digest;
			this.ring.set(revision, { id: record?.id ?? "", isVoid, record });
			this.position = { ...this.position, applied: revision };
			if (isVoid) continue;
			this.contents.apply(record.operations);
			this.valid.set(record.id, revision);
			const { digest } = this.contents;
			this.position = { ...this.position, head: revision, digest, level: record.level };
		}
	}

	close(): void {}
}

async function* eachOf<T>(all: readonly T[]): AsyncIterable<T> {
	yield* all;
}

function changesBetween(before: Contents, after: Contents): readonly Change[] {
	const keys = new Set([...before.primary(), ...after.primary()].map(([key]) => key));
	return [...keys]
		.filter((key) => before.get(key) !== after.get(key))
		.map((key): Change => {
			const [kind, edgeId = "", routeId = ""] = key.split("/");
			if (kind === "e") return { kind: "edge", edgeId };
			return { kind: kind === "r" ? "route" : "policy", edgeId, routeId };
		});
}

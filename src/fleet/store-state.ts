/**
 * A member's copy of the fleet's state in its store (docs/fleet.md, "Applying"): documents, what follows from them, where
 * the member stands and its last records are changed together, in one synced transaction. The composition of the fleet
 * makes one over the store's database, and the applier alone changes it.
 */
import { randomBytes } from "node:crypto";
import type { Database, Writes } from "../store/lmdb/database.ts";
import { FLEET_KEY, joinFleet, leaveFleet, MEMBER_KEY } from "../store/membership.ts";
import type { Change } from "../store/store.ts";
import { Changes } from "./changes.ts";
import { decide } from "./decide.ts";
import { differingKeys, makeSame, replaceAll } from "./difference.ts";
import { wholeDigest } from "./digest.ts";
import { countOf, heldEntries } from "./held-entries.ts";
import type { Snapshot } from "./log/log.ts";
import type { FleetRecord } from "./record.ts";
import { Ring, type RingEntry, replaceRing, ringRecord } from "./ring.ts";
import { StagedState, stage } from "./staging.ts";
import type { Decision, FleetState, Position, Staged, Taken, Versions } from "./state.ts";
import { kept, Misfit, step } from "./step.ts";

export class StoreState implements FleetState {
	readonly #database: Database;
	readonly #ring = new Ring();
	#member: string | undefined;
	/** `!fleet` as it was read last, and what it says */
	#known: { readonly text: string; readonly position: Position } | undefined;

	constructor(database: Database) {
		this.#database = database;
	}

	get member(): string {
		this.#member ??= this.#database.get(MEMBER_KEY) ?? `m_${randomBytes(12).toString("base64url")}`;
		return this.#member;
	}

	get position(): Position | undefined {
		const text = this.#database.get(FLEET_KEY);
		if (text !== this.#known?.text) this.#read(text);
		return this.#known?.position;
	}

	decide(
		operations: readonly ((writes: Writes) => unknown)[],
		versions: Versions = "kept",
	): Decision {
		return decide(this.#database, this.#standing.digest, operations, versions);
	}

	take(
		records: readonly Taken[],
	): { readonly changes: readonly Change[] } | { readonly misfit: number } {
		const from = this.#standing;
		const changes = new Changes();
		try {
			this.#commit((writes) => {
				const position = records.reduce((at, taken) => step(writes, at, taken, changes.note), from);
				changes.count(writes);
				joinFleet(writes, this.member, position);
				return this.#ring.add(writes, records.map(kept));
			});
			return { changes: [...changes.list()] };
		} catch (error) {
			if (error instanceof Misfit) return { misfit: error.revision };
			throw error;
		}
	}

	ring(): ReadonlyMap<number, RingEntry> {
		void this.position;
		return this.#ring.entries;
	}

	ringRecord(revision: number): FleetRecord | undefined {
		return ringRecord(this.#database, revision);
	}

	wholeDigest(): string {
		return wholeDigest(this.#database);
	}

	snapshot(): Snapshot {
		const reads = this.#database.held();
		const text = reads.get(FLEET_KEY);
		if (text === undefined) {
			reads.release();
			throw new Error("the store is in no fleet");
		}
		const { applied, head, digest, level, incarnation } = positionIn(text);
		const id = this.ring().get(applied)?.id ?? "";
		const about = { revision: applied, head, id, digest, level, incarnation };
		return { ...about, count: countOf(reads), entries: heldEntries(reads) };
	}

	stage(
		from: Snapshot | undefined,
		fleet: { readonly fleet: string; readonly incarnation: string },
	): Promise<Staged | undefined> {
		return stage(this.#database.directory, from, fleet);
	}

	/** Nothing may be taken meanwhile. */
	async become(staged: Staged, kept: ReadonlySet<number>): Promise<readonly Change[]> {
		if (!(staged instanceof StagedState)) throw new Error("it was staged by another");
		const text = this.#database.get(FLEET_KEY);
		const keys = await differingKeys(this.#database, staged.database);
		try {
			return this.#become(staged, kept, text, (writes, changed) =>
				makeSame(writes, staged.database, keys, changed),
			);
		} catch (error) {
			// what was stored can't be read
			if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
			return this.#become(staged, kept, text, (writes, changed) =>
				replaceAll(writes, staged.database, changed),
			);
		}
	}

	#become(
		{ position, database }: StagedState,
		kept: ReadonlySet<number>,
		text: string | undefined,
		make: (writes: Writes, changed: (key: string) => void) => void,
	): readonly Change[] {
		const changes = new Changes();
		this.#commit((writes) => {
			if (writes.get(FLEET_KEY) !== text) throw new Error("records were taken meanwhile");
			make(writes, changes.note);
			changes.count(writes);
			joinFleet(writes, this.member, position);
			replaceRing(writes, database, kept);
			return () => this.#ring.load(this.#database);
		});
		return [...changes.list()];
	}

	begin({
		fleet,
		incarnation,
		revision,
		level,
	}: {
		readonly fleet: string;
		readonly incarnation: string;
		readonly revision: number;
		readonly level: number;
	}): void {
		const digest = this.wholeDigest();
		const at = { fleet, incarnation, applied: revision, head: revision, digest, level };
		this.#commit((writes) => {
			joinFleet(writes, this.member, at);
			return this.#ring.clear(writes);
		});
	}

	leave(): void {
		this.#commit((writes) => {
			leaveFleet(writes);
			return this.#ring.clear(writes);
		});
	}

	get #standing(): Position {
		const { position } = this;
		if (position === undefined) throw new Error("the store is in no fleet");
		return position;
	}

	/** @param work returns what to do when it is committed */
	#commit(work: (writes: Writes) => () => void): void {
		const settle = this.#database.commit(work);
		settle();
		const text = this.#database.get(FLEET_KEY);
		this.#known = text === undefined ? undefined : { text, position: positionIn(text) };
	}

	/** Another process, or the start, has written it. */
	#read(text: string | undefined): void {
		this.#known = text === undefined ? undefined : { text, position: positionIn(text) };
		this.#ring.load(this.#database);
	}
}

function positionIn(text: string): Position {
	const { fleet, incarnation, applied, head, digest, level } = JSON.parse(text) as Position;
	return { fleet, incarnation, applied, head, digest, level };
}

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
import { StateDigest, wholeDigest } from "./digest.ts";
import type { Snapshot } from "./log/log.ts";
import type { FleetRecord } from "./record.ts";
import { replay } from "./replay.ts";
import { type Kept, Ring, type RingEntry, ringRecord } from "./ring.ts";
import type { Decision, FleetState, Position, Staged, Taken } from "./state.ts";

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

	decide(operations: readonly ((writes: Writes) => unknown)[]): Decision {
		return decide(this.#database, this.#standing.digest, operations);
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
		throw new Error("not there yet");
	}

	stage(): Promise<Staged | undefined> {
		throw new Error("not there yet");
	}

	become(): Promise<readonly Change[]> {
		throw new Error("not there yet");
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
		this.#member = undefined;
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

class Misfit extends Error {
	readonly revision: number;
	constructor(revision: number) {
		super(`revision ${revision} leads elsewhere`);
		this.revision = revision;
	}
}

/** @throws Misfit */
function step(
	writes: Writes,
	at: Position,
	{ revision, record, isVoid }: Taken,
	changed: (key: string) => void,
): Position {
	if (revision !== at.applied + 1) throw new Error(`revision ${revision} after ${at.applied}`);
	if (isVoid || record === undefined) return { ...at, applied: revision };
	const digest = new StateDigest(at.digest);
	replay(writes, record.operations, digest, changed);
	if (digest.hex !== record.after) throw new Misfit(revision);
	const level = Math.max(at.level, record.level);
	return { ...at, applied: revision, head: revision, digest: digest.hex, level };
}

const kept = ({ revision, record, isVoid }: Taken): Kept => ({
	revision,
	id: record?.id ?? "",
	isVoid: isVoid || record === undefined,
	record,
});

function positionIn(text: string): Position {
	const { fleet, incarnation, applied, head, digest, level } = JSON.parse(text) as Position;
	return { fleet, incarnation, applied, head, digest, level };
}

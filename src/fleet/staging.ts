/**
 * A state that is put together in a store of its own beside the real one (docs/fleet.md, "Applying"): a snapshot and what
 * the log holds after it. `difference.ts` then makes the real one the same. Used by `store-state.ts`; who opens the store
 * removes what a killed process has left.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "../limits/limits.ts";
import { Database } from "../store/lmdb/database.ts";
import { EMPTY_DIGEST, StateDigest } from "./digest.ts";
import type { Snapshot } from "./log/log.ts";
import type { NumberedRecord } from "./record.ts";
import { isEntry } from "./record-form.ts";
import { Ring } from "./ring.ts";
import { UnsoundSnapshot } from "./snapshot-codec.ts";
import type { Position, Staged, Taken } from "./state.ts";
import { kept, Misfit, step } from "./step.ts";

const FOLDER = "fleet-staging-";

/** Of this process. */
const open = new Set<string>();

/** Those of processes that were killed; for who owns the store. @param directory of the real one */
export function removeStaged(directory: string): void {
	for (const name of readdirSync(directory)) {
		const path = join(directory, name);
		if (name.startsWith(FOLDER) && !open.has(path)) rmSync(path, { recursive: true, force: true });
	}
}

/** @returns undefined: the snapshot is not sound, or another log's */
export async function stage(
	directory: string,
	from: Snapshot | undefined,
	fleet: { readonly fleet: string; readonly incarnation: string },
): Promise<StagedState | undefined> {
	if (from !== undefined && from.incarnation !== fleet.incarnation) return undefined;
	const { revision: applied, head, digest, level } = from ?? NOTHING;
	const { fleet: name, incarnation } = fleet;
	const at = { fleet: name, incarnation, applied, head, digest, level };
	const staged = new StagedState(directory, at);
	try {
		if (from === undefined) return staged;
		if (await isLoaded(staged, from)) return staged;
	} catch (error) {
		staged.close();
		throw error;
	}
	staged.close();
	return undefined;
}

const NOTHING = { revision: 0, head: 0, digest: EMPTY_DIGEST, level: 1 };

async function isLoaded(staged: StagedState, snapshot: Snapshot): Promise<boolean> {
	const digest = new StateDigest();
	let [last, count, characters] = ["", 0, 0];
	let entries: (readonly [key: string, value: string])[] = [];
	try {
		for await (const [key, value] of snapshot.entries) {
			if (key <= last || !isEntry(key, value)) return false;
			last = key;
			count += 1;
			digest.toggle(key, value);
			entries.push([key, value]);
			characters += value.length;
			if (characters < LIMITS.fleetApplyBytes && entries.length < ENTRIES_TOGETHER) continue;
			staged.put(entries);
			[entries, characters] = [[], 0];
		}
	} catch (error) {
		if (error instanceof UnsoundSnapshot) return false;
		throw error;
	}
	staged.put(entries);
	if (count !== snapshot.count || digest.hex !== snapshot.digest) return false;
	staged.begin(snapshot);
	return true;
}

/** Entries of one transaction. */
const ENTRIES_TOGETHER = 2000;

export class StagedState implements Staged {
	readonly database: Database;
	readonly #directory: string;
	readonly #ring = new Ring();
	readonly #valid = new Map<string, number>();
	#position: Position;
	#isMisfit = false;
	#isOpen = true;

	/** @param directory of the real store */
	constructor(directory: string, position: Position) {
		this.#directory = mkdtempSync(join(directory, FOLDER));
		open.add(this.#directory);
		this.database = Database.open(this.#directory, { readOnly: false, isPassing: true });
		this.#position = position;
	}

	/** After a record that leads elsewhere than it says: with the digest of no state. */
	get position(): Position {
		return this.#isMisfit ? { ...this.#position, digest: "" } : this.#position;
	}

	get valid(): ReadonlyMap<string, number> {
		return this.#valid;
	}

	put(entries: readonly (readonly [key: string, value: string])[]): void {
		this.database.commit((writes) => {
			for (const [key, value] of entries) writes.put(key, value);
		});
	}

	/** Knows the snapshot's record by its id. */
	begin({ revision, head, id }: Snapshot): void {
		if (id === "") return;
		const isVoid = head !== revision;
		if (!isVoid) this.#valid.set(id, revision);
		const settle = this.database.commit((writes) =>
			this.#ring.add(writes, [{ revision, id, isVoid, record: undefined }]),
		);
		settle();
	}

	take(records: readonly NumberedRecord[]): void {
		if (this.#isMisfit) return;
		try {
			this.#take(records);
		} catch (error) {
			if (!(error instanceof Misfit)) throw error;
			this.#isMisfit = true;
		}
	}

	#take(records: readonly NumberedRecord[]): void {
		let position = this.#position;
		const taken: Taken[] = [];
		const settle = this.database.commit((writes) => {
			for (const { revision, record } of records) {
				const isVoid = record?.before !== position.digest;
				const each = { revision, record, isVoid };
				position = step(writes, position, each, () => {});
				taken.push(each);
			}
			return this.#ring.add(writes, taken.map(kept));
		});
		settle();
		this.#position = position;
		for (const { revision, record, isVoid } of taken)
			if (record !== undefined && !isVoid) this.#valid.set(record.id, revision);
	}

	close(): void {
		if (!this.#isOpen) return;
		this.#isOpen = false;
		const remove = () => {
			open.delete(this.#directory);
			rmSync(this.#directory, { recursive: true, force: true });
		};
		void this.database.close().then(remove, remove);
	}
}

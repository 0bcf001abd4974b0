/** The store's own state under the model: the same schedules, over LMDB. */
import type { Snapshot } from "../../../src/fleet/log/log.ts";
import type { FleetState, Staged, Taken } from "../../../src/fleet/state.ts";
import { StoreState } from "../../../src/fleet/store-state.ts";
import { claimLayout, EVERYTHING } from "../../../src/store/layout.ts";
import type { Writes } from "../../../src/store/lmdb/database.ts";
import { Database } from "../../../src/store/lmdb/database.ts";
import type { Change } from "../../../src/store/store.ts";
import { Contents } from "./contents.ts";
import type { Disk, Durable, ModelState, StateOptions } from "./memory-state.ts";

export class StoreDisk implements Disk {
	readonly database: Database;

	constructor(folder: string) {
		this.database = Database.open(folder, { readOnly: false });
		this.database.commit((writes) => claimLayout(writes, folder));
		const at = { fleet: "model", incarnation: "memory", revision: 0, level: 1 };
		new StoreState(this.database).begin(at);
	}

	get content(): Durable {
		return contentOf(new StoreState(this.database), this.database);
	}

	state(options: StateOptions): ModelState {
		return new LivingState(this.database, options);
	}
}

function contentOf(state: StoreState, database: Database): Durable {
	const contents = new Contents();
	for (const { key, value } of database.range(EVERYTHING))
		if (/^[erpvklxhmn]\//.test(key)) contents.put(key, value);
	const ring = [...state.ring()].map(
		([revision, { id, isVoid }]) =>
			[revision, { id, isVoid, record: state.ringRecord(revision) }] as const,
	);
	return { position: state.position, contents, ring: new Map(ring) };
}

/** Changes nothing once its process is dead. */
class LivingState implements ModelState {
	readonly #database: Database;
	readonly #options: StateOptions;
	readonly #state: StoreState;

	constructor(database: Database, options: StateOptions) {
		this.#database = database;
		this.#options = options;
		this.#state = new StoreState(database);
	}

	get member(): string {
		return this.#state.member;
	}
	get position(): FleetState["position"] {
		return this.#state.position;
	}
	get contents(): Contents {
		return contentOf(this.#state, this.#database).contents;
	}
	decide(operations: readonly ((writes: Writes) => unknown)[]): ReturnType<FleetState["decide"]> {
		return this.#state.decide(operations);
	}
	take(records: readonly Taken[]): ReturnType<FleetState["take"]> {
		return this.#stored(() => this.#state.take(records));
	}
	ring(): ReturnType<FleetState["ring"]> {
		return this.#state.ring();
	}
	ringRecord(revision: number): ReturnType<FleetState["ringRecord"]> {
		return this.#state.ringRecord(revision);
	}
	wholeDigest(): string {
		return this.#state.wholeDigest();
	}
	snapshot(): Snapshot {
		return this.#state.snapshot();
	}
	stage(...given: Parameters<FleetState["stage"]>): Promise<Staged | undefined> {
		return this.#state.stage(...given);
	}
	async become(staged: Staged, kept: ReadonlySet<number>): Promise<readonly Change[]> {
		if (!this.#options.isAlive()) return new Promise<never>(() => {});
		const changes = await this.#state.become(staged, kept);
		return this.#stored(() => changes);
	}
	begin(at: Parameters<FleetState["begin"]>[0]): void {
		this.#stored(() => this.#state.begin(at));
	}
	leave(): void {
		this.#stored(() => this.#state.leave());
	}

	#stored<T>(change: () => T): T {
		if (!this.#options.isAlive()) throw new Error("a dead process writes");
		const value = change();
		this.#options.stored(contentOf(this.#state, this.#database));
		return value;
	}
}

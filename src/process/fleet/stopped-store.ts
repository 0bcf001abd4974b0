/**
 * The store of a machine whose weir is stopped, for the commands that change where it stands in a fleet: it is claimed, so
 * that no weir starts meanwhile. Used by `begin-fleet.ts`, `join-fleet.ts` and `commands/fleet-stopped.ts`.
 */
import { StoreState } from "../../fleet/store-state.ts";
import { CommitQueue } from "../../store/commit-queue.ts";
import type { Database } from "../../store/lmdb/database.ts";
import { openStore } from "../../store/open.ts";
import type { Store } from "../../store/store.ts";
import type { WriteQueue } from "../../store/write-queue.ts";

export interface StoppedStore {
	readonly store: Store;
	readonly state: StoreState;
	readonly database: Database;
}

/** @throws StoreError a weir runs on it, or it is damaged; what `use` throws */
export async function withStopped<T>(
	directory: string,
	use: (stopped: StoppedStore) => Promise<T>,
): Promise<T> {
	let opened: Database | undefined;
	const queueOf = (database: Database): WriteQueue => {
		opened = database;
		return new CommitQueue(database);
	};
	const store = openStore(directory, { queueOf });
	try {
		if (opened === undefined) throw new Error("a store without a database");
		return await use({ store, state: new StoreState(opened), database: opened });
	} finally {
		await store.close();
	}
}

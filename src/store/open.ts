/**
 * The three ways into the store: `openStore` for the supervisor, `openReader` for workers and offline
 * commands, `openKeyStore` for `weir keys`. All may be open at once, in different processes.
 */
import { randomUUID } from "node:crypto";
import { Database } from "./database.ts";
import { DatabaseKeyStore } from "./key-writes.ts";
import { assertLayout, assertSound, claimLayout, under } from "./layout.ts";
import { claimOwnership } from "./owner.ts";
import { DatabaseReader } from "./reader.ts";
import type { KeyStore, Store, StoreReader } from "./store.ts";
import { DatabaseStore } from "./writer.ts";

export { StoreError } from "./store-error.ts";

/**
 * Makes the folder and the store if they are missing, and reads every document once to see that its
 * digest fits. @throws StoreError damaged, foreign or newer, not permitted, or owned by a supervisor
 * that is alive
 */
export function openStore(directory: string): Store {
	return opened(directory, false, (database) => {
		database.commit((writes) => claimLayout(writes, directory));
		for (const prefix of ["e/", "r/", "p/", "k/"]) {
			for (const { key, value } of database.range(under(prefix))) assertSound(value, key);
		}
		const token = randomUUID();
		database.commit((writes) => claimOwnership(writes, token, directory));
		return new DatabaseStore(database, token);
	});
}

/** Read-only; the store must exist. @throws StoreError */
export function openReader(directory: string): StoreReader {
	return opened(directory, true, (database) => {
		assertLayout(database, directory);
		return new DatabaseReader(database);
	});
}

/** Makes the store if it is missing; works beside a running supervisor. @throws StoreError */
export function openKeyStore(directory: string): KeyStore {
	return opened(directory, false, (database) => {
		database.commit((writes) => claimLayout(writes, directory));
		return new DatabaseKeyStore(database);
	});
}

function opened<T>(directory: string, readOnly: boolean, use: (database: Database) => T): T {
	const database = Database.open(directory, { readOnly });
	try {
		return use(database);
	} catch (error) {
		void database.close();
		throw error;
	}
}

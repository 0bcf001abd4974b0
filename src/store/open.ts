/**
 * The ways into the store: `openStore` for the supervisor, `openReader` for workers and offline
 * commands, `openKeyStore` for `weir keys` where no supervisor runs, `inspectStore` for `weir check`. LMDB lets all be open at once, in
 * different processes; but they write in turn, and one that stands still in its turn holds the others.
 */
import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseKeyStore } from "./key-writes.ts";
import { assertLayout, assertSound, claimLayout, PRIMARY_PREFIXES, under } from "./layout.ts";
import { Database, type Reads } from "./lmdb/database.ts";
import { DATA_FILE, LOCK_FILE } from "./lmdb/held-files.ts";
import { hasContent, inspectFile } from "./lmdb/store-file.ts";
import { assertFleet, fleetOf } from "./membership.ts";
import { claimOwnership, livingOwner } from "./owner.ts";
import { DatabaseReader } from "./reader.ts";
import type { KeyStore, StoreReader } from "./store.ts";
import { describeStoreFailure, StoreError } from "./store-error.ts";
import type { TransactionalStore } from "./transactions.ts";
import { DatabaseStore, type StoreOptions } from "./writer.ts";

export { StoreError };

/**
 * Makes the folder and the store if they are missing, and reads every document once to see that its
 * digest fits.
 * @throws StoreError damaged, foreign or newer, not permitted, or owned by a supervisor
 * that is alive; or a fleet's, without `queueOf` in the options
 */
export function openStore(directory: string, options: StoreOptions = {}): TransactionalStore {
	return opened(directory, false, (database) => {
		database.commit((writes) => claimLayout(writes, directory));
		if (options.queueOf === undefined) assertFleet(database, directory, undefined);
		assertAllSound(database);
		const token = randomUUID();
		const { identity: file } = database;
		database.commit((writes) => claimOwnership(writes, { token, file, directory }));
		return new DatabaseStore(database, token, directory, options);
	});
}

/** Every document fits its digest. @throws StoreError */
function assertAllSound(reads: Reads): void {
	for (const prefix of PRIMARY_PREFIXES) {
		for (const { key, value } of reads.range(under(prefix))) assertSound(value, key);
	}
}

/**
 * What `openStore` would refuse, but for another supervisor that owns the store: found without making, changing or
 * locking anything. No store is no reason to refuse. @throws StoreError
 */
export async function inspectStore(directory: string): Promise<void> {
	if (!hasStore(directory)) return;
	try {
		for (const name of [DATA_FILE, LOCK_FILE]) {
			const file = join(directory, name);
			if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
		}
		const isWhole = inspectFile(join(directory, DATA_FILE));
		// A reader would make the lock file, as this user's and not as the server's.
		if (!isWhole || !existsSync(join(directory, LOCK_FILE))) return;
	} catch (error) {
		throw describeStoreFailure(error, directory);
	}
	const database = Database.open(directory, { readOnly: true });
	try {
		assertLayout(database, directory);
		assertAllSound(database);
	} finally {
		await database.close();
	}
}

/**
 * Read-only; the store must exist. @throws StoreError
 * @param identity of the store that it must be: beside a supervisor that has opened another file, which
 *   was replaced since, a worker would serve what nobody else does
 */
export function openReader(directory: string, identity?: string): StoreReader {
	return opened(directory, true, (database) => {
		if (identity !== undefined && database.identity !== identity) {
			throw new StoreError(`the store in ${directory} was replaced; start weir again to use it`, {
				lost: true,
			});
		}
		assertLayout(database, directory);
		return new DatabaseReader(database);
	});
}

/**
 * The process of the supervisor that runs on this store; undefined: none does, or there is no store.
 * Takes no lock that the supervisor would wait for. @throws StoreError
 */
export async function ownerOf(directory: string): Promise<number | undefined> {
	if (!hasStore(directory)) return undefined;
	const database = Database.open(directory, { readOnly: true });
	try {
		return livingOwner({ reads: database, file: database.identity });
	} finally {
		await database.close();
	}
}

/** Name of the fleet that the store belongs to; undefined: none, or there is no store. @throws StoreError */
export async function fleetIn(directory: string): Promise<string | undefined> {
	if (!hasStore(directory)) return undefined;
	const database = Database.open(directory, { readOnly: true });
	try {
		return fleetOf(database);
	} finally {
		await database.close();
	}
}

/** Whether there is one, sound or not. */
export const hasStore = (directory: string): boolean => hasContent(join(directory, DATA_FILE));

/**
 * Makes the store if it is missing; for a store that no supervisor runs on.
 * @param fleet whose store it may be: then only keys for this machine alone may be written @throws StoreError
 */
export function openKeyStore(directory: string, fleet?: string): KeyStore {
	return opened(directory, false, (database) => {
		database.commit((writes) => claimLayout(writes, directory));
		assertFleet(database, directory, fleet);
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

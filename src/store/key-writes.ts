/**
 * API keys in the store (contract 1, `keys`). The supervisor writes them, or, where none runs, `weir keys`
 * itself. A reader that caches keys compares the revision before each use.
 */
import { LIMITS } from "../limits/limits.ts";
import { removeDocument } from "./indexes.ts";
import { encodeKey, keysIn } from "./key-records.ts";
import {
	apiKeyKey,
	bumpKeysRevision,
	keysRevisionOf,
	keyUseKey,
	LOCAL_KEYS,
	localKeyKey,
	under,
} from "./layout.ts";
import type { Database, Writes } from "./lmdb/database.ts";
import { fleetOf } from "./membership.ts";
import type { KeyStore, StoredKey } from "./store.ts";
import { StoreError } from "./store-error.ts";

export function addKey(writes: Writes, key: StoredKey): void {
	const { isLocal = false } = key;
	if (writes.count(under(isLocal ? LOCAL_KEYS : "k/")) >= LIMITS.apiKeys) {
		throw new StoreError(`there are ${LIMITS.apiKeys} API keys already; revoke some first`);
	}
	writes.put(isLocal ? localKeyKey(key.id) : apiKeyKey(key.id), encodeKey(key));
	bumpKeysRevision(writes);
}

export const NO_FLEET = new StoreError(
	"this machine is in no fleet, so all of its keys stay here; leave --local out",
);

export function revokeKey(writes: Writes, id: string): boolean {
	// an id from outside may be too long for a key of the map; then it is nobody's
	if (id.length > LIMITS.idCharacters) return false;
	if (writes.get(localKeyKey(id)) !== undefined) {
		writes.remove(localKeyKey(id));
		writes.remove(keyUseKey(id));
	} else {
		const key = apiKeyKey(id);
		if (writes.get(key) === undefined) return false;
		removeDocument(writes, key, undefined);
	}
	bumpKeysRevision(writes);
	return true;
}

/** For the command line: no ownership, each write its own commit. */
export class DatabaseKeyStore implements KeyStore {
	readonly #database: Database;

	constructor(database: Database) {
		this.#database = database;
	}

	refresh(): void {
		this.#database.refresh();
	}

	keys(): readonly StoredKey[] {
		return keysIn(this.#database);
	}

	keysRevision(): number {
		return keysRevisionOf(this.#database);
	}

	async addKey(key: StoredKey): Promise<void> {
		if (key.isLocal === true && fleetOf(this.#database) === undefined) throw NO_FLEET;
		this.#database.commit((writes) => addKey(writes, key));
	}

	async revokeKey(id: string): Promise<boolean> {
		return this.#database.commit((writes) => revokeKey(writes, id));
	}

	async close(): Promise<void> {
		await this.#database.close();
	}
}

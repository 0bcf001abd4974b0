/** API keys as the rest of weir knows them, and who keeps them. A part of `Store` (`store.ts`). */
import type { KeyRole } from "./key-roles.ts";

export interface StoredKey {
	/** public handle, `key_…` */
	readonly id: string;
	/** for people; need not be unique, may be empty */
	readonly name: string;
	readonly role: KeyRole;
	/** SHA-256 of the key, hex */
	readonly hash: string;
	/** RFC 3339 */
	readonly createdAt: string;
	/** RFC 3339: from then on the key is refused; absent: it never expires */
	readonly expiresAt?: string;
	/** RFC 3339, to the minute; absent: never */
	readonly lastUsedAt?: string;
	/** it stays on this machine, which is in a fleet */
	readonly isLocal?: true;
}

/** API keys; `weir keys` opens this alone, also while a supervisor runs on the same folder. */
export interface KeyStore {
	/** Makes everything that any process has committed visible to the reads that follow. */
	refresh(): void;
	/** oldest first */
	keys(): readonly StoredKey[];
	/** grows with each key added or revoked: as long as it stays, `keys()` stays */
	keysRevision(): number;
	/** @throws StoreError if there are `LIMITS.apiKeys` already */
	addKey(key: StoredKey): Promise<void>;
	/** @returns false if there is no such key */
	revokeKey(id: string): Promise<boolean>;
	close(): Promise<void>;
}

/**
 * API keys as they lie in the store, and as the rest of weir knows them. A record without a role was written by a
 * build that knew none: such a key may do everything, as it did then. Used by `key-writes.ts` and `reader.ts`.
 */
import type { KeyRole } from "./key-roles.ts";
import { decodeDocument, encode, idOf, LOCAL_KEYS, under } from "./layout.ts";
import type { Database } from "./lmdb/database.ts";
import type { StoredKey } from "./store.ts";

interface KeyRecord {
	readonly id: string;
	/** the key's name */
	readonly description: string;
	readonly hash: string;
	readonly createdAt: string;
	readonly role?: KeyRole;
	readonly expiresAt?: string;
}

/**
 * In front of the hash of a key that may not do everything, or not for ever. A build that knows neither roles nor
 * expiry finds no hash there and refuses the key, instead of taking it for one that may do everything.
 */
const LIMITED = "limited:";

export function encodeKey({ id, name, role, hash, createdAt, expiresAt }: StoredKey): string {
	const isLimited = role !== "admin" || expiresAt !== undefined;
	const record: KeyRecord = {
		id,
		description: name,
		hash: isLimited ? LIMITED + hash : hash,
		createdAt,
		role,
		...(expiresAt === undefined ? {} : { expiresAt }),
	};
	return encode(record).value;
}

function decodeKey(value: string, lastUsedAt: string | undefined): StoredKey {
	const { id, description, hash, createdAt, role, expiresAt } = decodeDocument<KeyRecord>(value);
	return {
		id,
		name: description,
		role: role ?? "admin",
		hash: hash.startsWith(LIMITED) ? hash.slice(LIMITED.length) : hash,
		createdAt,
		...(expiresAt === undefined ? {} : { expiresAt }),
		...(lastUsedAt === undefined ? {} : { lastUsedAt }),
	};
}

/** Oldest first. */
export function keysIn(database: Database): readonly StoredKey[] {
	const uses = new Map(
		Array.from(database.range(under("u/")), ({ key, value }) => [idOf(key), value] as const),
	);
	const stored = (prefix: string): StoredKey[] =>
		Array.from(database.range(under(prefix)), ({ key, value }) =>
			decodeKey(value, uses.get(idOf(key))),
		);
	const local = stored(LOCAL_KEYS).map((key) => ({ ...key, isLocal: true as const }));
	return [...stored("k/"), ...local].sort(
		(one, other) =>
			Number(one.createdAt > other.createdAt) - Number(one.createdAt < other.createdAt),
	);
}

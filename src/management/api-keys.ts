/**
 * API keys: 256 random bits, shown once, kept as a SHA-256 hash (contract 1, `keys`). A plain hash is
 * enough because the keys are random; nothing can be guessed from it. Used by `serve`, `weir keys` and
 * `auth.ts`; works on a running supervisor's store and, through `openKeyStore`, beside it.
 */
import { hash, randomBytes } from "node:crypto";
import { LIMITS } from "../limits/limits.ts";
import type { KeyRole } from "../store/key-roles.ts";
import type { KeyStore, StoredKey } from "../store/store.ts";

const KEY_BYTES = 32;
const ID_BYTES = 9;

export interface CreatedKey {
	/** public handle, `key_…` */
	readonly id: string;
	/** the key itself, `weir_…`; nobody can tell it later */
	readonly key: string;
}

interface KeyOptions {
	/** default `admin` */
	readonly role?: KeyRole;
	/** RFC 3339; default: never */
	readonly expiresAt?: string | undefined;
	/** for this machine alone, of a fleet */
	readonly isLocal?: boolean;
}

/** A time that can't be read is one that has passed. @returns milliseconds since 1970 */
export const expiryOf = ({ expiresAt }: { readonly expiresAt?: string | undefined }): number =>
	expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) || 0;

/** @param nowMs since 1970 */
export const hasExpired = (key: Pick<StoredKey, "expiresAt">, nowMs: number): boolean =>
	expiryOf(key) <= nowMs;

/** Whether somebody can change anything with a key of the store. */
export const hasUsableAdmin = (keys: readonly StoredKey[], nowMs: number): boolean =>
	keys.some((key) => key.role === "admin" && !hasExpired(key, nowMs));

/** SHA-256, hex */
export const hashApiKey = (key: string): string => hash("sha256", key, "hex");

/** Durable when it resolves. @param name for people; cut to `LIMITS.keyNameCharacters` */
export async function createApiKey(
	store: Pick<KeyStore, "addKey">,
	name = "",
	{ role = "admin", expiresAt, isLocal = false }: KeyOptions = {},
): Promise<CreatedKey> {
	const key = `weir_${randomBytes(KEY_BYTES).toString("base64url")}`;
	const stored: StoredKey = {
		id: `key_${randomBytes(ID_BYTES).toString("base64url")}`,
		name: name.slice(0, LIMITS.keyNameCharacters),
		role,
		hash: hashApiKey(key),
		createdAt: new Date().toISOString(),
		...(expiresAt === undefined ? {} : { expiresAt }),
		...(isLocal ? { isLocal } : {}),
	};
	await store.addKey(stored);
	return { id: stored.id, key };
}

/**
 * API keys: 256 random bits, shown once, kept as a SHA-256 hash (contract 1, `keys`). A plain hash is
 * enough because the keys are random; nothing can be guessed from it. Used by `serve`, `weir keys` and
 * `auth.ts`; works on a running supervisor's store and, through `openKeyStore`, beside it.
 */
import { hash, randomBytes } from "node:crypto";
import type { KeyStore, StoredKey } from "../store/store.ts";

const KEY_BYTES = 32;
const ID_BYTES = 9;
const DESCRIPTION_CHARACTERS = 255;

export interface CreatedKey {
	/** public handle, `key_…` */
	readonly id: string;
	/** the key itself, `weir_…`; nobody can tell it later */
	readonly key: string;
}

/** SHA-256, hex */
export const hashApiKey = (key: string): string => hash("sha256", key, "hex");

/** Durable when it resolves. @param description for people; cut to 255 characters */
export async function createApiKey(
	store: Pick<KeyStore, "addKey">,
	description = "",
): Promise<CreatedKey> {
	const key = `weir_${randomBytes(KEY_BYTES).toString("base64url")}`;
	const stored: StoredKey = {
		id: `key_${randomBytes(ID_BYTES).toString("base64url")}`,
		description: description.slice(0, DESCRIPTION_CHARACTERS),
		hash: hashApiKey(key),
		createdAt: new Date().toISOString(),
	};
	await store.addKey(stored);
	return { id: stored.id, key };
}

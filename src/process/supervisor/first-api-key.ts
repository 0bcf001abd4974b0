/**
 * Creates the first key of the management API, where neither the store nor the environment has one with which anything
 * can be changed (contract 1).
 * Called by `serve.ts`, which shows it once.
 */
import { createApiKey, hasUsableAdmin } from "../../management/api-keys.ts";
import type { KeyStore } from "../../store/store.ts";

/** @returns the new key if there was no such one, in the store or configured */
export async function firstApiKey(
	store: Pick<KeyStore, "addKey" | "keys">,
	configured: string | undefined,
): Promise<string | undefined> {
	if (configured !== undefined || hasUsableAdmin(store.keys(), Date.now())) return undefined;
	return (await createApiKey(store, "created at start")).key;
}

/**
 * Creates the first key of the management API, where neither the store nor the environment has one (contract 1).
 * Called by `serve.ts`, which shows it once.
 */
import { createApiKey } from "../../management/api-keys.ts";
import type { KeyStore } from "../../store/store.ts";

/** @returns the new key if there was none, in the store or configured */
export async function firstApiKey(
	store: Pick<KeyStore, "addKey" | "keys">,
	configured: string | undefined,
): Promise<string | undefined> {
	if (configured !== undefined || store.keys().length > 0) return undefined;
	return (await createApiKey(store, "created at first start")).key;
}

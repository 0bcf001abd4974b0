/** Makes sure that somebody can use the management API: creates the first key and shows it once (contract 1). */
import { createApiKey } from "../../management/api-keys.ts";
import type { Store } from "../../store/store.ts";

/** @returns the new key if there was none, in the store or configured */
export async function firstApiKey(
	store: Store,
	configured: string | undefined,
): Promise<string | undefined> {
	if (configured !== undefined || store.keys().length > 0) return undefined;
	return (await createApiKey(store, "created at first start")).key;
}

/** How the management API makes a committed change take effect; implemented by process/, faked in tests. */
import type { Change } from "../store/store.ts";

export interface Publisher {
	/**
	 * Resolves when every request that starts afterwards, on every live worker, sees these changes
	 * (contract 2, "Read your writes on the data path").
	 */
	publish(changes: readonly Change[]): Promise<void>;
}

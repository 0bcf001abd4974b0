/**
 * The supervisor's eye on the store's files: every write looks at them, but where nobody writes the
 * operator should hear of it, too. Says it once in the log; `/readyz` says it as long as it lasts, which
 * is until the restart. Used by `serve.ts`.
 */
import { LIMITS } from "../limits.ts";
import type { Log } from "../log.ts";
import type { MetricsSnapshot } from "../metrics.ts";
import type { Store } from "../store/store.ts";
import { StoreError } from "../store/store-error.ts";

export class StoreWatch {
	readonly #store: Pick<Store, "loss" | "counts">;
	readonly #log: Pick<Log, "error">;
	readonly #timer: NodeJS.Timeout;
	#isSaid = false;

	constructor(store: Pick<Store, "loss" | "counts">, log: Pick<Log, "error">) {
		this.#store = store;
		this.#log = log;
		this.#timer = setInterval(() => this.loss, LIMITS.storeLookMs).unref();
	}

	/** As the store's, for people who may not know where it lies; the log has all of it. */
	get loss(): string | undefined {
		const { loss } = this.#store;
		if (loss === undefined) return undefined;
		if (!this.#isSaid) this.#log.error({ reason: loss }, "the store is lost");
		this.#isSaid = true;
		return "The store's files were removed, replaced or cut short; weir must be started again.";
	}

	/** Without the counts where they can't be had any more. */
	metrics(): MetricsSnapshot {
		const lost = { weir_store_lost: this.loss === undefined ? 0 : 1 };
		try {
			const { edges, routes, policies } = this.#store.counts();
			return { ...lost, weir_edges: edges, weir_routes: routes, weir_policies: policies };
		} catch (error) {
			if (error instanceof StoreError && error.lost) return lost;
			throw error;
		}
	}

	close(): void {
		clearInterval(this.#timer);
	}
}

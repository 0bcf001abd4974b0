/**
 * The keys of a machine in a fleet whose weir is stopped: those that stay on this machine can be made and revoked, those of
 * the fleet are changed by the weir that runs alone, through the fleet's log. Used by `keys.ts`.
 */
import { StoreError } from "../../store/open.ts";
import type { KeyStore, StoredKey } from "../../store/store.ts";

export class LocalKeys implements KeyStore {
	readonly #store: KeyStore;
	readonly #fleet: string;

	constructor(store: KeyStore, fleet: string) {
		this.#store = store;
		this.#fleet = fleet;
	}

	refresh(): void {
		this.#store.refresh();
	}

	keys(): readonly StoredKey[] {
		return this.#store.keys();
	}

	keysRevision(): number {
		return this.#store.keysRevision();
	}

	async addKey(key: StoredKey): Promise<void> {
		if (key.isLocal !== true) throw this.#refusal();
		await this.#store.addKey(key);
	}

	async revokeKey(id: string): Promise<boolean> {
		const found = this.#store.keys().find((key) => key.id === id);
		if (found !== undefined && found.isLocal !== true) throw this.#refusal();
		return this.#store.revokeKey(id);
	}

	close(): Promise<void> {
		return this.#store.close();
	}

	#refusal(): StoreError {
		return new StoreError(
			`this machine is in the fleet "${this.#fleet}", whose keys are changed through the weir that runs: start it, or ask on a machine where it runs; weir keys create --local makes one for this machine alone`,
		);
	}
}

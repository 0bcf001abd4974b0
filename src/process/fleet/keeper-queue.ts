/**
 * The queue that the store of a machine in a fleet has for as long as the process lives: it passes writes on to the
 * membership that is open, and has them wait while there is none. Made by `fleet-keeper.ts`.
 */
import { FleetError } from "../../fleet/fleet-error.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Writes } from "../../store/lmdb/database.ts";
import type { StoreError } from "../../store/store-error.ts";
import type { WriteOrigin, WriteQueue } from "../../store/write-queue.ts";

export class KeeperQueue implements WriteQueue {
	#queue: WriteQueue | undefined;
	#refusal: StoreError | undefined;
	/** told when there is a queue */
	readonly #waiting = new Set<() => void>();

	/** @param queue undefined: none is open */
	use(queue: WriteQueue | undefined): void {
		this.#queue = queue;
		if (queue === undefined) return;
		for (const go of this.#waiting) go();
		this.#waiting.clear();
	}

	async write<T>(operation: (transaction: Writes) => T, origin: WriteOrigin): Promise<T> {
		if (this.#refusal !== undefined) throw this.#refusal;
		if (this.#queue === undefined) await this.#opened();
		if (this.#refusal !== undefined) throw this.#refusal;
		if (this.#queue === undefined) throw new FleetError("ERR_FLEET_UNAVAILABLE", NOT_OPEN);
		return this.#queue.write(operation, origin);
	}

	#opened(): Promise<void> {
		return new Promise((resolve) => {
			const go = (): void => {
				clearTimeout(timer);
				this.#waiting.delete(go);
				resolve();
			};
			const timer = setTimeout(go, LIMITS.fleetWriteMs);
			this.#waiting.add(go);
		});
	}

	async idle(): Promise<void> {
		await this.#queue?.idle();
	}

	async hold(refusal: StoreError): Promise<void> {
		this.#refusal = refusal;
		await this.idle();
	}

	release(): void {
		this.#refusal = undefined;
	}

	get isHeld(): boolean {
		return this.#refusal !== undefined;
	}
}

const NOT_OPEN =
	"This machine connects to its fleet at this moment. Nothing was changed; try again.";

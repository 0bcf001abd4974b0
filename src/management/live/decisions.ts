/**
 * The last refusals of all workers by the ids of their requests, for who asks why a request was refused. In memory, and
 * bounded: an attack pushes older ones out. Filled by `refusal-list.ts`, asked by `live-api.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Refusal } from "./shapes.ts";

export class Decisions {
	/** oldest first; the last one of an id that came twice */
	readonly #byId = new Map<string, Refusal>();
	readonly #most: () => number;
	/** who waits for the next report */
	readonly #waiting = new Set<() => void>();

	/** @param most that are kept; asked each time, because a reload may change it */
	constructor(most: () => number = () => LIMITS.decisionsKept) {
		this.#most = most;
	}

	/** @param refusals oldest first */
	add(refusals: readonly Refusal[]): void {
		for (const refusal of refusals) {
			if (refusal.request_id === null) continue;
			this.#byId.delete(refusal.request_id);
			this.#byId.set(refusal.request_id, refusal);
		}
		const most = this.#most();
		for (const id of this.#byId.keys()) {
			if (this.#byId.size <= most) break;
			this.#byId.delete(id);
		}
		for (const wake of [...this.#waiting]) wake();
	}

	find(requestId: string): Refusal | undefined {
		return this.#byId.get(requestId);
	}

	/** Workers tell once a second: waits for the next time, and no longer than `LIMITS.decisionWaitMs`. */
	arrives(requestId: string): Promise<Refusal | undefined> {
		return new Promise((resolve) => {
			const wake = (): void => {
				clearTimeout(timer);
				this.#waiting.delete(wake);
				resolve(this.find(requestId));
			};
			const timer = setTimeout(wake, LIMITS.decisionWaitMs);
			this.#waiting.add(wake);
		});
	}
}

/**
 * What may be compiled within requests in one turn of the event loop, however many routes are asked for in it for
 * the first time. Used by `route-policies.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { PreparedPolicy } from "../../policy/compile.ts";
import type { Compilation } from "./compilation.ts";

export class TurnBudget {
	#leftMs: number | undefined;

	/** ms */
	get left(): number {
		if (this.#leftMs === undefined) {
			this.#leftMs = LIMITS.policySliceMs;
			setImmediate(() => {
				this.#leftMs = undefined;
			});
		}
		return this.#leftMs;
	}

	/** Goes on with a preparation for what is left. @returns undefined if that isn't enough */
	spend(preparation: Compilation): PreparedPolicy | undefined {
		const { left } = this;
		const beganMs = performance.now();
		const prepared = preparation.goOn(beganMs + left);
		this.#leftMs = left - (performance.now() - beganMs);
		return prepared;
	}
}

/**
 * Policies of one announced change, compiled and held until it is applied. Made by `policy-loader.ts`, let go of by
 * whoever applies the change.
 */
import type { ExpressionThreads } from "./expression-threads.ts";
import type { SharedPolicy } from "./shared-policies.ts";

export class Ahead {
	readonly #threads: ExpressionThreads;
	readonly #held = new Set<SharedPolicy>();
	#keepsThreads = false;

	constructor(threads: ExpressionThreads) {
		this.#threads = threads;
	}

	hold(shared: SharedPolicy): void {
		if (this.#held.has(shared)) return;
		shared.hold();
		this.#held.add(shared);
	}

	/** Where one of them may need the threads, they are kept with it. Resolves when they are ready. */
	async ready(): Promise<void> {
		if (!Array.from(this.#held).some(({ prepared }) => prepared.mayWait)) return;
		if (!this.#keepsThreads) this.#threads.keep();
		this.#keepsThreads = true;
		await this.#threads.ready();
	}

	/** The change is applied: what no route has taken over is forgotten. */
	release(): void {
		for (const shared of this.#held) shared.release();
		this.#held.clear();
		if (this.#keepsThreads) this.#threads.release();
		this.#keepsThreads = false;
	}
}

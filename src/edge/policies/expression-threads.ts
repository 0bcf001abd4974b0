/**
 * Whether the threads for expensive expressions are up: they are started with the first policy that may need
 * them and kept as long as there is one. Starting takes 60 to 400 ms, near to what an evaluation may take
 * altogether, so whoever opens such a policy waits for it. Made by `edge.ts`.
 */
import type { Evaluator } from "../../threads/expression-evaluator.ts";

export class ExpressionThreads {
	readonly #evaluator: Pick<Evaluator, "keep" | "ready">;
	#keepers = 0;
	#starting: Promise<void> | undefined;
	#areReady = false;

	constructor(evaluator: Pick<Evaluator, "keep" | "ready">) {
		this.#evaluator = evaluator;
	}

	/** Are they kept, and has one answered? */
	get areReady(): boolean {
		return this.#areReady;
	}

	/** Starts them, if they are not up. @returns lets them go; to be called once */
	keep(): () => void {
		const letGo = this.#evaluator.keep();
		this.#keepers += 1;
		if (this.#keepers === 1) this.#start();
		return () => {
			letGo();
			this.#keepers -= 1;
			if (this.#keepers > 0) return;
			this.#starting = undefined;
			this.#areReady = false;
		};
	}

	/** Resolves when those that are kept are up, or none is. */
	async ready(): Promise<void> {
		await this.#starting;
	}

	#start(): void {
		const starting = this.#evaluator.ready().then(() => {
			if (this.#starting === starting) this.#areReady = true;
		});
		this.#starting = starting;
	}
}

/**
 * Whether the threads for expensive expressions are up. They start with the first policy that may need them and
 * are kept until the last such policy is closed. Starting takes 60 to 400 ms, nearly as long as an evaluation may
 * take altogether, so a policy that may need threads is `ready` only when they are. Made by `edge.ts`.
 */
import type { Evaluator } from "../../threads/expression-evaluator.ts";

export class ExpressionThreads {
	readonly #evaluator: Pick<Evaluator, "keep" | "ready">;
	#keepers = 0;
	#letGo: (() => void) | undefined;
	#starting: Promise<void> | undefined;
	#areReady = false;

	constructor(evaluator: Pick<Evaluator, "keep" | "ready">) {
		this.#evaluator = evaluator;
	}

	/** Somebody keeps the threads, and one of them has answered. */
	get areReady(): boolean {
		return this.#areReady;
	}

	/** Starts the threads if they are not up. Every call needs a `release`. */
	keep(): void {
		this.#keepers += 1;
		if (this.#keepers > 1) return;
		this.#letGo = this.#evaluator.keep();
		const starting = this.#evaluator.ready().then(() => {
			if (this.#starting === starting) this.#areReady = true;
		});
		this.#starting = starting;
	}

	release(): void {
		this.#keepers -= 1;
		if (this.#keepers > 0) return;
		this.#letGo?.();
		this.#letGo = undefined;
		this.#starting = undefined;
		this.#areReady = false;
	}

	/** Resolves when the threads are up, or at once if nobody keeps them. */
	async ready(): Promise<void> {
		await this.#starting;
	}
}

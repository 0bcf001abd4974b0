/**
 * One policy on its way from a document to something that runs, made a little at a time: a document of full
 * size takes seconds (16,000 expressions), in which the worker has requests to serve. Its longest expressions
 * are made in a thread. Used by `route-policies.ts` for requests that come first, by `prepared-policies.ts` for
 * announced changes.
 */

import { LIMITS } from "../../limits/limits.ts";
import type { PolicySteps, PreparedPolicy } from "../../policy/compile.ts";
import type { MadeProgram, WantedProgram } from "../../policy/compiler.ts";
import type { PolicyDocument, RuleDocument } from "../../policy/schema.ts";
import type { ProgramMaker } from "../../threads/program-maker.ts";

const isMany = (rules: readonly RuleDocument[]): boolean => {
	let parts = 0;
	for (const { expressions, actions } of rules) parts += expressions.length + actions.length;
	return parts > LIMITS.policyPartsWithinRequest;
};

/** Would it take so long that no request should be the first to ask for it? */
export const isLong = ({ inbound, outbound }: PolicyDocument): boolean =>
	isMany(inbound) || isMany(outbound);

/** The event loop's turns, each of which may be held up for `LIMITS.policySliceMs` and one step. */
export class Turns {
	readonly #onTurn: () => void;
	#endMs = performance.now() + LIMITS.policySliceMs;

	/** @param onTurn called after each turn that it took */
	constructor(onTurn: () => void) {
		this.#onTurn = onTurn;
	}

	/** of this turn's share, on the clock of `performance.now()` */
	get endMs(): number {
		return this.#endMs;
	}

	/** Resolves when everybody else has had a turn. */
	async next(): Promise<void> {
		await new Promise((resolve) => setImmediate(resolve));
		this.#onTurn();
		this.begin();
	}

	/** What the loop was left for otherwise counts as a turn. */
	begin(): void {
		this.#endMs = performance.now() + LIMITS.policySliceMs;
	}

	progress(): void {
		this.#onTurn();
	}
}

export class Compilation {
	readonly #steps: PolicySteps;
	#prepared: PreparedPolicy | undefined;
	/** what the next step waits for */
	#wanted: readonly WantedProgram[] | undefined;
	#made: readonly MadeProgram[] | undefined;

	constructor(steps: PolicySteps) {
		this.#steps = steps;
	}

	/**
	 * In the caller's turn, until done, `endMs`, or something is left to the thread.
	 * @returns undefined if it is not done @throws Error for a document that was not validated
	 */
	goOn(endMs: number): PreparedPolicy | undefined {
		while (this.#prepared === undefined && this.#wanted === undefined) {
			if (performance.now() >= endMs) return undefined;
			const step = this.#steps.next(this.#made);
			this.#made = undefined;
			if (step.done === true) this.#prepared = step.value;
			else this.#wanted = step.value;
		}
		return this.#prepared;
	}

	/** The rest, over as many turns as it takes. @throws Error as `goOn` */
	async finish(programs: ProgramMaker, turns: Turns): Promise<PreparedPolicy> {
		for (;;) {
			const prepared = this.goOn(turns.endMs);
			if (prepared !== undefined) return prepared;
			if (this.#wanted === undefined) {
				await turns.next();
				continue;
			}
			this.#made = await programs.make(this.#wanted, () => turns.progress());
			this.#wanted = undefined;
			turns.begin();
		}
	}
}

/**
 * Compiles one policy a little at a time. A document of full size takes seconds (16,000 expressions), and the
 * worker has requests to serve meanwhile. Its longest expressions are compiled in a thread. Used by
 * `policy-loader.ts`, with the budgets that bound the event loop's part of the work.
 */

import { LIMITS } from "../../limits/limits.ts";
import type { PolicyDocument, RuleDocument } from "../../policy/document/schema.ts";
import type { MadeProgram, WantedProgram } from "../../policy/programs/program.ts";
import type { PolicySteps, PreparedPolicy, preparePolicy } from "../../policy/rules/compile.ts";
import type { Pace } from "../../policy/rules/prepare.ts";
import type { ProgramMaker } from "../../threads/program-maker.ts";

const isMany = (rules: readonly RuleDocument[]): boolean => {
	let parts = 0;
	for (const { expressions, actions } of rules) parts += expressions.length + actions.length;
	return parts > LIMITS.policyPartsWithinRequest;
};

/** Whether compiling takes so long that no request should be the first to ask for it. */
export const isLong = ({ inbound, outbound }: PolicyDocument): boolean =>
	isMany(inbound) || isMany(outbound);

/**
 * Tells of most that they are not long, without reading them: each expression and each action has a comma of its own.
 * @param json of a stored document
 */
export function mayBeLong(json: string): boolean {
	let commas = 0;
	for (let at = json.indexOf(","); at >= 0; at = json.indexOf(",", at + 1))
		if (++commas > LIMITS.policyPartsWithinRequest) return true;
	return false;
}

/**
 * What requests may spend on compiling in one turn of the event loop, all requests of the turn together:
 * `LIMITS.policySliceMs`.
 */
export class TurnBudget {
	#leftMs: number | undefined;

	/** milliseconds */
	get left(): number {
		if (this.#leftMs === undefined) {
			this.#leftMs = LIMITS.policySliceMs;
			setImmediate(() => {
				this.#leftMs = undefined;
			});
		}
		return this.#leftMs;
	}

	/** Continues a compilation until the budget is spent. @returns undefined if that is not enough */
	spend(compilation: Compilation): PreparedPolicy | undefined {
		const { left } = this;
		const beganMs = performance.now();
		const prepared = compilation.continue(beganMs + left);
		this.#leftMs = left - (performance.now() - beganMs);
		return prepared;
	}
}

/**
 * Slices of the event loop for compilations that no request waits for alone. A slice takes
 * `LIMITS.policySliceMs` and the compilation step that is running then.
 */
export class Slices {
	readonly #onSlice: () => void;
	#endMs = performance.now() + LIMITS.policySliceMs;

	/** @param onSlice called after each slice, and when a thread has made progress */
	constructor(onSlice: () => void = () => {}) {
		this.#onSlice = onSlice;
	}

	/** of the current slice, on the clock of `performance.now()` */
	get endMs(): number {
		return this.#endMs;
	}

	/** Resolves when everybody else has had a turn. */
	async next(): Promise<void> {
		await new Promise((resolve) => setImmediate(resolve));
		this.#onSlice();
		this.begin();
	}

	begin(): void {
		this.#endMs = performance.now() + LIMITS.policySliceMs;
	}

	progress(): void {
		this.#onSlice();
	}
}

/** Steps end when their time is over. */
class Deadline implements Pace {
	/** on the clock of `performance.now()` */
	endMs = 0;

	isDue(): boolean {
		return performance.now() >= this.endMs;
	}
}

export class Compilation {
	readonly #deadline = new Deadline();
	readonly #steps: PolicySteps;
	#prepared: PreparedPolicy | undefined;
	/** programs that the next step needs, to be made in a thread */
	#wanted: readonly WantedProgram[] | undefined;
	#made: readonly MadeProgram[] | undefined;

	constructor(document: PolicyDocument, prepare: typeof preparePolicy) {
		this.#steps = prepare(document, this.#deadline);
	}

	/**
	 * Works until the policy is compiled, until `endMs`, or until a step needs programs from a thread.
	 * @returns undefined if it is not compiled yet @throws Error for a document that was not validated
	 */
	continue(endMs: number): PreparedPolicy | undefined {
		this.#deadline.endMs = endMs;
		while (this.#prepared === undefined && this.#wanted === undefined) {
			if (this.#deadline.isDue()) return undefined;
			const step = this.#steps.next(this.#made);
			this.#made = undefined;
			if (step.done === true) this.#prepared = step.value;
			else this.#wanted = step.value;
		}
		return this.#prepared;
	}

	/** The rest, over as many slices as it takes. @throws Error as `continue` */
	async finish(programs: ProgramMaker, slices: Slices): Promise<PreparedPolicy> {
		for (;;) {
			const prepared = this.continue(slices.endMs);
			if (prepared !== undefined) return prepared;
			if (this.#wanted === undefined) {
				await slices.next();
				continue;
			}
			this.#made = await programs.make(this.#wanted, () => slices.progress());
			this.#wanted = undefined;
			slices.begin();
		}
	}
}

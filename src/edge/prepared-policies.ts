/**
 * Policies made ready ahead of the moment in which they are swapped in: a document of full size takes
 * seconds to compile (16,000 expressions), in which the worker has requests to serve. So it is compiled a
 * little per turn of the event loop, its longest expressions in a thread, and the swap itself takes next to
 * nothing. Used by `edge.ts`.
 */
import type { ProgramMaker } from "../heavy/program-maker.ts";
import type { PreparedPolicy, preparePolicy } from "../policy/compile.ts";
import type { MadeProgram } from "../policy/compiler.ts";
import type { PolicyDocument } from "../policy/schema.ts";
import type { Stored } from "../store/store.ts";

/** milliseconds between turns; a single expression that takes longer holds the loop longer */
const SLICE_MS = 4;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class PreparedPolicies {
	readonly #prepare: typeof preparePolicy;
	readonly #programs: ProgramMaker;
	/** by etag, a digest of the document */
	readonly #ready = new Map<string, PreparedPolicy>();

	constructor(prepare: typeof preparePolicy, programs: ProgramMaker) {
		this.#prepare = prepare;
		this.#programs = programs;
	}

	/** @param onTurn called after each turn that it took */
	async prepare(policies: readonly Stored<PolicyDocument>[], onTurn: () => void): Promise<void> {
		let began = performance.now();
		for (const { document, etag } of policies) {
			if (this.#ready.has(etag)) continue;
			const steps = this.#prepare(document);
			let made: readonly MadeProgram[] | undefined;
			for (;;) {
				const step = steps.next(made);
				made = undefined;
				if (step.done === true) {
					this.#ready.set(etag, step.value);
					break;
				}
				if (step.value !== undefined) {
					made = await this.#programs.make(step.value, onTurn);
					began = performance.now();
					continue;
				}
				if (performance.now() - began < SLICE_MS) continue;
				await nextTurn();
				onTurn();
				began = performance.now();
			}
		}
	}

	/** Each may be opened for as many routes as have it. */
	find(etag: string): PreparedPolicy | undefined {
		return this.#ready.get(etag);
	}

	/** Is there one whose expressions may be suspended? */
	get mayWait(): boolean {
		for (const { mayWait } of this.#ready.values()) if (mayWait) return true;
		return false;
	}

	/** Forgets what was made ready in vain. */
	clear(): void {
		this.#ready.clear();
	}
}

/**
 * The program of a worker's threads: evaluates an expression for `expression-evaluator.ts`, or compiles expressions
 * for `program-maker.ts`.
 */
import type { AttributesCopy } from "../cel/attributes-copy.ts";
import { EvaluationFailure, Overrun, type Settlement, type Suspension } from "../cel/expression.ts";
import { settle } from "../cel/settle.ts";
import { type MadeProgram, makeProgram, type WantedProgram } from "../policy/programs/program.ts";
import { type Watched, WorkClock } from "./work-watch.ts";

/**
 * The text of the expression is its version, so that a request goes on under the policy that it started with
 * and the thread needs no store.
 */
export interface EvaluationTask extends Pick<Suspension, "source" | "phase" | "wants"> {
	readonly kind: "evaluate";
	readonly attributes: AttributesCopy;
	/** compiled, with its first evaluation; should the thread have lost it, it compiles the text again */
	readonly program?: Suspension["program"];
	/** its deadline; the thread that it is given to adds it (`threads/evaluation-thread.ts`) */
	readonly watched?: Watched;
}

export interface CompilationTask {
	readonly kind: "compile";
	readonly wanted: readonly WantedProgram[];
}

export type ExpressionTask = EvaluationTask | CompilationTask;

/** An `EvaluationFailure` would arrive as a plain object. */
export type ExpressionAnswer =
	| { readonly kind: "value"; readonly value: Exclude<Settlement, EvaluationFailure> }
	| { readonly kind: "failure" | "overrun"; readonly message: string }
	/** programs of the expressions that compiled */
	| { readonly kind: "programs"; readonly programs: readonly MadeProgram[] };

export default (task: ExpressionTask): ExpressionAnswer => {
	if (task.kind === "compile") {
		return {
			kind: "programs",
			programs: task.wanted.flatMap((wanted) => makeProgram(wanted) ?? []),
		};
	}
	const clock = task.watched && new WorkClock(task.watched);
	const value = settle(task, clock && (() => clock.begin()));
	clock?.end();
	if (!(value instanceof EvaluationFailure)) return { kind: "value", value };
	return { kind: value instanceof Overrun ? "overrun" : "failure", message: value.message };
};

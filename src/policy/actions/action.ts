/**
 * What the files of this folder have in common. Each action is prepared from its config, by `validate.ts`
 * for the problems and by `compile.ts` to run it, so that nothing can be accepted that can't be compiled.
 * A preparer is given the config as submitted, skips what has the wrong type and leaves that to the schema.
 */
import {
	EvaluationFailure,
	type Phase,
	type Settled,
	type Suspension,
	type Template,
} from "../../cel/expression.ts";
import type { Result } from "../../errors.ts";
import type { RateLimiters } from "../admission.ts";
import type { Outcome, Place, PolicyExchange } from "../exchange.ts";
import { failedBy } from "../outcomes.ts";
import type { Compiler, FieldProblem } from "../programs/compiler.ts";

/** An action ready to run; one object per action and policy, no state of a request survives `run`. */
export interface RunnableAction {
	/**
	 * Hot. `CONTINUE` for the next action, another outcome ends the rule. With a suspension nothing has been
	 * done yet: the action is run again when it is settled, so it fills in everything before it acts.
	 */
	run(exchange: PolicyExchange, settled?: Settled): Outcome | Suspension;
	close?(): void;
}

/** What a prepared action still needs to be run. */
export interface ActionContext {
	readonly place: Place;
	readonly edgeId: string;
	readonly routeId: string;
	readonly limiters: RateLimiters;
	/** counts identical configurations of one module: the ordinal of this one (contract 5) */
	ordinalOf(configuration: string): number;
}

export type PreparedAction = (context: ActionContext) => RunnableAction;

export type Prepare = (
	config: Readonly<Record<string, unknown>>,
	phase: Phase,
	compiler: Compiler,
) => Result<PreparedAction, readonly FieldProblem[]>;

/** Own member or undefined; a config comes from outside. */
export function member(config: Readonly<Record<string, unknown>>, name: string): unknown {
	return Object.hasOwn(config, name) ? config[name] : undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A string of no more than `bytes`; longer ones are refused by the schema and never compiled. */
export function isText(value: unknown, bytes: number): value is string {
	return typeof value === "string" && Buffer.byteLength(value) <= bytes;
}

/** Hot. The filled-in text; else what `run` returns in its place, a failure reported. */
export function rendered(
	template: Template,
	exchange: PolicyExchange,
	place: Place,
	settled: Settled | undefined,
): string | Outcome | Suspension {
	if (template.literal !== undefined) return template.literal;
	const text = template.render(exchange, settled);
	if (!(text instanceof EvaluationFailure)) return text;
	exchange.expressionFailed(place, text.message);
	return failedBy(text);
}

/**
 * Runs compiled expressions: opens them as `Predicate` and as the expressions of a `Template`, each by itself
 * or many rules in one function. Called by `policy/`, `template.ts` and `settle.ts`.
 */
import { LIMITS } from "../limits/limits.ts";
import type { Attributes } from "./attributes.ts";
import type { GoesOn } from "./budget.ts";
import {
	evaluateFreely,
	evaluateInline,
	evaluateOnce,
	evaluateWithin,
	OUT_OF_BUDGET,
	resultOf,
	TOO_LONG,
} from "./evaluation.ts";
import type { EvaluationFailure, Guard, Predicate, Settled, Suspension } from "./expression.ts";
import type { ExpressionProgram } from "./expression-program.ts";
import type { Code } from "./lower/code.ts";
import { type FusedRun, fuse } from "./lower/fuse.ts";
import { type OpenCode, openShared } from "./lower/open.ts";
import { isSteady, isSteadyInPhase } from "./lower/steady.ts";
import { fromPortable } from "./values/portable.ts";
import type { Value } from "./values/value.ts";

export interface PredicateProgram extends ExpressionProgram {
	readonly constant: boolean | undefined;
	readonly guards: readonly Guard[];
}

/** @typeParam T the type of its value: a bool, a text, or any */
export class OpenExpression<T extends Value> {
	readonly #program: ExpressionProgram;
	/** the same if done twice */
	readonly asksNoChance: boolean;
	/** that, and cheap whatever the request */
	readonly #isFree: boolean;
	/** made when first needed */
	#suspension: Suspension | undefined;
	/** made when first evaluated: most expressions of a large policy never are */
	#open: OpenCode | undefined;

	constructor(program: ExpressionProgram) {
		this.#program = program;
		this.asksNoChance = isSteady(program.code);
		this.#isFree = !program.isHeavy && this.asksNoChance;
	}

	get source(): string {
		return this.#program.source;
	}

	get code(): Code {
		return this.#program.code;
	}

	/** Does its time depend on the request? */
	get isHeavy(): boolean {
		return this.#program.isHeavy;
	}

	get #opened(): OpenCode {
		this.#open ??= openShared(this.#program.code);
		return this.#open;
	}

	get isSteady(): boolean {
		return isSteadyInPhase(this.code, this.#program.reads);
	}

	/** Hot, so what nearly all evaluations come to is done here. Never throws. */
	evaluate(attributes: Attributes, settled?: Settled): T | EvaluationFailure | Suspension {
		if (!this.#isFree || settled !== undefined) {
			return this.#orSuspended(this.#evaluateElse(attributes, settled));
		}
		const { run, constants } = this.#opened;
		try {
			return run(attributes, constants, 0) as T;
		} catch (error) {
			return this.#orSuspended(resultOf(error));
		}
	}

	/** Begun here and done again in a thread, chance would be asked twice: `rand.double() < 0.1` would hold once in 100. */
	#evaluateElse(attributes: Attributes, settled: Settled | undefined): unknown {
		const known = this.#suspension && settled?.get(this.#suspension);
		if (typeof known === "object" && "value" in known) return fromPortable(known.value);
		if (known !== undefined) return known;
		const { run, constants } = this.#opened;
		if (this.#isFree) return evaluateFreely(run, attributes, constants);
		if (this.asksNoChance) return evaluateInline(run, attributes, constants);
		return this.#program.isHeavy ? OUT_OF_BUDGET : evaluateOnce(run, attributes, constants);
	}

	#orSuspended(result: unknown): T | EvaluationFailure | Suspension {
		return result === OUT_OF_BUDGET ? this.suspended() : (result as T | EvaluationFailure);
	}

	/** What a request waits for when its time is spent; the same each time. */
	suspended(): Suspension {
		const program = this.#program;
		const { source, phase, wants, reads } = program;
		this.#suspension ??= Object.freeze({ source, phase, wants, reads, program });
		return this.#suspension;
	}

	/** With all the time that a thread of its own has. @param goesOn asked now and then */
	evaluateFully(attributes: Attributes, goesOn: GoesOn): T | EvaluationFailure {
		const { run, constants } = this.#opened;
		const poll = LIMITS.heavyPollNanoseconds;
		const result = evaluateWithin(run, attributes, poll, goesOn, constants);
		return result === OUT_OF_BUDGET ? TOO_LONG : (result as T | EvaluationFailure);
	}
}

class OpenPredicate extends OpenExpression<boolean> implements Predicate {
	readonly #predicate: PredicateProgram;

	constructor(program: PredicateProgram) {
		super(program);
		this.#predicate = program;
	}

	get constant(): boolean | undefined {
		return this.#predicate.constant;
	}

	get canFail(): boolean {
		return this.#predicate.canFail;
	}

	get guards(): readonly Guard[] {
		return this.#predicate.guards;
	}
}

/** The code of an expression that may be asked without its `Predicate`. */
export const codeInRow = (predicate: Predicate): RowCode | undefined =>
	predicate instanceof OpenPredicate && predicate.asksNoChance ? predicate : undefined;

/** `isHeavy`: to be run by `evaluateInline` */
export interface RowCode {
	readonly code: Code;
	readonly isHeavy: boolean;
}

/** What a request waits for when the code of an expression has come to `OUT_OF_BUDGET`. */
export function suspensionOf(predicate: Predicate | undefined): Suspension {
	if (predicate instanceof OpenPredicate) return predicate.suspended();
	throw new Error("an expression that has no code has run out of time");
}

/**
 * Rules asked in one function: `FUSED_RULES` at most, each the predicates that must all be true. A rule with a
 * predicate that may fail, be suspended or ask for chance is not asked here, and its bit is set. A rule that
 * applies is asked once more before its actions run, so the answer must be the same.
 * @returns undefined if none can be asked
 */
export function fusePredicates(rules: readonly (readonly Predicate[])[]): FusedRun | undefined {
	const codes = rules.map(codesOf);
	return codes.some((each) => each !== undefined) ? fuse(codes) : undefined;
}

/** Can the rule be asked with others, in one function? */
export const isFusible = (predicates: readonly Predicate[]): boolean =>
	codesOf(predicates) !== undefined;

function codesOf(predicates: readonly Predicate[]): readonly Code[] | undefined {
	const codes: Code[] = [];
	for (const predicate of predicates) {
		if (predicate.canFail || !(predicate instanceof OpenPredicate)) return undefined;
		if (!isSteady(predicate.code)) return undefined;
		codes.push(predicate.code);
	}
	return codes.length > 0 ? codes : undefined;
}

export const openPredicate = (program: PredicateProgram): Predicate => new OpenPredicate(program);

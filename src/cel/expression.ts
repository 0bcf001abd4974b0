/**
/**
 * The interface between this folder and the rest of weir (docs/design.md, "Rooms"): compiled predicates, templates and
 * patterns, and the values that evaluating them can yield. policy/ compiles documents against these types;
 * `program.ts`, `template.ts` and `pattern/` implement them. Everything is compiled once; evaluation is
 * synchronous, never throws, and returns failures as values.
 */
import type { Result } from "../errors.ts";
import type { Attributes, Phase } from "./attributes.ts";
import type { ExpressionProgram } from "./expression-program.ts";
import type { Portable, Value } from "./values/value.ts";

export type { Phase } from "./attributes.ts";

/** Why an expression is refused when written (contract 3): line and column count from 1, in characters. */
export interface ExpressionProblem {
	/** `expression_syntax`, `expression_type`, `unknown_variable`, `unknown_function`, `invalid_pattern`, … */
	readonly code: string;
	/** one sentence, with the nearest valid name where there is one */
	readonly message: string;
	readonly line: number;
	readonly column: number;
	/** the source line and, under it, a caret at the column */
	readonly excerpt: string;
}

/** A failure at run time, e.g. an index out of range; `instanceof` tells it from a result. */
export class EvaluationFailure {
	readonly message: string;
	constructor(message: string) {
		this.message = message;
	}
}

/**
 * The evaluation exceeded a bound on its time, its memory or its place in the queue. Never passed over (contract 1,
 * `expression_errors`): else a client could make a rule not apply by making it expensive.
 */
export class Overrun extends EvaluationFailure {}

/**
 * An evaluation that would hold up the event loop for too long. Another thread settles it (`threads/`), from
 * `source` and a copy of the attributes that it `reads`. Made once per expression.
 */
export interface Suspension {
	readonly source: string;
	readonly phase: Phase;
	/** a predicate's value, the text that a template puts in its place, a value, or all matches of a pattern in the URL */
	readonly wants: "bool" | "text" | "value" | "matches";
	/** paths into `Attributes`, for `copyAttributes` */
	readonly reads: readonly string[];
	/** compiled, as plain data: spares a thread that has not met it the compiling */
	readonly program?: ExpressionProgram;
}

/**
 * All matches of a pattern in a text, from left to right, one behind the other. Each match is its begin and end,
 * then begin and end of each of its groups, -1 for a group that took no part.
 */
export type Matches = readonly number[];

/** A value as a thread sends it. */
export interface SettledValue {
	readonly value: Portable;
}

/** What became of a suspended evaluation. */
export type Settlement = boolean | string | Matches | SettledValue | EvaluationFailure;

/** The settlements of suspensions, given along when a predicate or template is evaluated again. */
export type Settled = ReadonlyMap<Suspension, Settlement>;

export const isSuspension = (result: unknown): result is Suspension =>
	typeof result === "object" && result !== null && "wants" in result;

/** What must hold of the method, host or path if a predicate is to be true; lets a rule be passed over unread. */
export interface Guard {
	readonly attribute: "method" | "host" | "path";
	/** the attribute is one of `values`, or starts with one of them; nothing holds for no values */
	readonly test: "equals" | "starts_with";
	readonly values: readonly string[];
}

export interface Predicate {
	readonly source: string;
	/** the value if it is the same for every request, found when compiled (lint); else undefined */
	readonly constant: boolean | undefined;
	/** is its value the same wherever in a phase of a request it is asked (lint)? */
	readonly isSteady: boolean;
	/** can it yield anything but a bool: a failure, or a suspension? */
	readonly canFail: boolean;
	/** at most one for each attribute; wherever one does not hold, the predicate is false, never a failure */
	readonly guards: readonly Guard[];
	/**
	 * Hot. A dyn expression that yields no bool is a failure. A suspension comes of expensive expressions
	 * only, when the little time is spent that the event loop gives them; `settled` is for asking again.
	 */
	evaluate(attributes: Attributes, settled?: Settled): boolean | EvaluationFailure | Suspension;
}

/** A string with `${expression}` in it (contract 5); `$${` is a literal `${`. */
export interface Template {
	/** the text if it holds no expression, so callers can skip rendering */
	readonly literal: string | undefined;
	/** A suspension as in `Predicate.evaluate`; evaluated again with its settlement, it may give the next one. */
	render(attributes: Attributes, settled?: Settled): string | EvaluationFailure | Suspension;
}

/** A text that stands for a value: one expression and nothing else keeps its type, any other text is a string. */
export interface ValueTemplate {
	/** the text if it holds no expression */
	readonly literal: string | undefined;
	/** of a text that is one expression: what is known of its type, as signatures write it */
	readonly type: string | undefined;
	/** As `Template.render`. */
	evaluate(attributes: Attributes, settled?: Settled): Value | EvaluationFailure | Suspension;
}

/** A pattern in RE2 syntax, matched in linear time. */
export interface Pattern {
	/** 0-based number of capturing groups, and names of the named ones with their numbers (1…) */
	readonly groupCount: number;
	readonly groupNames: ReadonlyMap<string, number>;
	/** true if it matches anywhere in `text` */
	test(text: string): boolean;
	/** Replaces every match. @param matches of this pattern in `text`, if `findAll` has found them before */
	replace(text: string, replacement: Replacement, matches?: Matches): string;
	/** Nanoseconds that `replace` takes at most to find the matches; an estimate. */
	replaceCost(text: string): number;
	/**
	 * For a thread of its own.
	 * @param most matches at which the search ends
	 * @param goesOn asked now and then, if the time that it takes can't be told beforehand
	 * @returns undefined if it may not go on
	 * @throws OutOfBudget likewise
	 */
	findAll(text: string, most: number, goesOn: () => boolean): Matches | undefined;
}

/** Called with the groups of each match: index 0 the match, 1… the groups, undefined where one took no part. */
export type Replacement = (groups: readonly (string | undefined)[]) => string;

export type CompilePattern = (source: string) => Result<Pattern, ExpressionProblem>;

/**
 * A rule as all routes with its policy share it. Where all that deciding about a request takes is in the row of its
 * phase (`rule-row.ts`), its expressions are not kept beside it: they are compiled again should one of them be asked by
 * itself, which takes a failure or a request that has used up its time. Made by `prepare.ts`, opened by `compile.ts`.
 */
import type { Phase, Predicate } from "../../cel/expression.ts";
import type { PreparedAction } from "../actions/action.ts";
import type { Place } from "../exchange.ts";
import type { Compiler } from "../programs/compiler.ts";
import type { RunnableRule } from "./evaluate.ts";

export interface PreparedStep {
	readonly prepared: PreparedAction;
	readonly type: string;
	readonly place: Place;
}

export interface PreparedRule extends RunnableRule {
	readonly steps: readonly PreparedStep[];
}

type Compile = Pick<Compiler, "predicate">;

/** @param compiler makes a compiler for a rule whose expressions are asked for after all */
export function withoutPredicates(
	rule: PreparedRule,
	phase: Phase,
	compiler: () => Compile,
): PreparedRule {
	if (rule.predicates.length === 0) return rule;
	return new SourceRule(rule, phase, compiler);
}

class SourceRule implements PreparedRule {
	readonly index: number;
	readonly name: string;
	readonly expressionIndexes: readonly number[] | undefined;
	readonly steps: readonly PreparedStep[];
	readonly reportsOnly: boolean;
	readonly #phase: Phase;
	readonly #sources: readonly string[];
	readonly #compiler: () => Compile;
	#predicates: readonly Predicate[] | undefined;

	constructor(rule: PreparedRule, phase: Phase, compiler: () => Compile) {
		this.index = rule.index;
		this.name = rule.name;
		this.expressionIndexes = rule.expressionIndexes;
		this.steps = rule.steps;
		this.reportsOnly = rule.reportsOnly;
		this.#phase = phase;
		this.#sources = rule.predicates.map(({ source }) => source);
		this.#compiler = compiler;
	}

	get sources(): readonly string[] {
		return this.#sources;
	}

	get predicates(): readonly Predicate[] {
		this.#predicates ??= this.#compiled();
		return this.#predicates;
	}

	#compiled(): readonly Predicate[] {
		const compiler = this.#compiler();
		return this.#sources.map((source) => {
			const compiled = compiler.predicate(source, this.#phase);
			if (!compiled.ok) throw new Error(`an expression that was compiled is refused: ${source}`);
			return compiled.value;
		});
	}
}

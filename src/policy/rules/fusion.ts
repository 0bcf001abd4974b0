/**
 * Evaluates the expressions of 32 rules in one function, for rules that have no guard by which the index could pass
 * over them: where hundreds of rules don't apply, calling each rule's own function is most of the work. Made by
 * `prepare.ts`, asked by `guard-index.ts`.
 */
import type { Attributes } from "../../cel/attributes.ts";
import { evaluateFused } from "../../cel/evaluation.ts";
import type { Predicate } from "../../cel/expression.ts";
import { FUSED_RULES, type FusedRun } from "../../cel/lower/fuse.ts";
import { fusePredicates, isFusible } from "../../cel/program.ts";

type Rules = readonly (readonly Predicate[])[];

/** From so many rules on, one function is quicker than one each. Making one takes some 0.2 ms for 32 rules. */
const PAYS_FROM = 8;

export class RuleFusion {
	/** of fewer rules `pays` is false */
	static readonly paysFrom = PAYS_FROM;
	/** one for each word of 32 rules, made when it is first asked */
	readonly #runs: (FusedRun | undefined)[] = [];
	readonly #words: readonly (Rules | undefined)[];

	/** @param rules in order; rules that need not be asked here are given without expressions */
	constructor(rules: Rules) {
		const words: (Rules | undefined)[] = [];
		for (let first = 0; first < rules.length; first += FUSED_RULES) {
			const word = rules.slice(first, first + FUSED_RULES);
			words.push(word.some(isFusible) ? word : undefined);
		}
		this.#words = words;
	}

	static pays(rules: Rules): boolean {
		return rules.filter(isFusible).length >= PAYS_FROM;
	}

	get words(): number {
		return this.#words.length;
	}

	/** Makes a function ahead of the first request that comes to it. */
	open(word: number): void {
		const rules = this.#words[word];
		if (rules !== undefined) this.#runs[word] ??= fusePredicates(rules);
	}

	/** Hot. A bit for each of the rules 32·word to 32·word + 31, set if it applies or has to be asked by itself. */
	mask(word: number, attributes: Attributes): number {
		const rules = this.#words[word];
		if (rules === undefined) return -1;
		this.#runs[word] ??= fusePredicates(rules);
		const run = this.#runs[word];
		return run === undefined ? -1 : evaluateFused(run, attributes);
	}
}

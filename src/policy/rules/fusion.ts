/**
 * Rules that no guard lets be passed over, asked 32 in one function instead of one by one: where hundreds of
 * rules don't apply, coming to each one's own function is most of the work. Made by `compile.ts`, asked by
 * `rule-index.ts` when it comes to them.
 */
import type { Attributes } from "../../cel/attributes.ts";
import { evaluateFused } from "../../cel/evaluation.ts";
import type { Predicate } from "../../cel/expression.ts";
import { FUSED_RULES, type FusedRun } from "../../cel/lower/fuse.ts";
import { fusePredicates, isFusible } from "../../cel/program.ts";

type Rules = readonly (readonly Predicate[])[];

/** Rules from which one function is quicker than one each; making it takes some 0.2 ms for 32 */
const PAYS_FROM = 8;

export class RuleFusion {
	/** for each word of rules; made when first asked */
	readonly #runs: (FusedRun | undefined)[] = [];
	readonly #words: readonly (Rules | undefined)[];

	/** @param rules in order; those that need not be asked here are empty */
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

	/** Hot. Bits of the rules 32·word to 32·word + 31: those that apply, and those that have to be asked. */
	mask(word: number, attributes: Attributes): number {
		const rules = this.#words[word];
		if (rules === undefined) return -1;
		this.#runs[word] ??= fusePredicates(rules);
		const run = this.#runs[word];
		return run === undefined ? -1 : evaluateFused(run, attributes);
	}
}

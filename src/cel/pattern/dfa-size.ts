/**
 * The size of a pattern's automaton, found by making all of its states once; `dfa.ts` makes only the states that
 * texts ask for. The time of a search follows from the size. Called by `prepare.ts` when a pattern is compiled.
 */
import { MADE_FREELY } from "./dfa-cost.ts";
import type { Nfa } from "./nfa.ts";
import { type KeptSet, NfaSteps } from "./nfa-steps.ts";

export interface AutomatonSize {
	/** of the non-deterministic automaton: a step that keeps no state looks at each of them */
	readonly instructions: number;
	/** has it few enough transitions for a single search to make all of them? Then letters cost a look-up each */
	readonly isSmall: boolean;
}

/** instructions looked at before a pattern counts as large: some 0.5 ms */
const MOST_WORK = 120_000;

export const automatonSize = (nfa: Nfa): AutomatonSize => ({
	instructions: nfa.size,
	isSmall: isSmall(nfa),
});

function isSmall(nfa: Nfa): boolean {
	const letters = nfa.alphabet.size + 1;
	const steps = new NfaSteps(nfa);
	const seen = new Set<string>();
	const states: KeptSet[] = [];
	const add = (): void => {
		if (steps.matched || steps.length === 0) return;
		const set = steps.kept();
		if (seen.has(set.key)) return;
		seen.add(set.key);
		states.push(set);
	};
	steps.begin();
	add();
	let work = 0;
	for (const state of states) {
		if (states.length * letters > MADE_FREELY) return false;
		for (let letter = 0; letter < letters; letter++) {
			steps.resume(state);
			steps.step(letter);
			add();
			work += steps.work;
		}
		if (work > MOST_WORK) return false;
	}
	return true;
}

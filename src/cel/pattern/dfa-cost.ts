/**
 * Nanoseconds of a search by an automaton (`dfa.ts`), measured (`npm run bench:patterns`): its own charges, and the
 * parts of its upper bound. Used by `cost.ts`, `dfa.ts` and `dfa-size.ts`.
 */

/** a call; a letter looked up in the table */
export const CALL_NS = 150;
export const LETTER_NS = 3;
/** making a transition; a step without keeping it; an instruction that either looks at */
export const MADE_NS = 600;
export const STEP_NS = 15;
export const WORK_NS = 3;

/** transitions that a search may make, and letters that each further one needs: else it keeps nothing any more */
export const MADE_FREELY = 2048;
export const LETTERS_FOR_ONE = 8;

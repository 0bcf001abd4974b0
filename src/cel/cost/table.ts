/**
 * Nanoseconds that the parts of an evaluation take at most. `cost/walk.ts` adds them up before there is a request;
 * lowered code charges them while it runs (`budget.ts`). The costs of functions stand with their definitions
 * (`library/`). None of these figures is below what the operator charges.
 *
 * Measured on an AMD EPYC with Node 20.20: a turn of a loop with its charge takes 6, hashing a character 3.1,
 * comparing or copying one 0.04. The figures are rounded up, since a bound that holds is worth more here than one
 * that is close: `node bench/cost.mjs` measures expressions over the largest requests, which take 1 to 78 % of their
 * estimates.
 */

/** one turn of a loop, beside what is done in it */
export const LOOP_TURN = 10;

/** any operator, literal or name */
export const NODE = 5;
/** arithmetic on ints that may not fit into numbers, and on values of unknown type */
export const ARITHMETIC = 60;
/** a choice between overloads */
export const DISPATCH = 200;
/** a failure, thrown, that another operand may make up for */
export const FAILURE = 2000;
/** an element of a list, and an entry of a map, that is put there */
export const ELEMENT = 15;
/** a list of its own, its memory included: one made at each turn may be kept, and a thread has 256 MB */
export const LIST = 150;
export const ENTRY = 150;
/** a look-up in a map, in a request's headers among others, and a character of its key */
export const LOOK_UP = 200;
export const KEY_CHARACTER = 3.5;
/** the platform hashes no more characters of a text */
export const HASHED_CHARACTERS = 16_383;
/** a character of a text that is put together, and an element or byte that is copied */
export const COPIED_CHARACTER = 0.5;
export const COPIED_ELEMENT = 12;

/** What looking through a whole value takes: for each element and entry in it, and for each character. */
export interface Walk {
	readonly element: number;
	readonly character: number;
}
export const EQUALITY: Walk = { element: 150, character: 0.5 };
/** `<` and its like; a character may be compared alone */
export const ORDER: Walk = { element: 0, character: 9 };
export const MEMBERSHIP: Walk = { element: 180, character: 0.5 };
export const AS_JSON: Walk = { element: 1800, character: 10 };
export const AS_FORMATTED: Walk = { element: 3000, character: 30 };
export const AS_SET_MEMBER: Walk = { element: 2000, character: 8 };
/** for each element of a list, a character of the text that is looked for in it */
export const MEMBER_CHARACTER = 0.1;

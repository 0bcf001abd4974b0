/**
 * A compiled pattern as plain data, which can be cloned to other threads. `prepare.ts` makes it, `engines.ts`
 * runs it, `cost.ts` says how long a search takes.
 */
import type { AutomatonSize } from "./dfa-size.ts";

/** For V8, instead of the pattern: for texts up to a length. */
export interface V8Program {
	/** of a RegExp without flags */
	readonly source: string;
	/** means the same in texts without lone surrogates only */
	readonly wellFormedOnly: boolean;
	/** UTF-16 units of the longest text for which the steps of a search are within bounds */
	readonly longestText: number;
	/** the most steps on a text of up to 2 ** index units, up to the longest text */
	readonly steps: readonly number[];
}

export interface PatternProgram {
	/** as written, in RE2 syntax; what V8 can't be given is run from it */
	readonly original: string;
	/** to find out whether there is a match; undefined: not by V8 */
	readonly test: V8Program | undefined;
	/** of the automaton that finds it out where V8 doesn't (`matchAutomaton`); undefined: RE2 does */
	readonly automaton: AutomatonSize | undefined;
	/** to find all matches with their groups; undefined: RE2 only */
	readonly replace: V8Program | undefined;
	readonly groupCount: number;
	/** numbers count from 1 */
	readonly groupNames: ReadonlyMap<string, number>;
	/** of RE2's program, repetitions written out; RE2's run time grows with them */
	readonly instructions: number;
	/** UTF-16 units from the begin of a match to that of the next at least; Infinity: one match at most */
	readonly matchesApart: number;
}

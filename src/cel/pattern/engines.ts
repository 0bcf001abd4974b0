/**
 * Runs a compiled pattern. Whether there is a match is found by V8 if the program allows it for a text of this
 * length, else by the automaton of `dfa.ts`, else by RE2. All matches with their groups are found by V8 or RE2.
 * Each engine is made when it is first needed. Called by `pattern.ts`.
 */
import { setFlagsFromString } from "node:v8";
import { LIMITS } from "../../limits/limits.ts";
import { Cache } from "../cache.ts";
import type { Matches, Pattern, Replacement } from "../expression.ts";
import { replaceCost } from "./cost.ts";
import { Dfa } from "./dfa.ts";
import { matchAutomaton } from "./prepare.ts";
import type { PatternProgram, V8Program } from "./program.ts";
import { compileRe2, Re2Pattern } from "./re2.ts";
import { findAll, replaceAll, replaceMatches } from "./replacing.ts";

declare global {
	interface String {
		/** no lone surrogates; V8 has it since Node 20, the ES2023 library of TypeScript doesn't */
		isWellFormed(): boolean;
	}
}

/**
 * A net for the case that a bound on the steps is wrong: a search that backtracks more often than any
 * bound admits goes on in V8's linear engine, where that can run it, instead of without end: `^(?:a+)+$` on
 * 60 characters ends after 1.5 s. For the whole process; searches that do nothing but backtrack take a
 * tenth longer, others the same (node 20.20, `(a|b)*c` on 600 characters 0.75 ms for 0.68).
 */
setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");
setFlagsFromString(`--regexp-backtracks-before-fallback=${LIMITS.patternBacktracks}`);

const opened = new Cache<Pattern>(LIMITS.openPatterns);

/** Cheap if the same pattern has been opened lately. */
export function openPattern(program: PatternProgram): Pattern {
	return opened.get(program.original) ?? opened.put(program.original, new OpenPattern(program));
}

/** takes the place of an engine that is missing, so that all patterns have one shape for V8 */
const UNUSED = /(?:)/;

class OpenPattern implements Pattern {
	readonly #program: PatternProgram;
	/** for `test`: the longest text it may be given, less than 0 for none */
	readonly #regexp: RegExp;
	readonly #longestText: number;
	readonly #wellFormedOnly: boolean;
	/** for `replace` and for `findAll`, when first needed */
	#global: RegExp | undefined;
	#indexed: RegExp | undefined;
	#dfa: Dfa | undefined;
	#re2: Re2Pattern | undefined;

	constructor(program: PatternProgram) {
		this.#program = program;
		this.#regexp = program.test === undefined ? UNUSED : new RegExp(program.test.source);
		this.#longestText = program.test?.longestText ?? -1;
		this.#wellFormedOnly = program.test?.wellFormedOnly ?? true;
	}

	get groupCount(): number {
		return this.#program.groupCount;
	}

	get groupNames(): ReadonlyMap<string, number> {
		return this.#program.groupNames;
	}

	/** Hot. */
	test(text: string): boolean {
		if (text.length <= this.#longestText && (!this.#wellFormedOnly || text.isWellFormed())) {
			try {
				return this.#regexp.test(text);
			} catch {
				// V8's stack of backtracks, 64 MB, was full
			}
		}
		if (this.#program.automaton === undefined) return this.#compiledRe2().test(text);
		return (this.#dfa ?? this.#madeDfa()).test(text);
	}

	replace(text: string, replacement: Replacement, matches?: Matches): string {
		if (matches !== undefined) return replaceMatches(text, replacement, matches, this.groupCount);
		const program = this.#replaceProgram(text);
		if (program !== undefined) {
			this.#global ??= new RegExp(program.source, "g");
			const replaced = replaceAll(this.#global, text, replacement);
			if (replaced !== undefined) return replaced;
		}
		return this.#compiledRe2().replace(text, replacement);
	}

	replaceCost(text: string): number {
		return replaceCost(this.#program, this.#replaceProgram(text), text.length);
	}

	findAll(text: string, most: number, goesOn: () => boolean): Matches | undefined {
		const program = this.#replaceProgram(text);
		if (program !== undefined) {
			this.#indexed ??= new RegExp(program.source, "dg");
			const found = findAll(this.#indexed, text, most);
			if (found !== undefined) return found;
		}
		// RE2 searches all the rest once for each match, and for groups once more: the automaton knows if there is none
		if (this.#program.automaton !== undefined && !(this.#dfa ?? this.#madeDfa()).test(text))
			return [];
		return this.#compiledRe2().findAll(text, most, goesOn);
	}

	/** What V8 is given to find all matches in the text; undefined: RE2 finds them. */
	#replaceProgram(text: string): V8Program | undefined {
		const program = this.#program.replace;
		return program !== undefined && isFor(program, text) ? program : undefined;
	}

	#madeDfa(): Dfa {
		const nfa = matchAutomaton(this.#program.original);
		if (nfa === undefined) throw new Error("a pattern without an automaton");
		this.#dfa = new Dfa(nfa, this.#program.automaton?.isSmall ?? false);
		return this.#dfa;
	}

	#compiledRe2(): Re2Pattern {
		if (this.#re2 === undefined) {
			const compiled = compileRe2(this.#program.original);
			if (!(compiled instanceof Re2Pattern)) throw new Error(compiled.message);
			this.#re2 = compiled;
		}
		return this.#re2;
	}
}

const isFor = ({ longestText, wellFormedOnly }: V8Program, text: string): boolean =>
	text.length <= longestText && (!wellFormedOnly || text.isWellFormed());

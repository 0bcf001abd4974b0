/**
 * Runs a pattern's program: V8 where the program allows it for the text at hand, else RE2, which is compiled
 * when first needed. Called by `pattern.ts`.
 */
import { setFlagsFromString } from "node:v8";
import { LIMITS } from "../../limits.ts";
import type { Pattern } from "../expression.ts";
import { Cache } from "./cache.ts";
import type { PatternProgram, V8Program } from "./program.ts";
import { compileRe2, Re2Pattern } from "./re2.ts";

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

/** takes the place of what is not there, so that all patterns have one shape */
const UNUSED = /(?:)/;

class OpenPattern implements Pattern {
	readonly #program: PatternProgram;
	/** for `test`: the longest text it may be given, less than 0 for none */
	readonly #regexp: RegExp;
	readonly #longestText: number;
	readonly #wellFormedOnly: boolean;
	/** for `replace`, when first needed */
	#global: RegExp | undefined;
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
		return this.#compiledRe2().test(text);
	}

	replace(text: string, replacement: (groups: readonly (string | undefined)[]) => string): string {
		const program = this.#program.replace;
		if (program === undefined || !isFor(program, text)) {
			return this.#compiledRe2().replace(text, replacement);
		}
		this.#global ??= new RegExp(program.source, "g");
		const replaced = replaceAll(this.#global, text, replacement);
		return replaced ?? this.#compiledRe2().replace(text, replacement);
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

/**
 * From left to right, and no empty match directly behind another match, as RE2 does it.
 * @returns undefined if V8's stack of backtracks was full
 */
function replaceAll(
	regexp: RegExp,
	text: string,
	replacement: (groups: readonly (string | undefined)[]) => string,
): string | undefined {
	let replaced = "";
	let copied = 0;
	let previousEnd = -1;
	for (let from = 0; from <= text.length; ) {
		const match = executed(regexp, text, from);
		if (match === undefined) return undefined;
		if (match === null) break;
		const start = match.index;
		const end = start + match[0].length;
		from = end === start ? end + 1 : end;
		if (end === start && (start === previousEnd || isWithinPair(text, start))) continue;
		replaced += text.slice(copied, start) + replacement(match);
		copied = end;
		previousEnd = end;
	}
	return replaced + text.slice(copied);
}

/** `replacement` may have used the same RegExp: the place to go on from is told each time. */
function executed(regexp: RegExp, text: string, from: number): RegExpExecArray | null | undefined {
	regexp.lastIndex = from;
	try {
		return regexp.exec(text);
	} catch {
		return undefined;
	}
}

const isWithinPair = (text: string, index: number): boolean =>
	index > 0 && index < text.length && (text.codePointAt(index - 1) ?? 0) > 0xffff;

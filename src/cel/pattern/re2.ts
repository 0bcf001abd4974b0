/**
 * RE2 in JavaScript: judges whether a source is a valid pattern, and runs the patterns that V8 can't be given, in
 * linear time. The only file that imports re2js; called by `prepare.ts` and `engines.ts`.
 */
import { RE2JS } from "re2js";
import { quoted } from "../../documents/nearest.ts";
import type { Matches, Replacement } from "../expression.ts";
import { replaceMatches } from "./replacing.ts";

/** Why a pattern is refused. */
export interface PatternFault {
	/** one sentence */
	readonly message: string;
	/** UTF-16 offset into the pattern */
	readonly offset: number;
	/** it may be a pattern, but is beyond a bound of ours */
	readonly isTooLarge?: true;
}

export class Re2Pattern {
	readonly groupCount: number;
	readonly groupNames: ReadonlyMap<string, number>;
	/** instructions of its program, repetitions written out */
	readonly instructions: number;
	readonly #program: RE2JS;

	constructor(program: RE2JS) {
		this.#program = program;
		this.groupCount = program.groupCount();
		this.groupNames = new Map(Object.entries(program.namedGroups()));
		this.instructions = program.programSize();
	}

	test(text: string): boolean {
		return this.#program.test(text);
	}

	replace(text: string, replacement: Replacement): string {
		const found = this.findAll(text, Infinity, () => true) ?? [];
		return replaceMatches(text, replacement, found, this.groupCount);
	}

	/**
	 * From left to right, and no empty match directly behind another match.
	 * @param most matches at which the search ends
	 * @param goesOn asked before each search: at its worst each looks at all the rest of the text, which hardly any
	 * does, so the time that all of them take is not known beforehand
	 * @returns undefined if it was told not to go on
	 */
	findAll(text: string, most: number, goesOn: () => boolean): Matches | undefined {
		const matcher = this.#program.matcher(text);
		const found: number[] = [];
		let previousEnd = -1;
		for (let count = 0; count < most; ) {
			if (!goesOn()) return undefined;
			if (!matcher.find()) break;
			const start = matcher.start();
			const end = matcher.end();
			if (start === end && start === previousEnd) continue;
			for (let group = 0; group <= this.groupCount; group++) {
				found.push(matcher.start(group), matcher.end(group));
			}
			previousEnd = end;
			count++;
		}
		return found;
	}
}

export function compileRe2(source: string): Re2Pattern | PatternFault {
	try {
		return new Re2Pattern(RE2JS.compile(source));
	} catch (error) {
		return syntaxFault(source, error);
	}
}

/** The library's message, `error parsing regexp: what: \`where\``, as a sentence with a place. */
function syntaxFault(source: string, error: unknown): PatternFault {
	const text = error instanceof Error ? error.message : String(error);
	const match = /^error parsing regexp: (.*?)(?:: `(.*)`)?$/s.exec(text);
	const what = match?.[1] ?? text;
	const where = match?.[2];
	const at = where === undefined ? 0 : Math.max(0, source.indexOf(where));
	const hint = /Perl syntax|escape sequence: `\\[1-9]/.test(text)
		? "; RE2 has no look-around and no back-references"
		: "";
	const place = where === undefined ? "" : ` at ${quoted(where)}`;
	return { message: `the pattern is invalid: ${what}${place}${hint}`, offset: at };
}

/**
 * Patterns in RE2 syntax, matched in linear time: for `matches` in expressions, and for url-rewrite
 * through `compilePattern` (contract 4 and 5). The only file that imports re2js.
 */
import { RE2JS } from "re2js";
import { fail, ok } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { quoted } from "../nearest.ts";
import { Constant } from "./constant.ts";
import type { CompilePattern, Pattern } from "./expression.ts";
import { problemAt } from "./problem.ts";

export const compilePattern: CompilePattern = (source) => {
	const compiled = compileProgram(source);
	if (compiled instanceof RE2JS) return ok(new CompiledPattern(compiled));
	const { message } = compiled;
	return fail(problemAt(source, { offset: compiled.offset, code: "invalid_pattern", message }));
};

class CompiledPattern implements Pattern {
	readonly groupCount: number;
	readonly groupNames: ReadonlyMap<string, number>;
	readonly #program: RE2JS;

	constructor(program: RE2JS) {
		this.#program = program;
		this.groupCount = program.groupCount();
		this.groupNames = new Map(Object.entries(program.namedGroups()));
	}

	test(text: string): boolean {
		return this.#program.test(text);
	}

	/** As RE2 does it: from left to right, and no empty match directly behind another match. */
	replace(text: string, replacement: (groups: readonly (string | undefined)[]) => string): string {
		const matcher = this.#program.matcher(text);
		let replaced = "";
		let copied = 0;
		let previousEnd = -1;
		while (matcher.find()) {
			const start = matcher.start();
			const end = matcher.end();
			if (start === end && start === previousEnd) continue;
			const groups: (string | undefined)[] = [];
			for (let group = 0; group <= this.groupCount; group++) {
				groups.push(matcher.group(group) ?? undefined);
			}
			replaced += text.slice(copied, start) + replacement(groups);
			copied = end;
			previousEnd = end;
		}
		return replaced + text.slice(copied);
	}
}

interface PatternFault {
	readonly message: string;
	readonly offset: number;
}

function compileProgram(
	source: string,
	bytesMax: number = LIMITS.patternBytes,
): RE2JS | PatternFault {
	if (Buffer.byteLength(source) > bytesMax) {
		return { message: `the pattern has more than ${bytesMax} bytes`, offset: 0 };
	}
	let program: RE2JS;
	try {
		program = RE2JS.compile(source);
	} catch (error) {
		return syntaxFault(source, error);
	}
	if (program.programSize() > LIMITS.patternInstructions) {
		return { message: "the pattern is too large when its repetitions are written out", offset: 0 };
	}
	return program;
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

/** Compiled; what it is made of stays in this file. */
export type Program = RE2JS;

export type BakedPattern = Constant<Program> | PatternFault;

/** A pattern written in an expression, compiled with it. */
export function bakePattern(source: string): BakedPattern {
	const compiled = compileProgram(source);
	return compiled instanceof RE2JS ? new Constant(compiled) : compiled;
}

/** Hot. */
export const matchesBaked = (text: string, pattern: Constant<Program>): boolean =>
	pattern.value.test(text);

/** Patterns that come with requests, least recently used first. */
const dynamicPatterns = new Map<string, RE2JS>();

/** A pattern known only at run time; throws, which the evaluator makes a failure, if it is none. */
export function matchesDynamic(text: string, source: string): boolean {
	const program = dynamicPatterns.get(source) ?? compileProgram(source, LIMITS.dynamicPatternBytes);
	if (!(program instanceof RE2JS)) throw new Error(program.message);
	dynamicPatterns.delete(source);
	dynamicPatterns.set(source, program);
	if (dynamicPatterns.size > LIMITS.dynamicPatterns) {
		const [oldest] = dynamicPatterns.keys();
		if (oldest !== undefined) dynamicPatterns.delete(oldest);
	}
	return program.test(text);
}

/**
 * Patterns that ask for nothing but texts at the beginning, at the end or anywhere, as those on user agents mostly do:
 * `(?i)bot|crawler`, `^/wp-(?:login|admin)`. Called by `tests.ts`.
 */
import { asciiLowerCase } from "../../ascii.ts";
import type { Comparison } from "./test-tree.ts";

/** One of several, maybe between what is the same for all. */
const FORM = /^(\(\?i\))?(?:([^()|]*)\((?:\?:)?([^()]+)\)([^()|]*)|([^()]+))$/s;
/** Characters that mean themselves in RE2 syntax, or do with a backslash in front. */
const TEXT = /^(?:[A-Za-z0-9_ !"#%&',/:;<=>@`~-]|\\[^A-Za-z0-9\s])*$/;
const CHARACTERS = /^[ -~]*$/;
/** What `FORM` takes for a group or a bar, and is none. */
const ESCAPED_FORM = /\\[()|]/;

interface Alternative {
	readonly comparison: Exclude<Comparison, "present">;
	readonly text: string;
}

export interface LiteralAlternatives {
	/** the case of ASCII letters makes no difference; the texts are in lower case then */
	readonly folds: boolean;
	/** one of them has to match */
	readonly alternatives: readonly Alternative[];
}

/** @returns undefined for any other pattern */
export function literalsOf(pattern: string): LiteralAlternatives | undefined {
	const isPlain = CHARACTERS.test(pattern) && !ESCAPED_FORM.test(pattern);
	const match = isPlain ? FORM.exec(pattern) : null;
	if (match === null) return undefined;
	const [, flag, before = "", inside, behind = "", plain] = match;
	const alternatives: Alternative[] = [];
	for (const part of (inside ?? plain ?? "").split("|")) {
		const one = alternativeOf(`${before}${part}${behind}`);
		if (one === undefined) return undefined;
		alternatives.push(flag === undefined ? one : { ...one, text: asciiLowerCase(one.text) });
	}
	return { folds: flag !== undefined, alternatives };
}

function alternativeOf(source: string): Alternative | undefined {
	const begins = source.startsWith("^");
	const ends = source.endsWith("$") && !source.endsWith("\\$");
	const middle = source.slice(begins ? 1 : 0, ends ? -1 : undefined);
	if (middle === "" || !TEXT.test(middle)) return undefined;
	const text = middle.replace(/\\(.)/g, "$1");
	if (begins) return { comparison: ends ? "equals" : "starts", text };
	return { comparison: ends ? "ends" : "contains", text };
}

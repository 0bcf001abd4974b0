/**
 * Patterns that are plain text, as most of those that url-rewrites have: no engine has to be made for them, where an
 * ordinary pattern takes some 0.2 ms to compile. Called by `pattern.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Matches, Pattern, Replacement } from "../expression.ts";
import { replaceMatches } from "./replacing.ts";

/** Printable ASCII that means nothing but itself in RE2 syntax. */
const PLAIN = /^[\w !"#%&',/:;<=>@`~-]+$/;

/** nanoseconds of a call, of a character compared, and of a match that is replaced */
const CALL_NS = 100;
const COMPARISON_NS = 1;
const MATCH_NS = 110;

const NO_NAMES: ReadonlyMap<string, number> = new Map();

export const isLiteral = (source: string): boolean =>
	source.length <= LIMITS.literalPatternCharacters && PLAIN.test(source);

/** Matches the text `source` as the pattern of the same text would, `isLiteral` given. */
export class LiteralPattern implements Pattern {
	readonly groupCount = 0;
	readonly groupNames = NO_NAMES;
	readonly #text: string;

	constructor(source: string) {
		this.#text = source;
	}

	/** Hot. */
	test(text: string): boolean {
		return text.includes(this.#text);
	}

	replace(text: string, replacement: Replacement, matches?: Matches): string {
		if (matches !== undefined) return replaceMatches(text, replacement, matches, this.groupCount);
		// Not `replaceAll` with a function, which finds all matches first.
		const parts = text.split(this.#text);
		let replaced = parts[0] ?? "";
		for (let at = 1; at < parts.length; at++) replaced += replacement([this.#text]) + parts[at];
		return replaced;
	}

	/** The worst text makes every place look like a match up to its last character. */
	replaceCost(text: string): number {
		const { length } = this.#text;
		return (
			CALL_NS + text.length * length * COMPARISON_NS + Math.ceil(text.length / length) * MATCH_NS
		);
	}

	findAll(text: string, most: number): Matches {
		const found: number[] = [];
		const { length } = this.#text;
		let from = text.indexOf(this.#text);
		for (let left = most; from >= 0 && left > 0; left--) {
			found.push(from, from + length);
			from = text.indexOf(this.#text, from + length);
		}
		return found;
	}
}

/**
 * Parses RE2's syntax to a tree, for patterns that `re2.ts` has found valid. Rare constructs, and those whose
 * meaning depends on the version of Unicode (`\p`, `(?i)` beyond ASCII), are not parsed: the result is undefined
 * and RE2 runs the pattern. Called by `prepare.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import { caseFolded } from "./case-folding.ts";
import { PERL_CLASSES, POSIX_CLASSES } from "./classes.ts";
import { ALL, type CodePoints, codePoints, complement, NONE } from "./code-points.ts";
import { PatternCursor } from "./cursor.ts";
import { escapedCodePoint } from "./escapes.ts";
import { type Assertion, concat, EMPTY, type Node } from "./tree.ts";

interface Flags {
	/** `i`, `m`, `s`, `U` */
	readonly fold: boolean;
	readonly lines: boolean;
	readonly dotAll: boolean;
	readonly lazy: boolean;
}

const NO_FLAGS: Flags = { fold: false, lines: false, dotAll: false, lazy: false };
const NOT_NEWLINE = complement([0x0a, 0x0a]);

const NAMED_GROUP = /\(\?P?<[A-Za-z0-9_]+>/y;
const FLAG_GROUP = /\(\?([imsU]*)(?:-([imsU]+))?([:)])/y;
const QUANTIFIER = /[*+?]|\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}/y;
const PERL_CLASS = /\\([dswDSW])/y;
const POSIX_CLASS = /\[:(\^?)([a-z]+):\]/y;
const QUOTED = /\\Q([\s\S]*?)(?:\\E|$)/y;
const ASSERTIONS: readonly (readonly [string, Assertion])[] = [
	["\\A", "begin-text"],
	["\\z", "end-text"],
	["\\b", "word-boundary"],
	["\\B", "no-word-boundary"],
];

export function parsePattern(source: string): Node | undefined {
	return new Parser(source).parse();
}

class Parser {
	readonly #cursor: PatternCursor;
	#flags = NO_FLAGS;
	#captures = 0;
	#depth = 0;
	#givenUp = false;

	constructor(source: string) {
		this.#cursor = new PatternCursor(source);
	}

	parse(): Node | undefined {
		const tree = this.#alternatives();
		return this.#givenUp || !this.#cursor.atEnd ? undefined : tree;
	}

	/** Ends the parse: nothing is left to read. */
	#giveUp(): Node {
		this.#givenUp = true;
		this.#cursor.index = this.#cursor.source.length;
		return EMPTY;
	}

	#alternatives(): Node {
		const parts = [this.#sequence()];
		while (this.#cursor.take("|")) parts.push(this.#sequence());
		return parts.length === 1 ? (parts[0] ?? EMPTY) : { kind: "alternate", parts };
	}

	#sequence(): Node {
		const cursor = this.#cursor;
		const parts: Node[] = [];
		while (!cursor.atEnd && !cursor.at("|") && !cursor.at(")")) {
			const start = cursor.index;
			// it would repeat what stands before a flag, or be no quantifier at all
			if (cursor.match(QUANTIFIER) !== undefined) return this.#giveUp();
			const atoms = this.#atoms();
			const last = atoms.pop();
			parts.push(...atoms);
			if (last !== undefined) parts.push(this.#quantified(last));
			if (cursor.index === start) return this.#giveUp();
		}
		return concat(parts);
	}

	#quantified(body: Node): Node {
		const quantifier = this.#cursor.match(QUANTIFIER);
		if (quantifier === undefined) return body;
		const [sign, least, comma, most] = quantifier;
		const greedy = this.#cursor.take("?") === this.#flags.lazy;
		if (least === undefined) {
			const min = sign === "+" ? 1 : 0;
			return { kind: "repeat", body, min, max: sign === "?" ? 1 : Infinity, greedy };
		}
		const min = Number(least);
		const max = comma === undefined ? min : most === undefined ? Infinity : Number(most);
		return { kind: "repeat", body, min, max, greedy };
	}

	/** What stands here; several for a quotation, none for flags. A quantifier is the last one's. */
	#atoms(): Node[] {
		const cursor = this.#cursor;
		if (cursor.at("(")) return this.#group();
		if (cursor.at("[")) return [this.#class()];
		if (cursor.at("\\")) return this.#escaped();
		if (cursor.take(".")) {
			return [{ kind: "set", set: this.#flags.dotAll ? ALL : NOT_NEWLINE }];
		}
		if (cursor.take("^")) return [this.#assertion(this.#flags.lines ? "begin-line" : "begin-text")];
		if (cursor.take("$")) return [this.#assertion(this.#flags.lines ? "end-line" : "end-text")];
		return [this.#literal(cursor.next())];
	}

	#group(): Node[] {
		const cursor = this.#cursor;
		const outside = this.#flags;
		if (this.#depth >= LIMITS.patternDepth) return [this.#giveUp()];
		let number: number | undefined;
		if (cursor.match(NAMED_GROUP) !== undefined) number = ++this.#captures;
		else if (cursor.at("(?")) {
			const flags = cursor.match(FLAG_GROUP);
			if (flags === undefined) return [this.#giveUp()];
			this.#setFlags(flags[1] ?? "", true);
			this.#setFlags(flags[2] ?? "", false);
			if (flags[3] === ")") return [];
		} else {
			cursor.take("(");
			number = ++this.#captures;
		}
		this.#depth++;
		const body = this.#alternatives();
		this.#depth--;
		this.#flags = outside;
		if (!cursor.take(")")) return [this.#giveUp()];
		return [number === undefined ? body : { kind: "capture", number, body }];
	}

	#setFlags(letters: string, on: boolean): void {
		const { fold, lines, dotAll, lazy } = this.#flags;
		this.#flags = {
			fold: letters.includes("i") ? on : fold,
			lines: letters.includes("m") ? on : lines,
			dotAll: letters.includes("s") ? on : dotAll,
			lazy: letters.includes("U") ? on : lazy,
		};
	}

	#escaped(): Node[] {
		const cursor = this.#cursor;
		for (const [written, what] of ASSERTIONS) {
			if (cursor.take(written)) return [this.#assertion(what)];
		}
		const quotation = cursor.match(QUOTED)?.[1];
		// a quantifier behind an empty quotation would be another's
		if (quotation === "") return [this.#giveUp()];
		if (quotation !== undefined) {
			return Array.from(quotation, (character) => this.#literal(character.codePointAt(0) ?? 0));
		}
		const named = this.#namedClass();
		if (named !== undefined) return [{ kind: "set", set: named }];
		cursor.take("\\");
		const codePoint = escapedCodePoint(cursor);
		return [codePoint === undefined ? this.#giveUp() : this.#literal(codePoint)];
	}

	#assertion = (what: Assertion): Node => ({ kind: "assertion", what });

	#literal = (codePoint: number): Node => ({
		kind: "set",
		set: this.#folded([codePoint, codePoint]),
	});

	#folded(set: CodePoints): CodePoints {
		if (!this.#flags.fold) return set;
		const folded = caseFolded(set);
		if (folded === undefined) this.#giveUp();
		return folded ?? NONE;
	}

	/** `\d`, `[:alpha:]`; a negated one holds what the folded one does not */
	#namedClass(): CodePoints | undefined {
		const perl = this.#cursor.match(PERL_CLASS)?.[1];
		if (perl !== undefined) {
			const set = this.#folded(PERL_CLASSES.get(perl.toLowerCase()) ?? NONE);
			return perl < "a" ? complement(set) : set;
		}
		const posix = this.#cursor.match(POSIX_CLASS);
		const members = POSIX_CLASSES.get(posix?.[2] ?? "");
		if (members === undefined) return undefined;
		return posix?.[1] === "^" ? complement(this.#folded(members)) : this.#folded(members);
	}

	#class(): Node {
		const cursor = this.#cursor;
		cursor.take("[");
		const isNegated = cursor.take("^");
		const members: number[] = [];
		for (let isFirst = true; isFirst || !cursor.at("]"); isFirst = false) {
			if (cursor.atEnd) return this.#giveUp();
			members.push(...(this.#namedClass() ?? this.#range()));
		}
		cursor.take("]");
		const set = codePoints(members);
		return { kind: "set", set: isNegated ? complement(set) : set };
	}

	#range(): CodePoints {
		const cursor = this.#cursor;
		const first = this.#classCharacter();
		if (!cursor.at("-") || cursor.at("-]")) return this.#folded([first, first]);
		cursor.take("-");
		return this.#folded([first, this.#classCharacter()]);
	}

	#classCharacter(): number {
		if (!this.#cursor.take("\\")) return this.#cursor.next();
		const codePoint = escapedCodePoint(this.#cursor);
		if (codePoint === undefined) this.#giveUp();
		return codePoint ?? 0;
	}
}

/**
 * Splits an expression into tokens, as the CEL specification's syntax section defines them. Called by
 * `parse.ts`; `template.ts` uses `skipString` to find where an expression inside a text ends.
 */
import type { Fault } from "../problem.ts";
import { decodeBytes, decodeString, type LiteralFault } from "./literal.ts";
import { readNumber } from "./number.ts";
import type { Token } from "./token.ts";

export type Tokens =
	| { readonly ok: true; readonly tokens: readonly Token[] }
	| { readonly ok: false; readonly fault: Fault };

export function tokenize(source: string): Tokens {
	const tokens: Token[] = [];
	let at = skipSpace(source, 0);
	while (at < source.length) {
		const next = nextToken(source, at);
		if ("code" in next) return { ok: false, fault: next };
		tokens.push(next);
		at = skipSpace(source, next.end);
	}
	tokens.push({ kind: "end", text: "", value: "", start: source.length, end: source.length });
	return { ok: true, tokens };
}

/** The kinds of token that a character can start. No token starts with a character beyond ASCII. */
const OTHER = 0;
const SPACE = 1;
const LETTER = 2;
const DIGIT = 3;
const QUOTE = 4;
const SYMBOL = 5;

const STARTS = new Uint8Array(128);
const mark = (characters: string, start: number): void => {
	for (const character of characters) STARTS[character.charCodeAt(0)] = start;
};
mark("\t\n\f\r ", SPACE);
mark("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", LETTER);
mark("0123456789", DIGIT);
mark("'\"", QUOTE);
mark("-+*/%<>!?:.,()[]{}&|=", SYMBOL);

const startAt = (source: string, at: number): number => STARTS[source.charCodeAt(at)] ?? OTHER;

/** The symbols as they are compared with: one string each. */
const ONE = new Map([..."-+*/%<>!?:.,()[]{}"].map((symbol) => [symbol.charCodeAt(0), symbol]));
const TWO = ["&&", "||", "==", "!=", "<=", ">="];

/** `b`, `B`, `r`, `R` */
const MAY_BE_PREFIX: ReadonlySet<number> = new Set([0x62, 0x42, 0x72, 0x52]);

function nextToken(source: string, at: number): Token | Fault {
	switch (startAt(source, at)) {
		case LETTER: {
			const prefix = MAY_BE_PREFIX.has(source.charCodeAt(at))
				? stringPrefix(source, at)
				: undefined;
			if (prefix !== undefined) return stringToken(source, at, prefix);
			const end = nameEnd(source, at);
			return { kind: "identifier", text: source.slice(at, end), value: "", start: at, end };
		}
		case DIGIT:
			return readNumber(source, at);
		case QUOTE:
			return stringToken(source, at, 0);
		case SYMBOL:
			return symbolToken(source, at);
		default:
			return quotedName(source, at) ?? strayCharacter(source, at);
	}
}

function symbolToken(source: string, at: number): Token | Fault {
	const second = source.charCodeAt(at + 1);
	// "=", "&" or "|" again, or a digit behind a dot
	if (second === 0x3d || second === 0x26 || second === 0x7c) {
		const two = TWO.find((symbol) => source.startsWith(symbol, at));
		if (two !== undefined) return { kind: "symbol", text: two, value: "", start: at, end: at + 2 };
	}
	const first = source.charCodeAt(at);
	if (first === 0x2e && startAt(source, at + 1) === DIGIT) return readNumber(source, at);
	const one = ONE.get(first);
	return one === undefined
		? strayCharacter(source, at)
		: { kind: "symbol", text: one, value: "", start: at, end: at + 1 };
}

function strayCharacter(source: string, at: number): Fault {
	const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
	const words: Readonly<Record<string, string>> = {
		"=": 'unexpected "="; equality is written "=="',
		"&": 'unexpected "&"; "and" is written "&&"',
		"|": 'unexpected "|"; "or" is written "||"',
	};
	const message = words[character] ?? `unexpected character ${JSON.stringify(character)}`;
	return { offset: at, code: "expression_syntax", message };
}

/** Behind white space and comments. */
function skipSpace(source: string, from: number): number {
	let at = from;
	for (;;) {
		while (startAt(source, at) === SPACE) at++;
		if (source.charCodeAt(at) !== 0x2f || source.charCodeAt(at + 1) !== 0x2f) return at;
		at += 2;
		while (at < source.length && source[at] !== "\n" && source[at] !== "\r") at++;
	}
}

function nameEnd(source: string, from: number): number {
	let at = from + 1;
	for (;;) {
		const start = startAt(source, at);
		if (start !== LETTER && start !== DIGIT) return at;
		at++;
	}
}

const QUOTED_NAME = /`([a-zA-Z0-9_./ -]+)`/y;

function quotedName(source: string, at: number): Token | undefined {
	QUOTED_NAME.lastIndex = at;
	const match = QUOTED_NAME.exec(source);
	if (match === null) return undefined;
	return { kind: "quoted", text: match[1] ?? "", value: "", start: at, end: QUOTED_NAME.lastIndex };
}

/** How many letters stand before the quote of a string literal: `b`, `r` or both; undefined if it is none. */
function stringPrefix(source: string, at: number): number | undefined {
	let length = 0;
	if (/[bB]/.test(source[at] ?? "")) length++;
	if (/[rR]/.test(source[at + length] ?? "")) length++;
	return startAt(source, at + length) === QUOTE ? length : undefined;
}

function stringToken(source: string, at: number, prefixLength: number): Token | Fault {
	const prefix = source.slice(at, at + prefixLength).toLowerCase();
	const isRaw = prefix.endsWith("r");
	const quote = quoteAt(source, at + prefixLength);
	const bodyStart = at + prefixLength + quote.length;
	const end = stringEnd(source, bodyStart, quote, isRaw);
	if (end === undefined) {
		const message = `the string that starts here is not closed with ${quote}`;
		return { offset: at, code: "expression_syntax", message };
	}
	const body = source.slice(bodyStart, end - quote.length);
	if (prefix.startsWith("b")) {
		const bytes = decodeBytes(body, isRaw);
		if (!(bytes instanceof Uint8Array)) return inString(bytes, bodyStart);
		return { kind: "bytes", text: "", value: bytes, start: at, end };
	}
	const text = decodeString(body, isRaw);
	if (typeof text !== "string") return inString(text, bodyStart);
	return { kind: "string", text: "", value: text, start: at, end };
}

const inString = ({ message, offset }: LiteralFault, bodyStart: number): Fault => ({
	offset: bodyStart + offset,
	code: "expression_syntax",
	message,
});

function quoteAt(source: string, at: number): string {
	const quote = source[at] ?? "";
	const three = quote.repeat(3);
	return source.startsWith(three, at) ? three : quote;
}

/**
 * Where a string literal ends, closing quote included; undefined if it doesn't. One that is opened with
 * a single quote character must end on its line.
 */
function stringEnd(
	source: string,
	bodyStart: number,
	quote: string,
	isRaw: boolean,
): number | undefined {
	for (let at = bodyStart; at < source.length; at++) {
		const character = source[at];
		if (character === "\\" && !isRaw) at++;
		else if (source.startsWith(quote, at)) return at + quote.length;
		else if (quote.length === 1 && (character === "\n" || character === "\r")) return undefined;
	}
	return undefined;
}

/** If a string literal starts at `at`: the offset behind it, or the end of the text if it isn't closed. */
export function skipString(source: string, at: number): number | undefined {
	const prefixLength = stringPrefix(source, at);
	if (prefixLength === undefined) return undefined;
	const isRaw = prefixLength > 0 && /[rR]/.test(source[at + prefixLength - 1] ?? "");
	const quote = quoteAt(source, at + prefixLength);
	const bodyStart = at + prefixLength + quote.length;
	return stringEnd(source, bodyStart, quote, isRaw) ?? source.length;
}

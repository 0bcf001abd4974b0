/**
 * Splits an expression into tokens, as the CEL specification's syntax section defines them. Called by
 * `parse.ts`; `template.ts` uses `stringEnd` to find where an expression inside a text ends.
 */

import type { Fault } from "../problem.ts";
import { decodeBytes, decodeString } from "./literal.ts";

export type TokenKind =
	| "identifier"
	| "quoted"
	| "int"
	| "uint"
	| "double"
	| "string"
	| "bytes"
	| "symbol"
	| "end";

export interface Token {
	readonly kind: TokenKind;
	/** as written; for `quoted` the name without its backticks */
	readonly text: string;
	readonly value: string | bigint | number | Uint8Array;
	readonly start: number;
}

export type Tokens =
	| { readonly ok: true; readonly tokens: readonly Token[] }
	| { readonly ok: false; readonly fault: Fault };

const SPACE = /(?:[\t\n\f\r ]+|\/\/[^\r\n]*)*/y;
const NUMBER =
	/0[xX](?<hex>[0-9a-fA-F]+)(?<hexUnsigned>[uU])?|(?:[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)|(?<digits>[0-9]+)(?<unsigned>[uU])?/y;
const NAME = /[_a-zA-Z][_a-zA-Z0-9]*/y;
const QUOTED_NAME = /`([a-zA-Z0-9_./ -]+)`/y;
const SYMBOL = /&&|\|\||==|!=|<=|>=|[-+*/%<>!?:.,()[\]{}]/y;
const STRING_START = /(?<bytes>[bB])?(?<raw>[rR])?(?<quote>"""|'''|"|')/y;

const INT_MAX = 9223372036854775807n;
const UINT_MAX = 18446744073709551615n;

/** The magnitude of the smallest int is one above `INT_MAX`; the parser admits it behind a minus only. */
export const INT_MIN_MAGNITUDE = INT_MAX + 1n;

export function tokenize(source: string): Tokens {
	const tokens: Token[] = [];
	let at = endOf(SPACE, source, 0);
	while (at < source.length) {
		const next = nextToken(source, at);
		if ("code" in next) return { ok: false, fault: next };
		tokens.push(next.token);
		at = endOf(SPACE, source, next.end);
	}
	tokens.push({ kind: "end", text: "", value: "", start: source.length });
	return { ok: true, tokens };
}

interface Lexed {
	readonly token: Token;
	readonly end: number;
}

function nextToken(source: string, at: number): Lexed | Fault {
	const string = matchAt(STRING_START, source, at);
	if (string !== null) return stringToken(source, at, string);
	const number = matchAt(NUMBER, source, at);
	if (number !== null) return numberToken(at, number, source);
	const name = matchAt(NAME, source, at);
	if (name !== null) return lexed("identifier", name[0], name[0], at);
	const quoted = matchAt(QUOTED_NAME, source, at);
	if (quoted !== null) {
		const token: Token = { kind: "quoted", text: quoted[1] ?? "", value: "", start: at };
		return { token, end: at + quoted[0].length };
	}
	const symbol = matchAt(SYMBOL, source, at);
	if (symbol !== null) return lexed("symbol", symbol[0], "", at);
	return { offset: at, code: "expression_syntax", message: strayCharacter(source, at) };
}

function strayCharacter(source: string, at: number): string {
	const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
	if (character === "=") return 'unexpected "="; equality is written "=="';
	if (character === "&") return 'unexpected "&"; "and" is written "&&"';
	if (character === "|") return 'unexpected "|"; "or" is written "||"';
	return `unexpected character ${JSON.stringify(character)}`;
}

function stringToken(source: string, at: number, match: RegExpExecArray): Lexed | Fault {
	const bodyStart = at + match[0].length;
	const { bytes, raw, quote = "" } = match.groups ?? {};
	const end = stringEnd(source, bodyStart, quote, raw !== undefined);
	if (end === undefined) {
		const message = `the string that starts here is not closed with ${quote}`;
		return { offset: at, code: "expression_syntax", message };
	}
	const body = source.slice(bodyStart, end - quote.length);
	const decoded =
		bytes === undefined
			? decodeString(body, raw !== undefined)
			: decodeBytes(body, raw !== undefined);
	if (typeof decoded === "object" && "message" in decoded) {
		const { message, offset } = decoded;
		return { offset: bodyStart + offset, code: "expression_syntax", message };
	}
	const kind = bytes === undefined ? "string" : "bytes";
	return { token: { kind, text: source.slice(at, end), value: decoded, start: at }, end };
}

function numberToken(at: number, match: RegExpExecArray, source: string): Lexed | Fault {
	const text = match[0];
	const after = source[at + text.length];
	if (after !== undefined && /[_a-zA-Z0-9]/.test(after)) {
		const message = `${JSON.stringify(text + after)} is no number`;
		return { offset: at + text.length, code: "expression_syntax", message };
	}
	const { hex, hexUnsigned, digits, unsigned } = match.groups ?? {};
	if (hex === undefined && digits === undefined) {
		const value = Number(text);
		if (Number.isFinite(value)) return lexed("double", text, value, at);
		return { offset: at, code: "expression_syntax", message: `${text} does not fit into a double` };
	}
	const value = BigInt(hex === undefined ? (digits ?? "") : `0x${hex}`);
	const kind = (hexUnsigned ?? unsigned) === undefined ? "int" : "uint";
	if (value <= (kind === "int" ? INT_MIN_MAGNITUDE : UINT_MAX)) return lexed(kind, text, value, at);
	const message = `${text} does not fit into ${kind === "int" ? "an int" : "a uint"}`;
	return { offset: at, code: "expression_syntax", message };
}

const lexed = (kind: TokenKind, text: string, value: Token["value"], start: number): Lexed => ({
	token: { kind, text, value, start },
	end: start + text.length,
});

/**
 * Where a string literal ends, closing quote included; undefined if it doesn't. One that is opened with
 * a single quote character must end on its line.
 */
export function stringEnd(
	source: string,
	bodyStart: number,
	quote: string,
	raw: boolean,
): number | undefined {
	for (let at = bodyStart; at < source.length; at++) {
		const character = source[at];
		if (character === "\\" && !raw) at++;
		else if (source.startsWith(quote, at)) return at + quote.length;
		else if (quote.length === 1 && (character === "\n" || character === "\r")) return undefined;
	}
	return undefined;
}

/** If a string literal starts at `at`: the offset behind it, or the end of the text if it isn't closed. */
export function skipString(source: string, at: number): number | undefined {
	const match = matchAt(STRING_START, source, at);
	if (match === null) return undefined;
	const raw = match.groups?.raw !== undefined;
	const bodyStart = at + match[0].length;
	return stringEnd(source, bodyStart, match.groups?.quote ?? "", raw) ?? source.length;
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
	pattern.lastIndex = at;
	return pattern.exec(source);
}

function endOf(pattern: RegExp, source: string, at: number): number {
	return at + (matchAt(pattern, source, at)?.[0].length ?? 0);
}

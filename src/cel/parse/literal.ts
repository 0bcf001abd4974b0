/**
 * Decodes the escape sequences of string and bytes literals (CEL specification, "String and Bytes Values").
 * Called by `lexer.ts`.
 */

export interface LiteralFault {
	readonly message: string;
	/** from the literal's first character behind the quote */
	readonly offset: number;
}

const SIMPLE: Readonly<Record<string, string>> = {
	a: "\x07",
	b: "\b",
	f: "\f",
	n: "\n",
	r: "\r",
	t: "\t",
	v: "\v",
	"\\": "\\",
	"?": "?",
	'"': '"',
	"'": "'",
	"`": "`",
};

/** Half of a pair: no character of its own, and nothing that UTF-8 could carry. */
const LONE_SURROGATE = /\p{Surrogate}/u;

const NUMERIC = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))/y;

interface Escape {
	readonly text: string | undefined;
	/** set for numeric escapes: a code point in strings, a byte in bytes */
	readonly code: number;
	readonly isUnicode: boolean;
	readonly length: number;
}

export function decodeString(body: string, raw: boolean): string | LiteralFault {
	if (LONE_SURROGATE.test(body)) return { message: "the string holds half a character", offset: 0 };
	if (raw || !body.includes("\\")) return body;
	let decoded = "";
	let plainFrom = 0;
	for (let at = body.indexOf("\\"); at >= 0; at = body.indexOf("\\", plainFrom)) {
		const found = escapeAt(body, at);
		if (found === undefined) return badEscape(body, at);
		if (found.text === undefined && !isCharacter(found.code)) return badEscape(body, at);
		decoded += body.slice(plainFrom, at) + (found.text ?? String.fromCodePoint(found.code));
		plainFrom = at + found.length;
	}
	return decoded + body.slice(plainFrom);
}

export function decodeBytes(body: string, raw: boolean): Uint8Array | LiteralFault {
	if (LONE_SURROGATE.test(body)) return { message: "the bytes hold half a character", offset: 0 };
	if (raw || !body.includes("\\")) return new TextEncoder().encode(body);
	const bytes: number[] = [];
	let plainFrom = 0;
	for (let at = body.indexOf("\\"); at >= 0; at = body.indexOf("\\", plainFrom)) {
		const found = escapeAt(body, at);
		if (found === undefined || found.isUnicode) return badEscape(body, at);
		for (const byte of Buffer.from(body.slice(plainFrom, at))) bytes.push(byte);
		bytes.push(found.text === undefined ? found.code : found.text.charCodeAt(0));
		plainFrom = at + found.length;
	}
	for (const byte of Buffer.from(body.slice(plainFrom))) bytes.push(byte);
	return Uint8Array.from(bytes);
}

function escapeAt(body: string, at: number): Escape | undefined {
	const text = SIMPLE[body[at + 1] ?? ""];
	if (text !== undefined) return { text, code: 0, isUnicode: false, length: 2 };
	NUMERIC.lastIndex = at;
	const match = NUMERIC.exec(body);
	if (match === null) return undefined;
	const [whole, hex, short, long, octal] = match;
	const code =
		octal === undefined ? Number.parseInt(hex ?? short ?? long ?? "", 16) : parseInt(octal, 8);
	const isUnicode = short !== undefined || long !== undefined;
	return { text: undefined, code, isUnicode, length: whole.length };
}

const isCharacter = (code: number): boolean =>
	code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);

function badEscape(body: string, at: number): LiteralFault {
	const shown = JSON.stringify(body.slice(at, at + 2)).replaceAll("\\\\", "\\");
	const hint = /[a-zA-Z.]/.test(body[at + 1] ?? "")
		? "; in patterns write the backslash twice, or the string as r'…'"
		: "";
	return { message: `${shown} is no escape sequence${hint}`, offset: at };
}

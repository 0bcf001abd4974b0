/**
 * From bytes to text, for the formats that documents are written in, and the form in which they tell where a text
 * stops being one of them. Used by `json.ts`, `yaml.ts` and whoever reads documents.
 */
import { fail, ok, type Result } from "../errors.ts";
import { type Position, positionAt } from "./json-position.ts";

/** Where a text stops being JSON or YAML; line and column count from 1, columns in UTF-16 units. */
export interface SyntaxFault {
	/** one sentence, without the position */
	readonly message: string;
	readonly line: number;
	readonly column: number;
}

/** A document and the way back to its text. */
export interface ParsedText {
	readonly value: unknown;
	/**
	 * Where the RFC 6901 pointer leads: a member's name, or an element. A pointer to something that is
	 * missing leads to what it is missing from. Undefined if it is no pointer.
	 */
	positionOf(pointer: string): Position | undefined;
}

/** What is wrong at an offset of a text, while the position is of no use yet. */
export interface FaultAt {
	readonly message: string;
	readonly offset: number;
}

export const located = (text: string, { message, offset }: FaultAt): SyntaxFault => ({
	message,
	...positionAt(text, offset),
});

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Strict UTF-8; a byte order mark stays in the text. */
export function decodeText(bytes: Uint8Array): Result<string, SyntaxFault> {
	try {
		return ok(STRICT.decode(bytes));
	} catch {
		return fail(invalidUtf8(bytes));
	}
}

/** The first replacement character that the lenient decoder makes where the text has none of its own. */
function invalidUtf8(bytes: Uint8Array): SyntaxFault {
	const lenient = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
	const encoded = new TextEncoder().encode(lenient);
	let index = 0;
	while (index < bytes.length && bytes[index] === encoded[index]) index++;
	const before = new TextDecoder().decode(bytes.subarray(0, index)).replace(/\ufffd$/, "");
	return located(before, { message: "the text is not valid UTF-8", offset: before.length });
}

const UNPAIRED_SURROGATE = /\p{Surrogate}/u;

/** Half a character can be written as an escape, and neither stored nor sent. */
export const hasUnpairedSurrogate = (text: string): boolean => UNPAIRED_SURROGATE.test(text);

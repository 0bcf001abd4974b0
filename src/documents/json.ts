/**
 * Strict JSON for everything that comes from outside (contract 2, "Body"): the management API, `weir check`
 * and config files. What `JSON.parse` refuses is refused here, byte order marks included; on top of it
 * duplicate keys, `__proto__` keys, numbers that overflow, text that is not UTF-8, unpaired surrogates and
 * deep nesting. Nesting is bounded by a linear scan before any recursive parser sees the text.
 */
import { type Node, parseTree, visit } from "jsonc-parser";
import { fail, ok, type Result } from "../errors.ts";
import { LIMITS } from "../limits/limits.ts";
import { positionOfPointer } from "./json-position.ts";
import { strictFault } from "./json-strictness.ts";
import { decodeText, type FaultAt, located, type ParsedText, type SyntaxFault } from "./text.ts";

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Never throws. Time and memory are linear in the length of `bytes`. The tree of positions is built on first use. */
export function parseJson(bytes: Uint8Array): Result<ParsedText, SyntaxFault> {
	const decoded = decodeText(bytes);
	if (!decoded.ok) return decoded;
	const text = decoded.value;
	const fault = tooDeep(text) ?? blankOrMarked(text);
	if (fault !== undefined) return fail(located(text, fault));
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return fail(located(text, syntaxFault(text)));
	}
	const refused = strictFault(text);
	if (refused !== undefined) return fail(located(text, refused));
	let tree: Node | undefined;
	return ok({
		value,
		positionOf: (pointer) => {
			tree ??= parseTree(text);
			return tree && positionOfPointer(text, tree, pointer);
		},
	});
}

function blankOrMarked(text: string): FaultAt | undefined {
	if (text.startsWith("\ufeff")) {
		return { message: "the text starts with a byte order mark; JSON has none", offset: 0 };
	}
	return /[^ \t\r\n]/.test(text) ? undefined : { message: "the document is empty", offset: 0 };
}

/** Whether JSON is nested deeper than a document may be; it need not be well-formed. */
export const isTooDeep = (text: string): boolean => tooDeep(text) !== undefined;

function tooDeep(text: string): FaultAt | undefined {
	if (!opensMoreThan(LIMITS.jsonDepth, text)) return undefined;
	let depth = 0;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (code === QUOTE) index = endOfString(text, index);
		else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
			if (++depth > LIMITS.jsonDepth) {
				return { message: `nested deeper than ${LIMITS.jsonDepth} levels`, offset: index };
			}
		} else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
	}
	return undefined;
}

/** Counts wherever they stand: searching is much faster than looking at each character, and settles most documents. */
function opensMoreThan(most: number, text: string): boolean {
	let count = 0;
	for (const open of ["{", "["])
		for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at + 1))
			if (++count > most) return true;
	return false;
}

/** Index of the quote that ends the string starting at `start`, or the last index of the text. */
function endOfString(text: string, start: number): number {
	let index = start + 1;
	for (; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (code === BACKSLASH) index++;
		else if (code === QUOTE) return index;
	}
	return index;
}

const SYNTAX_MESSAGES: Readonly<Record<number, string>> = {
	1: "this is no JSON value",
	2: "this is no JSON number",
	3: "expected a member name in double quotes",
	4: "expected a value",
	5: 'expected ":" after the member name',
	6: 'expected ","',
	7: 'expected "}"; the object has no end',
	8: 'expected "]"; the list has no end',
	9: "unexpected text after the document",
	10: "comments are not allowed in JSON",
	12: "the string has no end",
	13: "the number is not complete",
	14: "invalid \\u escape in a string",
	15: "invalid escape in a string",
	16: "control character in a string; write it as an escape",
};

/** `JSON.parse` refused the text; the visitor says where. */
function syntaxFault(text: string): FaultAt {
	let first: FaultAt | undefined;
	visit(
		text,
		{
			onError: (code, offset) => {
				first ??= { message: SYNTAX_MESSAGES[code] ?? "this is not JSON", offset };
			},
		},
		{ disallowComments: true },
	);
	return first ?? { message: "this is not JSON", offset: text.length };
}

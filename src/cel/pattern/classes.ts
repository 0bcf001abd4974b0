/**
 * The classes that RE2 knows by name: `\d` and its kin, and `[:alpha:]` and its kin. All are of ASCII.
 * Called by the parser of patterns.
 */
import { type CodePoints, codePoints } from "./code-points.ts";

/** @param members single characters, and ranges written as `a-z` */
const setOf = (...members: readonly string[]): CodePoints =>
	codePoints(
		members.flatMap((member) => [
			member.charCodeAt(0),
			member.charCodeAt(member.length === 3 ? 2 : 0),
		]),
	);

const WORD = setOf("0-9", "A-Z", "_", "a-z");

/** `\s` without the vertical tab */
export const PERL_CLASSES: ReadonlyMap<string, CodePoints> = new Map([
	["d", setOf("0-9")],
	["s", setOf("\t", "\n", "\f", "\r", " ")],
	["w", WORD],
]);

export const POSIX_CLASSES: ReadonlyMap<string, CodePoints> = new Map([
	["alnum", setOf("0-9", "A-Z", "a-z")],
	["alpha", setOf("A-Z", "a-z")],
	["ascii", setOf("\u0000-\u007f")],
	["blank", setOf("\t", " ")],
	["cntrl", setOf("\u0000-\u001f", "\u007f")],
	["digit", setOf("0-9")],
	["graph", setOf("!-~")],
	["lower", setOf("a-z")],
	["print", setOf(" -~")],
	["punct", setOf("!-/", ":-@", "[-`", "{-~")],
	["space", setOf("\t-\r", " ")],
	["upper", setOf("A-Z")],
	["word", WORD],
	["xdigit", setOf("0-9", "A-F", "a-f")],
]);

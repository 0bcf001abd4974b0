/**
 * From the place where a problem sits to the text that an editor underlines: the name, the text in quotes or the plain
 * word that begins there, in JSON and in YAML. Used by `threads/policy-check.ts`.
 */
import type { Position } from "./json-position.ts";

/** Lines and columns count from 1, columns in UTF-16 units; the end is behind the last unit, on the same line. */
export interface TextRange extends Position {
	readonly endLine: number;
	readonly endColumn: number;
}

const QUOTED = /^(?:"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?)/;
/** to what divides names and values, or a comment */
const PLAIN = /^(?:[^\s:,[\]{}#]|:(?=\S)|[ \t]+(?![\s#:,[\]{}])|(?<=\S)#)+/;

/** At least one unit wide, so that it can be seen. */
export function rangeAt(text: string, { line, column }: Position): TextRange {
	const rest = lineOf(text, line).slice(column - 1);
	const [found = ""] = QUOTED.exec(rest) ?? PLAIN.exec(rest) ?? [];
	return { line, column, endLine: line, endColumn: column + Math.max(found.length, 1) };
}

/** As `positionAt` counts them: lines end with LF, CR LF or CR. */
function lineOf(text: string, line: number): string {
	const ends = /\r\n|\r|\n/g;
	let start = 0;
	for (let number = 1; number < line; number++) {
		if (ends.exec(text) === null) return "";
		start = ends.lastIndex;
	}
	const end = ends.exec(text);
	return text.slice(start, end?.index);
}

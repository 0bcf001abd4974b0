/**
 * Reads the comments of TypeScript, JavaScript and C++ for the rules of `citations.ts`. Comments are found as in
 * `imports.ts`: blocks and lines that begin a line, and line comments behind code. Of Markdown, what stands in
 * backticks is read in their place.
 */
import { posix } from "node:path";
import type { Source } from "./imports.ts";

export interface Comment {
	/** of the file in which it stands */
	readonly path: string;
	/** number of its first line, from 1 */
	readonly line: number;
	/** without its marks, its lines joined by blanks */
	readonly text: string;
}

const BLOCK = /^[\t ]*\/\*[\s\S]*?\*\//gm;
const LINES = /^[\t ]*\/\/.*(?:\n[\t ]*\/\/.*)*/gm;
const BEHIND_CODE = /[;,{}()\]][\t ]+\/\/ .*$/gm;

const MARKS = [/^[;,{}()\]]/, /^\s*\/\*\*?/, /\*\/\s*$/, /^\s*\/\/[/!<]?/, /^\s*\*(?!\/)/];

const withoutMarks = (comment: string): string =>
	comment
		.split("\n")
		.map((line) => MARKS.reduce((rest, mark) => rest.replace(mark, ""), line).trim())
		.join(" ")
		.trim();

/**
 * Names in backticks, each line's as one comment; not patterns of names such as `<name>.ts`. Paths that begin with
 * `../` are resolved, `/` at the end is dropped.
 */
function namesInMarkdown({ path, text }: Source): Comment[] {
	return text.split("\n").flatMap((line, index) => {
		const names = [...line.matchAll(/`([^`\s<*]+)`/g)].map(([, name = ""]) =>
			(name.startsWith("../") ? posix.join(posix.dirname(path), name) : name).replace(/\/$/, ""),
		);
		return names.length === 0 ? [] : [{ path, line: index + 1, text: names.join(" ") }];
	});
}

export function commentsOf(source: Source): Comment[] {
	if (source.path.endsWith(".md")) return namesInMarkdown(source);
	const { path, text } = source;
	return [BLOCK, LINES, BEHIND_CODE].flatMap((kind) =>
		[...text.matchAll(kind)].map((match) => ({
			path,
			line: text.slice(0, match.index).split("\n").length,
			text: withoutMarks(match[0]),
		})),
	);
}

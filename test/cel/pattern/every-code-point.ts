/**
 * What a class of a pattern holds, by RE2 and by our reading of it: around all bounds that classes have, or
 * with `ALL_CODE_POINTS=1` over all of Unicode. Never surrogates: in a text they are no characters.
 */
import { type CodePoints, intersection } from "../../../src/cel/pattern/code-points.ts";
import { compileRe2, Re2Pattern } from "../../../src/cel/pattern/re2.ts";
import { parsePattern } from "../../../src/cel/pattern/syntax.ts";

const COMPARED: CodePoints =
	process.env.ALL_CODE_POINTS === "1"
		? [0, 0xd7ff, 0xe000, 0x10ffff]
		: [0, 0x24f, 0x2100, 0x2140, 0xd7f0, 0xd7ff, 0xe000, 0xe00f].concat([
				0xfef0, 0x1001f, 0x1f5f0, 0x1f610, 0x10ffef, 0x10ffff,
			]);

const texts: { readonly first: number; readonly characters: string }[] = [];
for (let index = 0; index < COMPARED.length; index += 2) {
	const [first = 0, last = 0] = COMPARED.slice(index, index + 2);
	let characters = "";
	for (let codePoint = first; codePoint <= last; codePoint++) {
		characters += String.fromCodePoint(codePoint);
	}
	texts.push({ first, characters });
}

/** The ranges that RE2 finds. */
export function heldByRe2(source: string): CodePoints {
	const pattern = compileRe2(`(?:${source})+`);
	if (!(pattern instanceof Re2Pattern)) throw new Error(pattern.message);
	const found: number[] = [];
	for (const { first, characters } of texts) {
		let position = first;
		let from = 0;
		pattern.replace(characters, ([match = ""]) => {
			const start = characters.indexOf(match, from);
			position += [...characters.slice(from, start)].length;
			const count = [...match].length;
			found.push(position, position + count - 1);
			position += count;
			from = start + match.length;
			return "";
		});
	}
	return found;
}

/** The one set that the pattern is read as; undefined if it isn't read, or is more. */
export function heldByUs(source: string): CodePoints | undefined {
	const tree = parsePattern(source);
	return tree?.kind === "set" ? intersection(tree.set, COMPARED) : undefined;
}

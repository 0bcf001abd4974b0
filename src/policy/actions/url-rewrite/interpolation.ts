/**
 * Finds the end of a `${CEL expression}` inside a text. Used by `replacement.ts`, whose texts hold group references
 * around the expressions and so can't be given to the template compiler as a whole.
 */

const OPENING = /[{[(]/;
const CLOSING = /[}\])]/;
/** string and bytes literals with their prefixes; a raw one has no escapes */
const LITERAL_START = /([rRbB]{0,2})("""|'''|"|')/y;

/**
 * @param start index of the `$` in `${`
 * @returns index after the closing brace, or -1 if there is none
 */
export function endOfInterpolation(text: string, start: number): number {
	let depth = 0;
	let index = start + 1;
	while (index < text.length) {
		const literalEnd = endOfLiteral(text, index);
		if (literalEnd > index) {
			index = literalEnd;
			continue;
		}
		const character = text[index] ?? "";
		if (character === "/" && text[index + 1] === "/") {
			const rest = text.slice(index).search(/[\r\n]/);
			if (rest < 0) return -1;
			index += rest;
		}
		if (OPENING.test(character)) depth++;
		else if (CLOSING.test(character) && --depth <= 0) return character === "}" ? index + 1 : -1;
		index++;
	}
	return -1;
}

/** Index after the literal that starts at `index`; `index` if none starts there, the text's end if it never ends. */
function endOfLiteral(text: string, index: number): number {
	LITERAL_START.lastIndex = index;
	const match = LITERAL_START.exec(text);
	// a prefix letter that ends a name is no prefix
	if (match === null || (match[1] !== "" && /\w/.test(text[index - 1] ?? ""))) return index;
	const raw = /r/i.test(match[1] ?? "");
	const quote = match[2] ?? "";
	let position = LITERAL_START.lastIndex;
	while (position < text.length) {
		if (text.startsWith(quote, position)) return position + quote.length;
		position += !raw && text[position] === "\\" ? 2 : 1;
	}
	return text.length;
}

/**
 * Colours of a terminal, and texts that can't move its cursor. Used by the other files of this folder, and by those that print
 * what stands in documents.
 */

export interface Paint {
	good(text: string): string;
	bad(text: string): string;
	faint(text: string): string;
	strong(text: string): string;
}

const escaped =
	(code: number) =>
	(text: string): string =>
		`\u001b[${code}m${text}\u001b[0m`;

const COLOURED: Paint = {
	good: escaped(32),
	bad: escaped(31),
	faint: escaped(2),
	strong: escaped(1),
};

const plain = (text: string): string => text;
const PLAIN: Paint = { good: plain, bad: plain, faint: plain, strong: plain };

/** On a terminal, unless `NO_COLOR` is set (no-color.org) or it can do nothing. */
export const paintFor = (
	{ isTTY }: { readonly isTTY?: boolean },
	environment: Readonly<Record<string, string | undefined>>,
): Paint =>
	isTTY === true && !environment.NO_COLOR && environment.TERM !== "dumb" ? COLOURED : PLAIN;

/** Control characters as escapes, and those that turn the direction: what others wrote must not reach a terminal as it is. */
export const printable = (text: string): string =>
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
	text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) => {
		if (character === "\n") return "⏎";
		const code = character.charCodeAt(0).toString(16);
		return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, "0")}`;
	});

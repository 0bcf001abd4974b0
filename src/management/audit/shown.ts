/**
 * Texts of clients in audit lines: cut to a bound, and without characters that would change what a person sees of the
 * line around them. JSON escapes quotes, line breaks and the control characters below space; a terminal also obeys those
 * from DEL on, and marks of writing direction. Used by the files of this folder.
 */
const UNSEEN = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu;

/** @param characters at most so many; a longer text ends in `…` */
export function shown(text: string, characters: number): string {
	const cut = text.length > characters ? `${text.slice(0, characters - 1)}…` : text;
	return cut.replace(UNSEEN, "\ufffd").toWellFormed();
}

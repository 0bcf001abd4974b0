/**
 * Texts of clients in audit lines: cut to a bound, and without characters that would change what a person sees of the
 * line around them. JSON escapes quotes, line breaks and the control characters below space; a terminal also obeys those
 * from DEL on, and marks of writing direction. And times. Used by the files of this folder.
 */
const UNSEEN = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu;

/** of a character of two units, at the end */
const HALF = /[\ud800-\udbff]$/;

/** @param characters at most so many; a longer text ends in `…` */
export function shown(text: string, characters: number): string {
	const isLong = text.length > characters;
	const cut = isLong ? `${text.slice(0, characters - 1).replace(HALF, "")}…` : text;
	return cut.replace(UNSEEN, "\ufffd");
}

/** @param beganMs by `performance.now()` @returns milliseconds, to a tenth */
export const elapsedMs = (beganMs: number): number =>
	Math.round((performance.now() - beganMs) * 10) / 10;

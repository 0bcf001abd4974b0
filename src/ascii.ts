/**
 * Upper and lower case as protocols know them: of the ASCII letters, and of nothing else. The language's own
 * functions turn U+212A into `k` and U+0130 into two characters, so that `chun` + U+212A + `ed` would be a
 * transfer coding; they have no place where protocol text is read (`test/structure.test.ts`).
 */

const BEYOND_ASCII = /[\u0080-\uffff]/;
const UPPER = /[A-Z]+/g;
const LOWER = /[a-z]+/g;

/** The language's functions are exact, and faster, where there is nothing beyond ASCII. */
export const asciiLowerCase = (text: string): string =>
	BEYOND_ASCII.test(text)
		? text.replace(UPPER, (letters) => letters.toLowerCase())
		: text.toLowerCase();

export const asciiUpperCase = (text: string): string =>
	BEYOND_ASCII.test(text)
		? text.replace(LOWER, (letters) => letters.toUpperCase())
		: text.toUpperCase();

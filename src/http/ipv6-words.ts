/**
 * IPv6 texts as four numbers of 32 bits, without an object made on the way: for whoever asks for every request. Reads the
 * plain form, which is how weir spells clients' addresses; anything else is left to `ip-address.ts`, with which a test
 * compares it. Used by `address-set.ts`.
 */

const COLON = 58;
const WORDS = 8;

/** 16 bits each, of the last text; those behind a `::` are moved to the end */
const words = new Uint16Array(WORDS);

/**
 * Hot. @param into gets the numbers, if it returns true
 * @returns false: no address, or one with a zone or an IPv4 address at its end
 */
export function readIpv6(text: string, into: Uint32Array): boolean {
	const { length } = text;
	let count = 0;
	let gap = -1;
	let word = 0;
	let digits = 0;
	for (let at = 0; at < length; at++) {
		const unit = text.charCodeAt(at);
		if (unit !== COLON) {
			const digit = digitOf(unit);
			if (digit < 0 || digits === 4) return false;
			word = word * 16 + digit;
			digits++;
			continue;
		}
		if (digits > 0) {
			if (count === WORDS) return false;
			words[count++] = word;
			word = 0;
			digits = 0;
			if (at + 1 === length) return false;
		} else if (gap === count && at > 0) return false;
		else if (at === 0 && text.charCodeAt(1) !== COLON) return false;
		if (text.charCodeAt(at + 1) === COLON) {
			if (gap >= 0) return false;
			gap = count;
			at++;
		}
	}
	if (digits > 0) {
		if (count === WORDS) return false;
		words[count++] = word;
	}
	if (gap < 0 ? count !== WORDS : count >= WORDS) return false;
	if (gap >= 0) {
		const missing = WORDS - count;
		words.copyWithin(gap + missing, gap, count);
		words.fill(0, gap, gap + missing);
	}
	for (let at = 0; at < 4; at++)
		into[at] = (words[at * 2] ?? 0) * 65_536 + (words[at * 2 + 1] ?? 0);
	return true;
}

/** -1 for what is none. */
function digitOf(unit: number): number {
	if (unit >= 48 && unit <= 57) return unit - 48;
	const letter = unit | 32;
	return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

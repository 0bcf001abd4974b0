/**
 * Addresses and ranges for `inCidrRange` and `inCidrRanges` (contract 4). IPv4 addresses mapped into
 * IPv6 count as IPv4. Reads texts itself, by their units: libraries take 50 µs for an IPv6 address, and an
 * expression asks for every request; the tests hold it against one. And the one spelling that weir has for an
 * address.
 */
import { quoted } from "../documents/nearest.ts";

/** 16-bit words: two of IPv4, eight of IPv6. */
export type Address = readonly number[];

export interface Range {
	readonly network: Address;
	/** leading bits that count */
	readonly length: number;
	/** of IPv4: the network as 32 bits, and those of them that count; else 0 */
	readonly bits: number;
	readonly mask: number;
}

/** The sentence that says what is wrong with an address; undefined if nothing is. */
export const checkAddress = (text: string): string | undefined =>
	parseAddress(text) === undefined ? `${quoted(text)} is no IP address` : undefined;

export const checkRange = (text: string): string | undefined =>
	parseRange(text) === undefined
		? `${quoted(text)} is no address range; write one as "10.0.0.0/8" or "2001:db8::/32"`
		: undefined;

/** longest and shortest text of an IPv4 address, and longest of any, its zone included */
const IPV4_CHARACTERS = 15;
const IPV4_CHARACTERS_MIN = 7;
const ADDRESS_CHARACTERS = 100;
const ZERO = 48;
const DOT = 46;
const COLON = 58;

/** Hot. The 32 bits of an IPv4 address in four decimal parts; -1 for any other text. */
export function ipv4Number(text: string): number {
	const { length } = text;
	if (length < IPV4_CHARACTERS_MIN || length > IPV4_CHARACTERS) return -1;
	let address = 0;
	let part = -1;
	let dots = 0;
	for (let at = 0; at < length; at++) {
		const unit = text.charCodeAt(at);
		const digit = unit - ZERO;
		if (digit >= 0 && digit <= 9) {
			// no zero in front, which would be octal to some
			if (part === 0) return -1;
			part = part < 0 ? digit : part * 10 + digit;
			if (part > 255) return -1;
		} else {
			if (unit !== DOT || part < 0 || dots === 3) return -1;
			address = address * 256 + part;
			part = -1;
			dots++;
		}
	}
	return dots < 3 || part < 0 ? -1 : address * 256 + part;
}

/** Four decimal parts or RFC 4291 text, a zone ignored; no octal, hexadecimal or shortened forms. */
export function parseAddress(text: string): Address | undefined {
	if (text.length > ADDRESS_CHARACTERS) return undefined;
	const ipv4 = ipv4Number(text);
	if (ipv4 >= 0) return wordsOf(ipv4);
	const words = parseIpv6(text.replace(/%[\w.-]+$/, ""));
	return words !== undefined && isMapped(words) ? words.slice(6) : words;
}

const wordsOf = (ipv4: number): Address => [Math.floor(ipv4 / 65_536), ipv4 % 65_536];

/** Groups between colons; the last may be an IPv4 address, and `::` stands for at least one. */
function parseIpv6(text: string): Address | undefined {
	const words: number[] = [];
	let gap = -1;
	let at = 0;
	if (text.startsWith("::")) {
		gap = 0;
		at = 2;
	}
	while (at < text.length) {
		const start = at;
		let word = 0;
		let digit = hexadecimalDigit(text.charCodeAt(at));
		while (digit >= 0) {
			word = word * 16 + digit;
			digit = hexadecimalDigit(text.charCodeAt(++at));
		}
		if (text.charCodeAt(at) === DOT) {
			const embedded = ipv4Number(text.slice(start));
			if (embedded < 0) return undefined;
			words.push(...wordsOf(embedded));
			break;
		}
		if (at === start || at > start + 4) return undefined;
		words.push(word);
		if (at === text.length) break;
		if (text.charCodeAt(at++) !== COLON || at === text.length) return undefined;
		if (text.charCodeAt(at) === COLON) {
			if (gap >= 0) return undefined;
			gap = words.length;
			at++;
		}
	}
	const missing = WORDS - words.length;
	if (gap < 0) return missing === 0 ? words : undefined;
	if (missing < 1) return undefined;
	return [...words.slice(0, gap), ...ZEROS.slice(0, missing), ...words.slice(gap)];
}

const WORDS = 8;
const ZEROS: Address = new Array<number>(WORDS).fill(0);

/** -1 for what is none, and for NaN, behind the end of a text. */
function hexadecimalDigit(unit: number): number {
	if (unit >= ZERO && unit <= 57) return unit - ZERO;
	const letter = unit | 32;
	return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

const isMapped = (words: Address): boolean =>
	words[5] === 0xffff && words.slice(0, 5).every((word) => word === 0);

/** An address with a prefix length; bits behind it don't count. */
export function parseRange(text: string): Range | undefined {
	const match = /^([^/%]+)\/(0|[1-9]\d{0,2})$/.exec(text);
	const network = parseAddress(match?.[1] ?? "");
	if (match === null || network === undefined) return undefined;
	const isIpv4 = network.length === 2;
	const wasMapped = isIpv4 && text.includes(":");
	const length = Number(match[2]) - (wasMapped ? 96 : 0);
	if (length < 0 || length > network.length * 16) return undefined;
	const [high = 0, low = 0] = network;
	const bits = isIpv4 ? (high << 16) | low : 0;
	// a shift by 32 would be none
	const mask = isIpv4 && length > 0 ? -1 << (32 - length) : 0;
	return { network, length, bits, mask };
}

/** The rules of a policy ask about one address, the client's, one after the other. */
let lastText = "";
let lastNumber = -1;

/** Hot. Undefined if the text is no address; one of the other family is in no range. */
export function textInRanges(text: string, ranges: readonly Range[]): boolean | undefined {
	if (text !== lastText) {
		lastNumber = ipv4Number(text);
		lastText = text;
	}
	const ipv4 = lastNumber;
	if (ipv4 >= 0) return ipv4InRanges(ipv4, ranges);
	const address = parseAddress(text);
	return address === undefined ? undefined : inRanges(address, ranges);
}

function ipv4InRanges(address: number, ranges: readonly Range[]): boolean {
	for (const { network, bits, mask } of ranges) {
		if (((address ^ bits) & mask) === 0 && network.length === 2) return true;
	}
	return false;
}

export function inRanges(address: Address, ranges: readonly Range[]): boolean {
	for (const range of ranges) {
		if (address.length === range.network.length && isIn(address, range)) return true;
	}
	return false;
}

function isIn(address: Address, { network, length }: Range): boolean {
	const whole = length >> 4;
	for (let at = 0; at < whole; at++) {
		if (address[at] !== network[at]) return false;
	}
	const shift = 16 - (length & 15);
	return shift === 16 || (address[whole] ?? 0) >> shift === (network[whole] ?? 0) >> shift;
}

/** The one spelling of an address that policies and upstreams see; IPv6 compressed (RFC 5952). */
export function addressText(address: Address): string {
	if (address.length > 2) return ipv6Text(address);
	return address.flatMap((word) => [word >> 8, word & 255]).join(".");
}

/** The longest run of zeros, the first of several, becomes `::` if there are two or more. */
function ipv6Text(words: Address): string {
	let longest = { start: 0, length: 1 };
	let length = 0;
	for (const [at, word] of words.entries()) {
		length = word === 0 ? length + 1 : 0;
		if (length > longest.length) longest = { start: at + 1 - length, length };
	}
	const texts = words.map((word) => word.toString(16));
	if (longest.length < 2) return texts.join(":");
	const before = texts.slice(0, longest.start).join(":");
	return `${before}::${texts.slice(longest.start + longest.length).join(":")}`;
}

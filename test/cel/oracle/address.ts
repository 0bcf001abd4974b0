/**
 * Addresses and ranges for `inCidrRange` and `inCidrRanges` (contract 4). IPv4 addresses mapped into
 * IPv6 count as IPv4.
 */

/** 16-bit words: two of IPv4, eight of IPv6. */
type Address = readonly number[];

export interface Range {
	readonly network: Address;
	/** leading bits that count */
	readonly length: number;
}

const PART = "(0|[1-9][0-9]{0,2})";
const IPV4 = new RegExp(`^${PART}\\.${PART}\\.${PART}\\.${PART}$`);
const GROUP = /^[0-9a-fA-F]{1,4}$/;
/** longest text of an address, its zone included */
const ADDRESS_CHARACTERS = 100;

/** Four decimal parts or RFC 4291 text, a zone ignored; no octal, hexadecimal or shortened forms. */
export function parseAddress(text: string): Address | undefined {
	if (text.length > ADDRESS_CHARACTERS) return undefined;
	if (!text.includes(":")) return parseIpv4(text);
	const words = parseIpv6(text.replace(/%[\w.-]+$/, ""));
	return words !== undefined && isMapped(words) ? words.slice(6) : words;
}

function parseIpv4(text: string): Address | undefined {
	const match = IPV4.exec(text);
	if (match === null) return undefined;
	const [a = 0, b = 0, c = 0, d = 0] = match.slice(1).map(Number);
	return a > 255 || b > 255 || c > 255 || d > 255 ? undefined : [a * 256 + b, c * 256 + d];
}

function parseIpv6(text: string): Address | undefined {
	const halves = text.split("::");
	const [head = "", tail] = halves;
	if (halves.length > 2) return undefined;
	const left = wordsOf(head, tail === undefined);
	const right = tail === undefined ? [] : wordsOf(tail, true);
	if (left === undefined || right === undefined) return undefined;
	const missing = 8 - left.length - right.length;
	// `::` stands for at least one group
	if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
	return [...left, ...new Array<number>(missing).fill(0), ...right];
}

/** Groups between colons; the last may be an IPv4 address where the text ends. */
function wordsOf(text: string, isLast: boolean): number[] | undefined {
	if (text === "") return [];
	const words: number[] = [];
	const groups = text.split(":");
	for (const [at, group] of groups.entries()) {
		if (GROUP.test(group)) words.push(Number.parseInt(group, 16));
		else {
			const embedded = isLast && at === groups.length - 1 ? parseIpv4(group) : undefined;
			if (embedded === undefined) return undefined;
			words.push(...embedded);
		}
	}
	return words;
}

const isMapped = (words: Address): boolean =>
	words[5] === 0xffff && words.slice(0, 5).every((word) => word === 0);

/** An address with a prefix length; bits behind it don't count. */
export function parseRange(text: string): Range | undefined {
	const match = /^([^/%]+)\/(0|[1-9]\d{0,2})$/.exec(text);
	const network = parseAddress(match?.[1] ?? "");
	if (match === null || network === undefined) return undefined;
	const wasMapped = network.length === 2 && text.includes(":");
	const length = Number(match[2]) - (wasMapped ? 96 : 0);
	return length >= 0 && length <= network.length * 16 ? { network, length } : undefined;
}

/** Hot. An address of the other family is in no range. */
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

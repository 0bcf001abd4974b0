/**
 * Addresses and ranges in CIDR form as people write them in policies and address lists: read strictly, in one order and
 * one spelling. Used by restrict-ips, by `address-set.ts` and by `store/ip-lists.ts`.
 */
import { quoted } from "../documents/nearest.ts";
import { fail, ok, type Result } from "../errors.ts";
import { type Address, addressText, parseAddress, parseRange } from "./ip-address.ts";

/** A range without host bits: a single address is one of full length. */
export interface AddressRange {
	readonly network: Address;
	/** leading bits that count */
	readonly length: number;
}

const WORD_BITS = 16;

/** An address or a range in CIDR form; the error is a sentence with its remedy. */
export function addressRangeOf(text: string): Result<AddressRange, string> {
	const address = parseAddress(text);
	if (address !== undefined) return ok({ network: address, length: address.length * WORD_BITS });
	const range = parseRange(text);
	if (range === undefined) {
		return fail(
			`${quoted(text)} is no address or range; write "192.0.2.7", "10.0.0.0/8" or "2001:db8::/32"`,
		);
	}
	const { network, length } = range;
	const meant: AddressRange = { network: boundOf(network, length), length };
	if (meant.network.every((word, at) => word === network[at])) return ok({ network, length });
	const spelled = `${addressText(meant.network)}/${length}`;
	return fail(`${quoted(text)} has bits set behind its prefix; the range is "${spelled}"`);
}

/** The first address of the range of this length that holds `address`. */
export const boundOf = (address: Address, length: number): Address =>
	address.map((word, at) => word & maskOf(length - at * WORD_BITS));

/** Of one word, of which so many leading bits count; fewer than none and more than all may be asked for. */
function maskOf(bits: number): number {
	if (bits <= 0) return 0;
	return bits >= WORD_BITS ? 0xffff : (0xffff << (WORD_BITS - bits)) & 0xffff;
}

/** The one spelling of a range: `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32`. */
export const rangeText = ({ network, length }: AddressRange): string =>
	length === network.length * WORD_BITS
		? addressText(network)
		: `${addressText(network)}/${length}`;

/** IPv4 before IPv6, lower addresses first, and a range before those inside it. */
export function orderOfRanges(one: AddressRange, other: AddressRange): number {
	const difference = one.network.length - other.network.length;
	if (difference !== 0) return difference;
	for (let at = 0; at < one.network.length; at++) {
		const words = (one.network[at] ?? 0) - (other.network[at] ?? 0);
		if (words !== 0) return words;
	}
	return one.length - other.length;
}

/** Whether a range holds the address that `text` is; false if it is none. */
export function holdsAddress({ network, length }: AddressRange, text: string): boolean {
	const address = parseAddress(text);
	if (address?.length !== network.length) return false;
	return boundOf(address, length).every((word, at) => word === network[at]);
}

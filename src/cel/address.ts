/**
 * Addresses and ranges for `inCidrRange` and `inCidrRanges` (contract 4). IPv4 addresses mapped into
 * IPv6 count as IPv4. The only file of this room that imports ipaddr.js.
 */
import ipaddr from "ipaddr.js";
import { quoted } from "../nearest.ts";
import { Constant } from "./constant.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Range = readonly [address: Address, prefixLength: number];

/** The sentence that says what is wrong with an address; undefined if nothing is. */
export const checkAddress = (text: string): string | undefined =>
	parseAddress(text) === undefined ? `${quoted(text)} is no IP address` : undefined;

export const checkRange = (text: string): string | undefined =>
	parseRange(text) === undefined
		? `${quoted(text)} is no address range; write one as "10.0.0.0/8" or "2001:db8::/32"`
		: undefined;

/** @param texts checked with `checkRange` before */
export const bakeRanges = (texts: readonly string[]): Constant<readonly Range[]> =>
	new Constant(texts.map(parseRange).filter((range) => range !== undefined));

/** Four decimal parts or RFC 4291 text; no octal, hexadecimal or shortened forms. */
export function parseAddress(text: string): Address | undefined {
	if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
	if (!text.includes(":") || !ipaddr.IPv6.isValid(text)) return undefined;
	return unmapped(ipaddr.IPv6.parse(text));
}

/** An address with a prefix length. */
export function parseRange(text: string): Range | undefined {
	const match = /^([^/]+)\/(\d{1,3})$/.exec(text);
	const address = parseAddress(match?.[1] ?? "");
	if (match === null || address === undefined) return undefined;
	const isMapped = address.kind() === "ipv4" && match[1]?.includes(":");
	const length = Number(match[2]) - (isMapped ? 96 : 0);
	return length >= 0 && length <= (address.kind() === "ipv4" ? 32 : 128)
		? [address, length]
		: undefined;
}

const unmapped = (address: ipaddr.IPv6): Address =>
	address.isIPv4MappedAddress() ? address.toIPv4Address() : address;

/** Hot. An address of the other family is in no range. */
export function inRanges(address: Address, ranges: readonly Range[]): boolean {
	for (const [network, length] of ranges) {
		if (isIn(address, network, length)) return true;
	}
	return false;
}

function isIn(address: Address, network: Address, length: number): boolean {
	if (address instanceof ipaddr.IPv4) {
		return network instanceof ipaddr.IPv4 && address.match(network, length);
	}
	return network instanceof ipaddr.IPv6 && address.match(network, length);
}

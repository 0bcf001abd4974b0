/**
 * The address of a client as rate-limits count it: an IPv6 address as the network that the client owns, as it may send
 * each request from another address of that. Asked by `bucket-key.ts` for each request.
 */
import { type Address, addressText, parseAddress } from "../../../http/ip-address.ts";

const WORD_BITS = 16;
const IPV6_BITS = 128;

/** The last one: the rules of a policy, and requests over one connection, ask about the same address. */
let last = { ip: "", prefix: 0, counted: "" };

/**
 * Hot. IPv4 counts whole, as an address does with all 128 bits; else the network with its length, as ranges are written.
 * @param ip in weir's spelling, where IPv4 in IPv6 is IPv4
 * @param prefix how many bits of an IPv6 address count, 1 to 128
 */
export function countedAddress(ip: string, prefix: number): string {
	if (prefix === IPV6_BITS || !ip.includes(":")) return ip;
	if (last.ip === ip && last.prefix === prefix) return last.counted;
	const address = parseAddress(ip);
	const isIpv6 = address !== undefined && address.length > 2;
	const counted = isIpv6 ? `${addressText(network(address, prefix))}/${prefix}` : ip;
	last = { ip, prefix, counted };
	return counted;
}

const network = (address: Address, prefix: number): Address =>
	address.map((word, index) => {
		const bits = Math.min(Math.max(prefix - index * WORD_BITS, 0), WORD_BITS);
		return word & (0xffff << (WORD_BITS - bits)) & 0xffff;
	});

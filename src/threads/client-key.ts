/**
 * The key under which clients are counted: an IPv4 address, or the network of an IPv6 site. Used by
 * `expression-evaluator.ts`, where clients take turns, and edge/slow/slow-clients.ts, which counts slow ones.
 */
import { parseAddress } from "../http/ip-address.ts";

/** words of an IPv6 address that a site has in common (RFC 6177): it may have all addresses behind them */
const SITE_WORDS = 4;

/** @param address as `conn.client_ip` has it */
export function clientKey(address: string): string {
	const words = address.includes(":") ? parseAddress(address) : undefined;
	if (words === undefined || words.length <= SITE_WORDS) return address;
	return words.slice(0, SITE_WORDS).join(":");
}

/**
 * Who counts as one client: of the threads for expensive expressions (`expression-evaluator.ts`), and of those that are
 * slow (`edge/slow/`).
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

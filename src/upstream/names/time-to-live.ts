/**
 * How long the addresses of a name hold before the name is looked up again. The time to live that DNS gives holds
 * if it is one of the very addresses that the system gave. If the system's addresses have another source (the hosts
 * file, a search domain, another answer), the time to live can only shorten the default. Used by `watched-name.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";

/** An address and the rest of its time to live, from one DNS answer. */
export interface DnsRecord {
	readonly address: string;
	readonly ttlSeconds: number;
}

/**
 * @param addresses as the system gave them
 * @param records of DNS for the same name; none if DNS knows nothing or did not answer
 * @returns milliseconds
 */
export function refreshAfterMs(
	addresses: readonly string[],
	records: readonly DnsRecord[],
): number {
	const known = new Set(records.map(({ address }) => address));
	const most = addresses.every((address) => known.has(address))
		? LIMITS.nameRefreshMaxMs
		: LIMITS.nameRefreshDefaultMs;
	const shortestMs = Math.min(most, ...records.map(({ ttlSeconds }) => ttlSeconds * 1000));
	return Math.max(LIMITS.nameRefreshMinMs, shortestMs);
}

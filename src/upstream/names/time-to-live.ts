/**
 * How long the addresses of a name count before it is looked at again. What DNS says holds where it speaks
 * of the addresses that the system gave; where hosts file, search domains or another answer stand between
 * the two, it can only shorten the default. Used by `watched-name.ts`.
 */
import { LIMITS } from "../../limits.ts";

/** An address and what is left of its time to live, by one DNS answer. */
export interface DnsRecord {
	readonly address: string;
	readonly ttlSeconds: number;
}

/**
 * @param addresses what the system says
 * @param records what DNS says of the same name; none if it knows nothing or did not answer
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

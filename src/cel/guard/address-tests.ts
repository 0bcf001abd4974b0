/**
 * Which addresses literals mean in comparisons with `conn.client_ip`, whose text is the one spelling of an address. Called
 * by `tests.ts`.
 */
import type { AddressRange } from "../../http/address-range.ts";
import { boundOf } from "../../http/address-range.ts";
import { addressText, parseAddress, parseRange } from "../../http/ip-address.ts";

/** bits of a word */
const WORD_BITS = 16;

/** Of texts that are compared as texts: one that is spelled in another way is no client's. */
export function addressesIn(texts: readonly string[]): AddressRange[] {
	return texts.flatMap((text) => {
		const network = parseAddress(text);
		if (network === undefined || addressText(network) !== text) return [];
		return [{ network, length: network.length * WORD_BITS }];
	});
}

/** @returns undefined if one of them is no range, or they are not known */
export function rangesIn(texts: readonly string[] | undefined): AddressRange[] | undefined {
	const ranges: AddressRange[] = [];
	for (const text of texts ?? []) {
		const range = parseRange(text);
		if (range === undefined) return undefined;
		ranges.push({ network: boundOf(range.network, range.length), length: range.length });
	}
	return texts === undefined ? undefined : ranges;
}

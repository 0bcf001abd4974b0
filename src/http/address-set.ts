/**
 * Many address ranges, made ready so that one look-up finds the narrowest range that holds an address in time that
 * hardly grows with their number: boundaries in order, searched by halving. Used by restrict-ips and, for stored lists,
 * by `edge/policies/address-lists.ts`.
 */
import { type AddressRange, boundOf, orderOfRanges, rangeText } from "./address-range.ts";
import { type AddressSegments, SegmentsBuilder } from "./address-segments.ts";
import { ipv4Number, parseAddress } from "./ip-address.ts";
import { readIpv6 } from "./ipv6-words.ts";

/** The rules of a policy, and the lists of an action, ask about one address, the client's, one after the other. */
let lastText = "";
/** the 32 bits of IPv4; -1: it is none */
let lastIpv4 = -1;
let isIpv6 = false;
const lastIpv6 = new Uint32Array(4);

/** Hot. */
function read(text: string): void {
	if (text === lastText) return;
	lastText = text;
	lastIpv4 = ipv4Number(text);
	isIpv6 = lastIpv4 < 0 && (readIpv6(text, lastIpv6) || readOtherForm(text));
	if (isIpv6 && lastIpv6[0] === 0 && lastIpv6[1] === 0 && lastIpv6[2] === 0xffff) {
		isIpv6 = false;
		lastIpv4 = lastIpv6[3] ?? 0;
	}
}

/** A zone is ignored, and an IPv4 address may stand at the end. */
function readOtherForm(text: string): boolean {
	const address = parseAddress(text);
	if (address === undefined) return false;
	const words = address.length === 2 ? [0, 0, 0, 0, 0, 0xffff, ...address] : address;
	for (let at = 0; at < 4; at++)
		lastIpv6[at] = (words[at * 2] ?? 0) * 65_536 + (words[at * 2 + 1] ?? 0);
	return true;
}

export class AddressSet {
	readonly v4: AddressSegments;
	readonly v6: AddressSegments;

	constructor(v4: AddressSegments, v6: AddressSegments) {
		this.v4 = v4;
		this.v6 = v6;
	}

	static of(ranges: readonly AddressRange[]): AddressSet {
		const builder = new AddressSetBuilder();
		for (const range of ranges.toSorted(orderOfRanges)) builder.add(range);
		return builder.finish();
	}

	/** Hot. @returns false if `text` is no address */
	has(text: string): boolean {
		return this.#lengthOf(text) >= 0;
	}

	/** The narrowest range with the address, in the spelling of `rangeText`; undefined: it is in none, or no address. */
	find(text: string): string | undefined {
		const length = this.#lengthOf(text);
		const address = parseAddress(text);
		if (length < 0 || address === undefined) return undefined;
		return rangeText({ network: boundOf(address, length), length });
	}

	/** Leading bits that count in the narrowest range with the address; -1: there is none. */
	#lengthOf(text: string): number {
		read(text);
		if (lastIpv4 >= 0) return this.v4.lengthAt(lastIpv4, 0, 0, 0);
		if (!isIpv6) return -1;
		return this.v6.lengthAt(lastIpv6[0] ?? 0, lastIpv6[1] ?? 0, lastIpv6[2] ?? 0, lastIpv6[3] ?? 0);
	}
}

/** Takes ranges in the order of `orderOfRanges`, one at a time, so that many can be taken in between other work. */
export class AddressSetBuilder {
	readonly #v4 = new SegmentsBuilder(1);
	readonly #v6 = new SegmentsBuilder(4);

	/** @throws Error it is out of order */
	add({ network, length }: AddressRange): void {
		(network.length === 2 ? this.#v4 : this.#v6).add(network, length);
	}

	finish(): AddressSet {
		return new AddressSet(this.#v4.finish(), this.#v6.finish());
	}
}

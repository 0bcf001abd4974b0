/**
 * Many address ranges, made ready so that one look-up finds the narrowest range that holds an address in time that
 * hardly grows with their number: boundaries in order, searched by halving. Used by restrict-ips and, for stored lists,
 * by `edge/policies/address-lists.ts`.
 */
import { type AddressRange, boundOf, orderOfRanges, rangeText } from "./address-range.ts";
import { type AddressSegments, SegmentsBuilder } from "./address-segments.ts";
import { type Address, ipv4Number, parseAddress } from "./ip-address.ts";

/** The rules of a policy, and the lists of an action, ask about one address, the client's, one after the other. */
let lastText = "";
let lastNumber = -1;
let lastAddress: Address | undefined;

/** Hot. */
function read(text: string): void {
	if (text === lastText) return;
	lastText = text;
	lastNumber = ipv4Number(text);
	lastAddress = undefined;
	if (lastNumber >= 0) return;
	const address = parseAddress(text);
	if (address?.length === 2) lastNumber = (address[0] ?? 0) * 65_536 + (address[1] ?? 0);
	else lastAddress = address;
}

export class AddressSet {
	readonly #v4: AddressSegments;
	readonly #v6: AddressSegments;

	constructor(v4: AddressSegments, v6: AddressSegments) {
		this.#v4 = v4;
		this.#v6 = v6;
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
		if (lastNumber >= 0) return this.#v4.lengthAt(lastNumber, 0, 0, 0);
		if (lastAddress === undefined) return -1;
		const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = lastAddress;
		return this.#v6.lengthAt(a * 65_536 + b, c * 65_536 + d, e * 65_536 + f, g * 65_536 + h);
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

/**
 * Many address ranges, made ready so that one look-up finds the narrowest range that holds an address in time that
 * hardly grows with their number: boundaries in order, searched by halving. Used by restrict-ips.
 */
import { quoted } from "../documents/nearest.ts";
import { fail, ok, type Result } from "../errors.ts";
import { type Address, addressText, ipv4Number, parseAddress, parseRange } from "./ip-address.ts";

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
	const masked = network.map((word, at) => word & maskOf(length - at * WORD_BITS));
	if (masked.every((word, at) => word === network[at])) return ok({ network, length });
	const meant = `${addressText(masked)}/${length}`;
	return fail(`${quoted(text)} has bits set behind its prefix; the range is "${meant}"`);
}

/** Of one word, of which so many leading bits count; fewer than none and more than all may be asked for. */
function maskOf(bits: number): number {
	if (bits <= 0) return 0;
	return bits >= WORD_BITS ? 0xffff : (0xffff << (WORD_BITS - bits)) & 0xffff;
}

/** One past the last boundary, or the owner of addresses in no range. */
const NOBODY = -1;

export class AddressSet {
	/** where segments begin, and which range each belongs to */
	readonly #v4: Uint32Array;
	readonly #v4Owners: Int32Array;
	/** four words of 32 bits for each boundary */
	readonly #v6: Uint32Array;
	readonly #v6Owners: Int32Array;

	constructor(ranges: readonly AddressRange[]) {
		const v4 = segmentsOf(ranges, 2);
		this.#v4 = Uint32Array.from(v4, ({ start }) => Number(start));
		this.#v4Owners = Int32Array.from(v4, ({ owner }) => owner);
		const v6 = segmentsOf(ranges, 8);
		this.#v6 = new Uint32Array(v6.length * 4);
		for (const [at, { start }] of v6.entries()) {
			for (let word = 0; word < 4; word++) {
				this.#v6[at * 4 + word] = Number((start >> BigInt(96 - 32 * word)) & 0xffff_ffffn);
			}
		}
		this.#v6Owners = Int32Array.from(v6, ({ owner }) => owner);
	}

	/** Hot. @returns the index of the narrowest range with the address; -1 if it is in none; undefined: it is no address */
	find(text: string): number | undefined {
		const ipv4 = ipv4Number(text);
		if (ipv4 >= 0) return this.#findV4(ipv4);
		const address = parseAddress(text);
		if (address === undefined) return undefined;
		const [high = 0, low = 0] = address;
		return address.length === 2 ? this.#findV4(high * 65_536 + low) : this.#findV6(address);
	}

	#findV4(address: number): number {
		const starts = this.#v4;
		let low = 0;
		let high = starts.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if ((starts[middle] ?? 0) <= address) low = middle + 1;
			else high = middle;
		}
		return this.#v4Owners[low - 1] ?? NOBODY;
	}

	#findV6(address: Address): number {
		let low = 0;
		let high = this.#v6Owners.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if (this.#isBehind(address, middle * 4)) low = middle + 1;
			else high = middle;
		}
		return this.#v6Owners[low - 1] ?? NOBODY;
	}

	/** Is the address at the boundary or behind it? */
	#isBehind(address: Address, boundary: number): boolean {
		for (let word = 0; word < 4; word++) {
			const own = (address[word * 2] ?? 0) * 65_536 + (address[word * 2 + 1] ?? 0);
			const other = this.#v6[boundary + word] ?? 0;
			if (own !== other) return own > other;
		}
		return true;
	}
}

interface Segment {
	readonly start: bigint;
	readonly owner: number;
}

/** Ranges in CIDR form lie inside one another or apart, so one walk in their order, outer ones first, is enough. */
function segmentsOf(ranges: readonly AddressRange[], words: number): readonly Segment[] {
	const bits = words * WORD_BITS;
	const own = ranges.flatMap(({ network, length }, owner) => {
		if (network.length !== words) return [];
		const start = network.reduce((sum, word) => (sum << 16n) | BigInt(word), 0n);
		return [{ start, end: start + (1n << BigInt(bits - length)) - 1n, owner }];
	});
	own.sort((one, other) => order(one.start, other.start) || order(other.end, one.end));
	const segments: Segment[] = [];
	const add = (start: bigint, owner: number): void => {
		if (segments.at(-1)?.start === start) segments.pop();
		segments.push({ start, owner });
	};
	const around: { readonly end: bigint; readonly owner: number }[] = [];
	const last = (1n << BigInt(bits)) - 1n;
	const leave = (before: bigint): void => {
		for (let top = around.at(-1); top !== undefined && top.end < before; top = around.at(-1)) {
			around.pop();
			if (top.end < last) add(top.end + 1n, around.at(-1)?.owner ?? NOBODY);
		}
	};
	for (const range of own) {
		leave(range.start);
		add(range.start, range.owner);
		around.push(range);
	}
	leave(last + 1n);
	return segments;
}

const order = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);

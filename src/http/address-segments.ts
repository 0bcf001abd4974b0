/**
 * The ranges of one family of addresses as segments that lie side by side: where each begins, and how long the prefix of
 * the narrowest range is that covers it. Ranges in CIDR form lie inside one another or apart, so one walk in their order,
 * outer ones first, makes the segments, and the range of an address is the address and that length. 5 bytes a segment of
 * IPv4, 17 of IPv6, at most two segments a range. Made and asked by `address-set.ts`.
 */
import type { Address } from "./ip-address.ts";

/** 32 bits each: one of IPv4, four of IPv6. */
type Words = 1 | 4;

/** In no range. */
const NONE = 255;

/** From so many segments of IPv4 on, a table by the first 16 bits (256 KiB) saves most of the halving. */
const PAYS_FROM = 4096;

export class AddressSegments {
	/** where segments begin: first words, then second words, … */
	readonly #starts: readonly Uint32Array[];
	readonly #first: Uint32Array;
	/** 255: in no range */
	readonly lengths: Uint8Array;
	/** how many segments begin before the addresses of each 16 bits */
	readonly #table: Uint32Array | undefined;

	constructor(starts: readonly Uint32Array[], lengths: Uint8Array) {
		this.#starts = starts;
		this.#first = starts[0] ?? new Uint32Array();
		this.lengths = lengths;
		this.#table =
			starts.length === 1 && lengths.length >= PAYS_FROM ? tableOf(this.#first) : undefined;
	}

	/** Where segments begin: all first words, then all second words, and so on. */
	get starts(): Uint32Array {
		const [first = new Uint32Array()] = this.#starts;
		if (this.#starts.length === 1) return first;
		const all = new Uint32Array(first.length * this.#starts.length);
		for (const [at, words] of this.#starts.entries()) all.set(words, at * first.length);
		return all;
	}

	/** Hot. @param first of IPv4 the only word @returns the prefix length of the narrowest range; -1: there is none */
	lengthAt(first: number, second: number, third: number, fourth: number): number {
		let low = 0;
		let high = this.lengths.length;
		if (this.#table !== undefined) {
			const at = first >>> 16;
			low = this.#table[at] ?? 0;
			high = this.#table[at + 1] ?? high;
		}
		const starts = this.#first;
		while (low < high) {
			const middle = (low + high) >>> 1;
			const start = starts[middle] ?? 0;
			if (start < first || (start === first && this.#isAtOrBefore(middle, second, third, fourth)))
				low = middle + 1;
			else high = middle;
		}
		const length = this.lengths[low - 1] ?? NONE;
		return length === NONE ? -1 : length;
	}

	/** Does a segment begin at the address or before it, whose first word is the same? */
	#isAtOrBefore(segment: number, second: number, third: number, fourth: number): boolean {
		const starts = this.#starts;
		if (starts.length === 1) return true;
		const atSecond = starts[1]?.[segment] ?? 0;
		if (atSecond !== second) return atSecond < second;
		const atThird = starts[2]?.[segment] ?? 0;
		if (atThird !== third) return atThird < third;
		return (starts[3]?.[segment] ?? 0) <= fourth;
	}
}

function tableOf(starts: Uint32Array): Uint32Array {
	const table = new Uint32Array(65_537);
	let segment = 0;
	for (let at = 0; at < table.length; at++) {
		const bound = at * 65_536;
		while (segment < starts.length && (starts[segment] ?? 0) < bound) segment++;
		table[at] = segment;
	}
	return table;
}

export class SegmentsBuilder {
	readonly #words: Words;
	readonly #starts: number[][];
	readonly #lengths: number[] = [];
	/** ranges that the walk is inside of, outer ones first: prefix length, and the address behind the last one */
	readonly #around: { readonly length: number; readonly behind: readonly number[] | undefined }[] =
		[];

	constructor(words: Words) {
		this.#words = words;
		this.#starts = Array.from({ length: words }, () => []);
	}

	/** In the order of `orderOfRanges`. @throws Error it is not */
	add(network: Address, length: number): void {
		const start: number[] = [];
		for (let at = 0; at < this.#words; at++)
			start.push((network[at * 2] ?? 0) * 65_536 + (network[at * 2 + 1] ?? 0));
		this.#leave(start);
		const last = this.#lengths.length - 1;
		if (last >= 0 && this.#compare(start, last) < 0) throw new Error("ranges are out of order");
		this.#begin(start, length);
		this.#around.push({ length, behind: behind(start, length) });
	}

	finish(): AddressSegments {
		this.#leave(undefined);
		const starts = this.#starts.map((words) => Uint32Array.from(words));
		return new AddressSegments(starts, Uint8Array.from(this.#lengths));
	}

	/** Ends the ranges that end before `start`; undefined: all. */
	#leave(start: readonly number[] | undefined): void {
		for (let top = this.#around.at(-1); top !== undefined; top = this.#around.at(-1)) {
			if (start !== undefined && (top.behind === undefined || order(top.behind, start) > 0)) return;
			this.#around.pop();
			if (top.behind !== undefined) this.#begin(top.behind, this.#around.at(-1)?.length ?? NONE);
		}
	}

	#begin(start: readonly number[], length: number): void {
		const last = this.#lengths.length - 1;
		if (last >= 0 && this.#compare(start, last) === 0) {
			this.#lengths[last] = length;
			return;
		}
		for (let at = 0; at < start.length; at++) this.#starts[at]?.push(start[at] ?? 0);
		this.#lengths.push(length);
	}

	#compare(start: readonly number[], segment: number): number {
		for (let at = 0; at < start.length; at++) {
			const difference = (start[at] ?? 0) - (this.#starts[at]?.[segment] ?? 0);
			if (difference !== 0) return difference;
		}
		return 0;
	}
}

function order(one: readonly number[], other: readonly number[]): number {
	for (let at = 0; at < one.length; at++) {
		const difference = (one[at] ?? 0) - (other[at] ?? 0);
		if (difference !== 0) return difference;
	}
	return 0;
}

const WORD = 2 ** 32;

/** The first address behind a range; undefined: it ends with the last address of all. */
function behind(start: readonly number[], length: number): readonly number[] | undefined {
	const words = start.slice();
	// the bit that the prefix ends with is one of this word
	let at = length === 0 ? -1 : Math.floor((length - 1) / 32);
	let carry = at < 0 ? 0 : 2 ** (31 - ((length - 1) % 32));
	for (; at >= 0; at--) {
		const sum = (words[at] ?? 0) + carry;
		words[at] = sum % WORD;
		if (sum < WORD) return words;
		carry = 1;
	}
	return undefined;
}

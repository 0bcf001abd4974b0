/**
 * The address of a peer as text. The server library hands over its bytes. The texts of recent peers are kept in a
 * table of fixed size, because making one takes longer than everything else that a refused request costs. Used by
 * `front.ts`, `library-connection.ts`, `edge/request/proxy-frames.ts` and `management/http/peer.ts`.
 */
import { addressText } from "./ip-address.ts";

/** A power of two. */
const SLOTS = 1024;
/** IPv4 addresses count as mapped into IPv6: four numbers of 32 bits for each. */
const WORDS = 4;
const MAPPED = 0xffff;

const addresses = new Int32Array(SLOTS * WORDS);
/** empty: the slot is free */
const texts: string[] = new Array<string>(SLOTS).fill("");

const wordAt = (bytes: Uint8Array, at: number): number =>
	((bytes[at] ?? 0) << 24) |
	((bytes[at + 1] ?? 0) << 16) |
	((bytes[at + 2] ?? 0) << 8) |
	(bytes[at + 3] ?? 0);

/** Clients close to each other differ in their last bits. */
const slotOf = (first: number, second: number, third: number, last: number): number => {
	const mixed = Math.imul(first ^ second ^ third, 0x9e3779b1) ^ last;
	return (mixed ^ (mixed >>> 10) ^ (mixed >>> 20)) & (SLOTS - 1);
};

const halves = (word: number): [number, number] => [word >>> 16, word & 0xffff];

/** Hot. @param buffer an address as uWebSockets.js has it: 4 or 16 bytes, else there is none */
export const addressOf = (buffer: ArrayBuffer): string =>
	addressIn(new Uint8Array(buffer), buffer.byteLength);

/** Hot. @param size how many bytes of the beginning are an address: 4 or 16, else there is none */
export function addressIn(bytes: Uint8Array, size: number): string {
	if (size === 4) return textAt(0, 0, MAPPED, wordAt(bytes, 0));
	if (size !== 16) return "";
	return textAt(wordAt(bytes, 0), wordAt(bytes, 4), wordAt(bytes, 8), wordAt(bytes, 12));
}

function textAt(first: number, second: number, third: number, last: number): string {
	const slot = slotOf(first, second, third, last);
	const at = slot * WORDS;
	const known = texts[slot] ?? "";
	if (
		known !== "" &&
		addresses[at + 3] === last &&
		addresses[at + 2] === third &&
		addresses[at + 1] === second &&
		addresses[at] === first
	) {
		return known;
	}
	const isMapped = first === 0 && second === 0 && third === MAPPED;
	const text = isMapped
		? addressText(halves(last))
		: addressText([first, second, third, last].flatMap(halves));
	addresses.set([first, second, third, last], at);
	texts[slot] = text;
	return text;
}

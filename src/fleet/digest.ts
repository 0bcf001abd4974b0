/**
 * The state's digest: XOR, over all primary keys, of the first 16 bytes of SHA-256 of key, a zero byte and etag
 * (docs/fleet.md, "Applying"). So it is kept by what changes alone, and the order of changes makes no difference. It guards
 * against accidents, not against members, who may write anyway.
 */
import { hash } from "node:crypto";
import { markOf, PRIMARY_PREFIXES, under } from "../store/layout.ts";
import type { Reads } from "../store/lmdb/database.ts";

const WORDS = 4;

/** Of a state with nothing in it. */
export const EMPTY_DIGEST = "0".repeat(8 * WORDS);

export class StateDigest {
	readonly #words = new Int32Array(WORDS);

	/** @param hex of the state that it goes on from */
	constructor(hex = EMPTY_DIGEST) {
		const bytes = Buffer.from(hex, "hex");
		for (let word = 0; word < WORDS; word++) this.#words[word] = bytes.readInt32BE(4 * word);
	}

	/** Takes an entry in, or out again. @param value its digest first */
	toggle(key: string, value: string): void {
		const bytes = hash("sha256", `${key}\0${markOf(value)}`, "buffer");
		const words = this.#words;
		for (let word = 0; word < WORDS; word++)
			words[word] = (words[word] ?? 0) ^ bytes.readInt32BE(4 * word);
	}

	/** 32 characters */
	get hex(): string {
		const bytes = Buffer.alloc(4 * WORDS);
		for (const [word, bits] of this.#words.entries()) bytes.writeInt32BE(bits, 4 * word);
		return bytes.toString("hex");
	}
}

/** Of everything that is stored. */
export function wholeDigest(reads: Reads): string {
	const digest = new StateDigest();
	for (const prefix of PRIMARY_PREFIXES) {
		for (const { key, value } of reads.range(under(prefix))) digest.toggle(key, value);
	}
	return digest.hex;
}

/**
 * Header lines as expressions read them (contract 4, `req.headers`, `res.headers`), over what the
 * request or the upstream brought. Nothing is indexed or copied until a rule asks.
 */
import type { HeaderLines } from "../cel/attributes.ts";

const NO_LINES: readonly string[] = Object.freeze([]);

/** Over a flat array: name, value, name, value, …; names in lower case. */
export class FlatHeaders implements HeaderLines {
	readonly #flat: readonly string[];

	constructor(flat: readonly string[]) {
		this.#flat = flat;
	}

	lines(name: string): readonly string[] {
		const flat = this.#flat;
		let found: string[] | undefined;
		for (let index = 0; index < flat.length; index += 2) {
			if (flat[index] !== name) continue;
			const value = flat[index + 1] ?? "";
			if (found === undefined) found = [value];
			else found.push(value);
		}
		return found ?? NO_LINES;
	}

	names(): readonly string[] {
		const names = new Set<string>();
		for (let index = 0; index < this.#flat.length; index += 2) names.add(this.#flat[index] ?? "");
		return [...names];
	}
}

export const NO_HEADERS: HeaderLines = new FlatHeaders([]);

/** The bytes as a string of as many characters. */
export const latin1 = (bytes: Uint8Array): string =>
	Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

const utf8 = (bytes: Uint8Array): string =>
	Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");

export const NOT_ASCII = /[\u0080-\uffff]/;

/** UTF-8 bytes of `text`, as a string of as many characters; the text itself where it is ASCII. */
export const utf8Bytes = (text: string): string =>
	NOT_ASCII.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text;

/** Over raw lines of an upstream; values are read as UTF-8, what isn't shows as U+FFFD. */
export const rawHeaderLines = (raw: readonly Uint8Array[]): HeaderLines =>
	new FlatHeaders(
		raw.map((bytes, index) => (index % 2 === 0 ? latin1(bytes).toLowerCase() : utf8(bytes))),
	);

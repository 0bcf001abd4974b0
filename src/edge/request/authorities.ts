/**
 * Parsed `host` fields. Clients name the same few hosts again and again, so each is parsed once and remembered.
 * Called by `request-head.ts` for every request.
 */
import { type Authority, parseAuthority } from "../../http/target.ts";

/**
 * Clients choose the names, so there is a bound: of so many hosts met lately, and as many met before them. Who is met again
 * stays, however many others pass by.
 */
export const AUTHORITIES_KEPT = 1024;

interface Known {
	readonly text: string;
	readonly authority: Authority;
}

/** A part of a string keeps the whole alive, and `text` may be a part of a header. */
const copyOf = (text: string): string => Buffer.from(text).toString();

export class Authorities {
	#lately = new Map<string, Known>();
	#before = new Map<string, Known>();
	#last: Known | undefined;

	/** Hot. @returns as `parseAuthority`; the same object for the same text as long as it is remembered */
	of(text: string): Authority | undefined {
		// Most often it is the host of the request before; comparing is cheaper than hashing.
		if (text === this.#last?.text) return this.#last.authority;
		const known = this.#lately.get(text) ?? this.#recalled(text) ?? this.#parse(text);
		if (known === undefined) return undefined;
		this.#last = known;
		return known.authority;
	}

	#recalled(text: string): Known | undefined {
		const known = this.#before.get(text);
		if (known !== undefined) this.#keep(known);
		return known;
	}

	#parse(text: string): Known | undefined {
		const copy = copyOf(text);
		const authority = parseAuthority(copy);
		if (authority === undefined) return undefined;
		const known = { text: copy, authority };
		this.#keep(known);
		return known;
	}

	#keep(known: Known): void {
		if (this.#lately.size >= AUTHORITIES_KEPT) {
			this.#before = this.#lately;
			this.#lately = new Map();
		}
		this.#lately.set(known.text, known);
	}
}

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

/** A part of a string keeps the whole alive, and `text` may be a part of a header. */
const copyOf = (text: string): string => Buffer.from(text).toString();

export class Authorities {
	#lately = new Map<string, Authority>();
	#before = new Map<string, Authority>();
	#lastText: string | undefined;
	#last: Authority | undefined;

	/** Hot. @returns as `parseAuthority`; the same object for the same text as long as it is remembered */
	of(text: string): Authority | undefined {
		// Most often it is the host of the request before; comparing is cheaper than hashing.
		if (text === this.#lastText) return this.#last;
		const authority = this.#lately.get(text) ?? this.#recalled(text);
		if (authority === undefined) return undefined;
		this.#lastText = text;
		this.#last = authority;
		return authority;
	}

	#recalled(text: string): Authority | undefined {
		const copy = copyOf(text);
		const authority = this.#before.get(copy) ?? parseAuthority(copy);
		if (authority === undefined) return undefined;
		if (this.#lately.size >= AUTHORITIES_KEPT) {
			this.#before = this.#lately;
			this.#lately = new Map();
		}
		this.#lately.set(copy, authority);
		return authority;
	}
}

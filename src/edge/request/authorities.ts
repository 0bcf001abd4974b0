/**
 * Parsed `host` fields. Clients name the same few hosts again and again, so each is parsed once and remembered.
 * Called by `request-head.ts` for every request.
 */
import { Cache } from "../../cel/cache.ts";
import { type Authority, parseAuthority } from "../../http/target.ts";
import { ownCopy } from "../../own-copy.ts";

/**
 * Clients choose the names, so there is a bound: of so many hosts met lately, and as many met before them. Who is met again
 * stays, however many others pass by.
 */
export const AUTHORITIES_KEPT = 1024;

export class Authorities {
	readonly #met = new Cache<Authority>(AUTHORITIES_KEPT, ownCopy);
	#lastText: string | undefined;
	#last: Authority | undefined;

	/** Hot. @returns as `parseAuthority`; the same object for the same text as long as it is remembered */
	of(text: string): Authority | undefined {
		// Most often it is the host of the request before; comparing is cheaper than hashing.
		if (text === this.#lastText) return this.#last;
		const authority = this.#met.get(text) ?? this.#parsed(text);
		if (authority === undefined) return undefined;
		this.#lastText = text;
		this.#last = authority;
		return authority;
	}

	/** `text` may be a part of a header. */
	#parsed(text: string): Authority | undefined {
		const authority = parseAuthority(ownCopy(text));
		return authority === undefined ? undefined : this.#met.put(text, authority);
	}
}

/**
 * What `host` fields say, taken apart once: clients name the same few hosts again and again. Used by
 * `arrival.ts` for every request.
 */
import { type Authority, parseAuthority } from "../target.ts";

/** Hosts remembered; one more, and all are forgotten. Names come from clients. */
export const AUTHORITIES_KEPT = 1024;

export class Authorities {
	readonly #known = new Map<string, Authority>();
	#lastText = "";
	#last: Authority | undefined;

	/** Hot. @returns as `parseAuthority`; the same object for the same text as long as it is remembered */
	of(text: string): Authority | undefined {
		// Most often it is the host of the request before; comparing is cheaper than hashing.
		if (text === this.#lastText) return this.#last;
		const authority = this.#known.get(text) ?? this.#parse(text);
		if (authority === undefined) return undefined;
		this.#lastText = text;
		this.#last = authority;
		return authority;
	}

	#parse(text: string): Authority | undefined {
		const authority = parseAuthority(text);
		if (authority === undefined) return undefined;
		if (this.#known.size >= AUTHORITIES_KEPT) this.#known.clear();
		this.#known.set(text, authority);
		return authority;
	}
}

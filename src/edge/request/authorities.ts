/**
 * Parsed `host` fields. Clients name the same few hosts again and again, so each is parsed once and remembered.
 * Called by `request-head.ts` for every request.
 */
import { type Authority, parseAuthority } from "../../http/target.ts";

/** Hosts remembered. One more, and all are forgotten, because clients choose the names. */
export const AUTHORITIES_KEPT = 1024;

interface Known {
	readonly text: string;
	readonly authority: Authority;
}

/** A part of a string keeps the whole alive, and `text` may be a part of a header. */
const copyOf = (text: string): string => Buffer.from(text).toString();

export class Authorities {
	readonly #known = new Map<string, Known>();
	#last: Known | undefined;

	/** Hot. @returns as `parseAuthority`; the same object for the same text as long as it is remembered */
	of(text: string): Authority | undefined {
		// Most often it is the host of the request before; comparing is cheaper than hashing.
		if (text === this.#last?.text) return this.#last.authority;
		const known = this.#known.get(text) ?? this.#parse(text);
		if (known === undefined) return undefined;
		this.#last = known;
		return known.authority;
	}

	#parse(text: string): Known | undefined {
		const copy = copyOf(text);
		const authority = parseAuthority(copy);
		if (authority === undefined) return undefined;
		if (this.#known.size >= AUTHORITIES_KEPT) this.#known.clear();
		const known = { text: copy, authority };
		this.#known.set(copy, known);
		return known;
	}
}

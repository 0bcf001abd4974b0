/**
 * Parsed `host` fields. Clients name the same few hosts again and again, so each is parsed once and remembered.
 * Called by `request-head.ts` for every request.
 */
import { Cache } from "../../cel/cache.ts";
import { HashTable, hashOf } from "../../hash-table.ts";
import { type Authority, parseAuthority } from "../../http/target.ts";
import { LIMITS } from "../../limits/limits.ts";
import { ownCopy } from "../../own-copy.ts";

/**
 * Clients choose the names, so there is a bound: of so many hosts met lately, and as many met before them. Who is met again
 * stays, however many others pass by.
 */
export const AUTHORITIES_KEPT = 1024;

/** characters of a host with its port: a longer text is none, and is not looked for */
const LONGEST = LIMITS.hostCharacters + ":65535".length;

export interface MetAuthority extends Authority {
	/** as it came */
	readonly text: string;
}

class AuthorityTable extends HashTable<string, MetAuthority> {
	protected hash(text: string): number {
		return hashOf(text);
	}
	protected isOf(authority: MetAuthority, text: string): boolean {
		return authority.text === text;
	}
}

export class Authorities {
	readonly #met = new Cache<MetAuthority>(AUTHORITIES_KEPT, undefined, () => new AuthorityTable());
	#last: MetAuthority | undefined;

	/** Hot. As `of`, of a part of a text: of the host of the request before, most often, which costs no object then. */
	within(text: string, at: number, length: number): MetAuthority | undefined {
		const last = this.#last;
		const isLast = last?.text.length === length && text.startsWith(last.text, at);
		return isLast ? last : this.of(text.slice(at, at + length));
	}

	/** Hot. @returns as `parseAuthority`; the same object for the same text as long as it is remembered */
	of(text: string): MetAuthority | undefined {
		// Most often it is the host of the request before; comparing is cheaper than hashing.
		if (this.#last?.text === text) return this.#last;
		if (text.length > LONGEST) return undefined;
		const authority = this.#met.get(text) ?? this.#parsed(text);
		if (authority !== undefined) this.#last = authority;
		return authority;
	}

	/** @param text may be a part of a header */
	#parsed(text: string): MetAuthority | undefined {
		const own = ownCopy(text);
		const authority = parseAuthority(own);
		if (authority === undefined) return undefined;
		const { host, port } = authority;
		return this.#met.put(own, { text: own, host, port, found: undefined, foundFor: undefined });
	}
}

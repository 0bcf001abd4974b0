/**
 * Asks the system and DNS about one name. The system's resolver (getaddrinfo: hosts file, search domains,
 * every other source that `nsswitch.conf` names) decides which addresses the name has, as for all programs of the
 * machine; but it tells no time to live, so DNS is asked for that. Used by `watched-name.ts`.
 */
import { ADDRCONFIG, lookup, Resolver } from "node:dns";
import { isIPv4, isIPv6 } from "node:net";
import { fail, ok, type Result } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { DnsRecord } from "./time-to-live.ts";

export interface NameLookups {
	/** Calls `done` once; the error is a sentence that names the name. */
	addresses(name: string, done: (result: Result<readonly string[], string>) => void): void;
	/**
	 * Calls `done` once, with no records if there are none or no server answered.
	 * @param addresses as the system gave them; only their families are asked for
	 */
	records(
		name: string,
		addresses: readonly string[],
		done: (records: readonly DnsRecord[]) => void,
	): void;
}

/** Names that DNS is never asked for (RFC 6761 6.3). */
const isLocal = (name: string): boolean => /(?:^|\.)localhost\.?$/.test(name);

/** A new one reads `resolv.conf` again, as getaddrinfo does; it takes 33 µs. */
const systemResolver = (): Resolver => new Resolver({ timeout: LIMITS.nameTtlMs, tries: 2 });

export class SystemLookups implements NameLookups {
	readonly #makeResolver: () => Resolver;

	constructor(makeResolver: () => Resolver = systemResolver) {
		this.#makeResolver = makeResolver;
	}

	/**
	 * In the system's order (RFC 6724), which mixes families. Addresses of a family of which the machine itself has
	 * no address are left out, as `net.connect` does.
	 */
	addresses(name: string, done: (result: Result<readonly string[], string>) => void): void {
		lookup(name, { all: true, order: "verbatim", hints: ADDRCONFIG }, (error, addresses) => {
			if (error === null) done(ok(addresses.map(({ address }) => address)));
			else done(fail(error.message));
		});
	}

	records(
		name: string,
		addresses: readonly string[],
		done: (records: readonly DnsRecord[]) => void,
	): void {
		const families = isLocal(name)
			? []
			: [
					...(addresses.some(isIPv4) ? (["resolve4"] as const) : []),
					...(addresses.some(isIPv6) ? (["resolve6"] as const) : []),
				];
		if (families.length === 0) {
			done([]);
			return;
		}
		const resolver = this.#makeResolver();
		const found: DnsRecord[] = [];
		let unanswered = families.length;
		for (const family of families) {
			resolver[family](name, { ttl: true }, (error, records) => {
				if (error === null) {
					found.push(...records.map(({ address, ttl }) => ({ address, ttlSeconds: ttl })));
				}
				unanswered -= 1;
				if (unanswered === 0) done(found);
			});
		}
	}
}

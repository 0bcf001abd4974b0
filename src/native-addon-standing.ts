/**
 * The part of the addon that answers requests in JavaScript's place (native/README.md, "Standing refusals"). Its typed
 * face is `http/standing.ts`. A part of `NativeAddon` (`native-addon.ts`).
 */

/** Text is latin1, a character a byte. */
export interface StandingAnswer {
	/** in their order; behind each but the last stands what changes */
	readonly pieces: readonly string[];
	/** a letter for each: `d` the line of the date, `s` the seconds to wait, `l` the content's length */
	readonly holes: string;
	/** of the content without its seconds */
	readonly contentBytes: number;
	/** how often those stand in it */
	readonly contentSeconds: number;
}

/** One way to refuse. */
export interface NativeRefusal extends StandingAnswer {
	/** only those are refused whom the limiter would reject */
	readonly isLimited: boolean;
	/** `RateLimiter.handle`, if limited */
	readonly limiter: number;
	readonly windowSeconds: number;
	/** parts of its key: `h` for the host, `a` for the client's address, `f` and the name of a field in lower case */
	readonly key: readonly string[];
	readonly ipv6Prefix: number;
}

/** Who is refused, and how. */
export interface NativeGuard {
	/**
	 * Instructions, each of ten numbers: kind, subject, comparison, what a field that is not there is, whether case
	 * counts, the field's name, what it is about and how many of them, and the next instructions
	 */
	readonly code: Uint32Array;
	readonly texts: readonly string[];
	/** numbers of sets of addresses */
	readonly sets: Uint32Array;
	readonly refusals: readonly NativeRefusal[];
}

/** Which requests are looked at. */
export interface NativeStanding {
	/** its number in the front */
	readonly listener: number;
	/** as clients write it, and in normal form */
	readonly host: string;
	readonly normalHost: string;
	/** in normal form: the whole one, or what it begins with */
	readonly path: string;
	readonly isExact: boolean;
	/** its number */
	readonly guard: number;
}

/** Of one refused request. */
export interface StandingFact {
	readonly number: number;
	/** of the guard */
	readonly refusal: number;
	readonly wallMs: number;
	/** in network order */
	readonly address: Uint8Array;
	readonly method: string;
	readonly path: string;
}

/** Numbers are JavaScript's choice, from 0. */
export interface StandingAddon {
	/** As `AddressSegments` has them. */
	putAddresses(
		number: number,
		v4: Uint32Array,
		v4Lengths: Uint8Array,
		v6: Uint32Array,
		v6Lengths: Uint8Array,
	): void;
	/** Guards that have it keep it. */
	dropAddresses(number: number): void;
	/** @returns false, and there is none, if a limiter of it is not open @throws TypeError a step of it leads nowhere */
	putGuard(number: number, guard: NativeGuard): boolean;
	/** What stands by it keeps it. */
	dropGuard(number: number): void;
	/** In place of what had the number. */
	putStanding(number: number, standing: NativeStanding): void;
	/** It looks again, if it had looked in vain too often. */
	wakeStanding(number: number): void;
	/** What it counted since it was last taken is lost. */
	dropStanding(number: number): void;
	/** Of all of them, with all guards and addresses. */
	clearStanding(): void;
	/**
	 * @param counts number, which refusal of its guard (below 0: −1 − a rule that has let pass), requests, bytes of content,
	 * and so on
	 * @returns how many were written
	 */
	takeStanding(counts: Float64Array): number;
	/** @param wanted how many are kept from now on */
	takeStandingFacts(wanted: number): StandingFact[];
}

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

/** Which requests are refused, and how. */
export interface NativeStanding extends StandingAnswer {
	/** its number in the front */
	readonly listener: number;
	/** as clients write it */
	readonly host: string;
	/** in normal form: the whole one, or what it begins with */
	readonly path: string;
	readonly isExact: boolean;
	/** only those are refused whom the limiter would reject */
	readonly isLimited: boolean;
	/** `RateLimiter.handle`, if limited */
	readonly limiter: number;
	readonly windowSeconds: number;
	/** parts of its key: `h` and a text, `a` for the client's address, `f` and the name of a field in lower case */
	readonly key: readonly string[];
	readonly ipv6Prefix: number;
}

/** Of one refused request. */
export interface StandingFact {
	readonly number: number;
	readonly wallMs: number;
	/** in network order */
	readonly address: Uint8Array;
	readonly method: string;
	readonly path: string;
}

/** Numbers are JavaScript's choice, from 0. */
export interface StandingAddon {
	/** In place of what had the number. @returns false, and there is none, if its limiter is not open */
	putStanding(number: number, refusal: NativeStanding): boolean;
	/** It looks again, if it had looked in vain too often. */
	wakeStanding(number: number): void;
	/** What it counted since it was last taken is lost. */
	dropStanding(number: number): void;
	/** Of all of them. */
	clearStanding(): void;
	/** @param counts number, requests, bytes of content, and so on @returns how many were written */
	takeStanding(counts: Float64Array): number;
	/** @param wanted how many are kept from now on */
	takeStandingFacts(wanted: number): StandingFact[];
}

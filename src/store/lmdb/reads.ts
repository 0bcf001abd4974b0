/**
 * One ordered map of text keys and text values, as this project reads and writes it: `database.ts` has it in LMDB, a
 * fleet's overlay over another one.
 */

/** `start` ≤ key < `end`, ascending; with `reverse` the same keys from the last to the first. */
export interface KeyRange {
	readonly start: string;
	readonly end: string;
	readonly reverse?: boolean;
	readonly limit?: number;
}

export interface Reads {
	get(key: string): string | undefined;
	range(range: KeyRange): Iterable<{ readonly key: string; readonly value: string }>;
	/** without reading the values, which may be large */
	keys(range: KeyRange): Iterable<string>;
	count(range: KeyRange): number;
}

/** Valid inside the callback of `Database.commit` only. */
export interface Writes extends Reads {
	put(key: string, value: string): void;
	remove(key: string): void;
	/** Removes all that is in the range. @returns how many there were */
	clear(range: KeyRange): number;
}

/** One commit, for as long as somebody reads it. */
export interface HeldReads extends Reads {
	/** What is freed meanwhile can't be used again until then. */
	release(): void;
}

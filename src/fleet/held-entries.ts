/**
 * All documents of one commit, for a snapshot that is written over many turns of the event loop. What the store frees
 * meanwhile it can't use again, so a reader that never comes is not waited for. Used by `store-state.ts`.
 */
import { LIMITS } from "../limits/limits.ts";
import { PRIMARY_PREFIXES, under } from "../store/layout.ts";
import type { HeldReads } from "../store/lmdb/database.ts";

/** To be read once. */
export function heldEntries(
	reads: HeldReads,
): AsyncIterable<readonly [key: string, value: string]> {
	let isFree = true;
	const unwanted = setTimeout(() => {
		isFree = false;
		reads.release();
	}, LIMITS.fleetSnapshotWaitMs).unref();
	return {
		[Symbol.asyncIterator]: () => {
			if (!isFree) throw new Error("a snapshot is read once, and at once");
			isFree = false;
			clearTimeout(unwanted);
			return entriesOf(reads);
		},
	};
}

async function* entriesOf(reads: HeldReads): AsyncGenerator<readonly [key: string, value: string]> {
	let characters = 0;
	try {
		for (const prefix of PRIMARY_PREFIXES) {
			for (const { key, value } of reads.range(under(prefix))) {
				yield [key, value];
				characters += value.length + CHARACTERS_OF_AN_ENTRY;
				if (characters < CHARACTERS_PER_TURN) continue;
				characters = 0;
				await new Promise((resolve) => setImmediate(resolve));
			}
		}
	} finally {
		reads.release();
	}
}

/** Some milliseconds; an entry without a value takes as long as so many characters of one. */
const CHARACTERS_PER_TURN = 1_048_576;
const CHARACTERS_OF_AN_ENTRY = 1000;

export const countOf = (reads: HeldReads): number =>
	PRIMARY_PREFIXES.reduce((count, prefix) => count + reads.count(under(prefix)), 0);

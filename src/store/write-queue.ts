/**
 * What a write of the store waits in until its turn: `commit-queue.ts` on a machine of its own, a fleet's queue where many
 * machines share one configuration. Both run the same operations of `writes.ts`.
 */
import type { Database, Writes } from "./lmdb/database.ts";
import type { StoreError } from "./store-error.ts";

/** Whose write it is, and when; comes from outside, so that an operation reads no clock. */
export interface WriteOrigin {
	/** RFC 3339 with milliseconds */
	readonly at: string;
	/** id of the API key, `key_…`; undefined: the configured key, the start, a command */
	readonly key?: string | undefined;
	/** its name, for people */
	readonly keyName?: string | undefined;
	/** of the management request, `req_…` */
	readonly requestId?: string | undefined;
	/** somebody waits until the whole fleet has it: its machines are asked to say so at once */
	readonly isAwaited?: boolean | undefined;
	/** in a fleet: its level is to be this one at least when the write is done */
	readonly level?: number | undefined;
	/** told before the write resolves: the fleet's revision that holds it, and the digest of the state there */
	readonly onRevision?: ((revision: number, digest: string) => void) | undefined;
}

export interface WriteQueue {
	/**
	 * @param operation reads, decides and writes; a pure function of what it reads and of what it closes over, for it
	 * may run again, on a later state
	 * @returns its value once the write is durable @throws StoreError, or what `operation` throws
	 */
	write<T>(operation: (transaction: Writes) => T, origin: WriteOrigin): Promise<T>;
	/** Resolves when nothing waits any more. */
	idle(): Promise<void>;
	/** From now on writes are refused with `refusal`. Resolves when those of before are durable. */
	hold(refusal: StoreError): Promise<void>;
	/** Writes are taken again. */
	release(): void;
	readonly isHeld: boolean;
}

/** @param database of a store that has just been opened */
export type QueueMaker = (database: Database) => WriteQueue;

/**
 * The one module that imports lmdb: text keys to text values in one ordered map, read from snapshots and
 * written in transactions that are on disk when they return. Everything else in this room is written
 * against `Reads` and `Writes` and knows nothing of LMDB.
 *
 * Commits are synchronous on purpose. `overlappingSync: false` makes LMDB's own commit write the data
 * pages, `fdatasync` them, then write the meta page through an `O_DSYNC` descriptor, so a commit that
 * has returned survives the machine. The library's asynchronous transactions add a thread hand-over for
 * each batch and resolve `committed` and `flushed` separately; `commit-queue.ts` batches instead.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { open, type RootDatabase } from "lmdb";
import { LIMITS } from "../limits.ts";
import { describeStoreFailure, StoreError } from "./store-error.ts";
import { prepareFile } from "./store-file.ts";

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
}

export class Database implements Reads {
	readonly #root: RootDatabase<string, string>;
	readonly #directory: string;

	private constructor(root: RootDatabase<string, string>, directory: string) {
		this.#root = root;
		this.#directory = directory;
	}

	/**
	 * @param directory made if missing, unless `readOnly`
	 * @throws StoreError no store there (`readOnly`), no permission, or the file is damaged
	 */
	static open(directory: string, options: { readonly readOnly: boolean }): Database {
		const { readOnly } = options;
		const file = join(directory, "data.mdb");
		if (readOnly && !existsSync(file)) {
			throw new StoreError(`no store in ${directory}: nothing has been stored there yet`);
		}
		try {
			if (!readOnly) mkdirSync(directory, { recursive: true, mode: 0o700 });
			prepareFile(file, readOnly);
			const root = open<string, string>({
				path: directory,
				noSubdir: false,
				encoding: "string",
				mapSize: LIMITS.storeBytes,
				overlappingSync: false,
				cache: false,
				readOnly,
			});
			return new Database(root, directory);
		} catch (error) {
			throw describeStoreFailure(error, directory);
		}
	}

	get(key: string): string | undefined {
		return this.#guard(() => this.#root.get(key));
	}

	*range(range: KeyRange): Iterable<{ readonly key: string; readonly value: string }> {
		try {
			yield* this.#root.getRange(reversible(range));
		} catch (error) {
			throw describeStoreFailure(error, this.#directory);
		}
	}

	*keys(range: KeyRange): Iterable<string> {
		try {
			yield* this.#root.getKeys(reversible(range));
		} catch (error) {
			throw describeStoreFailure(error, this.#directory);
		}
	}

	count(range: KeyRange): number {
		return this.#guard(() => this.#root.getKeysCount(reversible(range)));
	}

	/** Lets the reads that follow see everything that any process has committed so far. */
	refresh(): void {
		this.#root.resetReadTxn();
	}

	/**
	 * Runs `work` in a write transaction; committed and synced to disk when this returns. Blocks while
	 * another process writes. @throws whatever `work` throws, then nothing of it is kept; StoreError
	 */
	commit<T>(work: (transaction: Writes) => T): T {
		const root = this.#root;
		const transaction: Writes = {
			get: (key) => root.get(key),
			range: (range) => root.getRange(reversible(range)),
			keys: (range) => root.getKeys(reversible(range)),
			count: (range) => root.getKeysCount(reversible(range)),
			put: (key, value) => root.putSync(key, value),
			remove: (key) => void root.removeSync(key),
		};
		return this.#guard(() => root.transactionSync(() => work(transaction)));
	}

	async close(): Promise<void> {
		await this.#root.close();
	}

	#guard<T>(action: () => T): T {
		try {
			return action();
		} catch (error) {
			throw describeStoreFailure(error, this.#directory);
		}
	}
}

/** lmdb walks backwards from `start` down to, but without, `end`; our bounds never are keys themselves. */
function reversible({ start, end, reverse, limit }: KeyRange): object {
	const bounds = reverse ? { start: end, end: start, reverse: true } : { start, end };
	return limit === undefined ? bounds : { ...bounds, limit };
}

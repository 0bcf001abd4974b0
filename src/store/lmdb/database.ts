/**
 * The one module that imports lmdb: text keys to text values in one ordered map, read from snapshots and
 * written in transactions that are on disk when they return. Everything else in this room is written
 * against `Reads` and `Writes` and knows nothing of LMDB.
 *
 * Commits are synchronous on purpose. `overlappingSync: false` makes LMDB's own commit write the data
 * pages, `fdatasync` them, then write the meta page through an `O_DSYNC` descriptor, so a commit that
 * has returned survives the machine. The library's asynchronous transactions add a thread hand-over for
 * each batch and resolve `committed` and `flushed` separately; `commit-queue.ts` batches instead.
 *
 * A sync of data pages that fails takes its transaction along, and the next one may be tried: what a
 * failed sync has not written, even if the kernel forgets that it hasn't, are pages that no meta page
 * refers to, and a later transaction writes and syncs all of its own anew. A meta page that fails may
 * be on the disk or not: LMDB then refuses all transactions, and so do we, until a restart.
 */
import { join } from "node:path";
import { open, type RootDatabase } from "lmdb";
import { LIMITS } from "../../limits/limits.ts";
import { describeStoreFailure, noRoom, StoreError } from "../store-error.ts";
import { hasRoom, takeRoom } from "./disk-room.ts";
import { DATA_FILE, HeldFiles } from "./held-files.ts";
import { makeFolder } from "./make-folder.ts";
import type { HeldReads, KeyRange, Reads, Writes } from "./reads.ts";
import { hasContent, prepareFile } from "./store-file.ts";

export type { HeldReads, KeyRange, Reads, Writes };

/** For nobody but weir's user, whatever the umask; lmdb's types leave it out. */
const PRIVATE = { permissionsMode: 0o600 };

/** a range is read so many entries at a time: some tenth of a millisecond */
const ENTRIES_PER_LOOK = 256;

export class Database implements Reads {
	readonly #root: RootDatabase<string, string>;
	readonly #directory: string;
	readonly #files: HeldFiles;

	private constructor(root: RootDatabase<string, string>, directory: string) {
		this.#root = root;
		this.#directory = directory;
		this.#files = new HeldFiles(directory);
	}

	/**
	 * @param directory made if missing, unless `readOnly`
	 * @param options.isPassing nobody reads it after this process: nothing waits for the disk
	 * @throws StoreError no store there (`readOnly`), no permission, or the file is damaged
	 */
	static open(
		directory: string,
		options: { readonly readOnly: boolean; readonly isPassing?: boolean },
	): Database {
		const { readOnly, isPassing = false } = options;
		const file = join(directory, DATA_FILE);
		if (readOnly && !hasContent(file)) {
			throw new StoreError(`no store in ${directory}: nothing has been stored there yet`);
		}
		try {
			if (!readOnly) makeFolder(directory);
			prepareFile(file, readOnly);
			takeRoom(directory, readOnly);
			const root = open<string, string>({
				path: directory,
				noSubdir: false,
				encoding: "string",
				mapSize: LIMITS.storeBytes,
				...PRIVATE,
				overlappingSync: false,
				noSync: isPassing,
				cache: false,
				readOnly,
			});
			return Database.#over(root, directory);
		} catch (error) {
			throw describeStoreFailure(error, directory);
		}
	}

	static #over(root: RootDatabase<string, string>, directory: string): Database {
		try {
			return new Database(root, directory);
		} catch (error) {
			void root.close();
			throw error;
		}
	}

	get directory(): string {
		return this.#directory;
	}

	/** Tells the data file from every other on this machine. */
	get identity(): string {
		return this.#files.identity;
	}

	/** Why nothing is written until a restart; undefined if all is well. Looks at the files. */
	get loss(): StoreError | undefined {
		return this.#files.loss;
	}

	/** A copy of a lost store, for readers. @returns its identity @throws StoreError it can't be read any more */
	async copyTo(directory: string): Promise<string> {
		return this.#files.copyTo(join(directory, DATA_FILE));
	}

	get(key: string): string | undefined {
		return this.#read(() => this.#root.get(key));
	}

	range(range: KeyRange): Iterable<{ readonly key: string; readonly value: string }> {
		return this.#walk(() => this.#root.getRange(reversible(range)));
	}

	keys(range: KeyRange): Iterable<string> {
		return this.#walk(() => this.#root.getKeys(reversible(range)));
	}

	count(range: KeyRange): number {
		return this.#read(() => this.#root.getKeysCount(reversible(range)));
	}

	/** The newest commit, to be read over many turns of the event loop. */
	held(): HeldReads {
		this.refresh();
		const transaction = this.#read(() => this.#root.useReadTransaction());
		const of = (range: KeyRange): object => ({ ...reversible(range), transaction });
		return {
			get: (key) => this.#read(() => this.#root.get(key, { transaction })),
			range: (range) => this.#walk(() => this.#root.getRange(of(range))),
			keys: (range) => this.#walk(() => this.#root.getKeys(of(range))),
			count: (range) => this.#read(() => this.#root.getKeysCount(of(range))),
			release: () => transaction.done(),
		};
	}

	/** Lets the reads that follow see everything that any process has committed so far. */
	refresh(): void {
		if (this.#files.isReadable) this.#root.resetReadTxn();
	}

	/**
	 * Runs `work` in a write transaction; committed and synced to disk when this returns. Blocks while
	 * another process writes. @throws whatever `work` throws, then nothing of it is kept; StoreError
	 */
	commit<T>(work: (transaction: Writes) => T): T {
		const root = this.#root;
		let characters = 0;
		const transaction: Writes = {
			get: (key) => root.get(key),
			range: (range) => root.getRange(reversible(range)),
			keys: (range) => root.getKeys(reversible(range)),
			count: (range) => root.getKeysCount(reversible(range)),
			put: (key, value) => {
				characters += key.length + value.length;
				root.putSync(key, value);
			},
			remove: (key) => void root.removeSync(key),
			clear: (range) => {
				const keys = Array.from(root.getKeys(reversible(range)));
				for (const key of keys) root.removeSync(key);
				return keys.length;
			},
		};
		this.#files.assertWritable();
		try {
			const value = root.transactionSync(() => {
				const value = work(transaction);
				this.#files.assertNothingMissed();
				return value;
			});
			this.#files.assertNothingMissed();
			this.#files.assertWritable();
			return value;
		} catch (error) {
			throw isShortWrite(error) && !hasRoom(this.#directory, roomFor(characters))
				? noRoom(this.#directory, NO_SPACE)
				: this.#described(error);
		}
	}

	async close(): Promise<void> {
		if (this.#files.close()) await this.#root.close();
	}

	*#walk<T>(open: () => Iterable<T>): Iterable<T> {
		this.#files.assertReadable();
		let entries = 0;
		try {
			for (const entry of open()) {
				this.#files.assertNothingMissed();
				yield entry;
				if (++entries % ENTRIES_PER_LOOK === 0) this.#files.assertReadable();
			}
		} catch (error) {
			throw this.#described(error);
		}
		this.#files.assertNothingMissed();
	}

	#read<T>(action: () => T): T {
		this.#files.assertReadable();
		try {
			const value = action();
			this.#files.assertNothingMissed();
			return value;
		} catch (error) {
			throw this.#described(error);
		}
	}

	/** What lmdb makes of memory that is missing says nothing; what is missing does. */
	#described(error: unknown): unknown {
		if (isPanic(error)) return this.#files.giveUp("its index could not be written", error);
		const isLmdbs = !(error instanceof StoreError);
		if (isLmdbs && !this.#files.isReadable) return this.#files.loss;
		return describeStoreFailure(error, this.#directory);
	}
}

/** What lmdb makes of a write that wrote a part, and of a sync that failed; one that wrote nothing says where. */
const isShortWrite = (error: unknown): boolean =>
	error instanceof Error && /input\/output error$/i.test(error.message);

const NO_SPACE = new Error("no space left on device");

/** Bytes that a transaction may well write: its pages, those that lead to them, and what it frees. */
const roomFor = (characters: number): number => Math.max(LIMITS.storeRoomBytes, 4 * characters);

const isPanic = (error: unknown): boolean =>
	error instanceof Error && error.message.includes("MDB_PANIC");

/** lmdb walks backwards from `start` down to, but without, `end`; our bounds never are keys themselves. */
function reversible({ start, end, reverse, limit }: KeyRange): object {
	const bounds = reverse ? { start: end, end: start, reverse: true } : { start, end };
	return limit === undefined ? bounds : { ...bounds, limit };
}

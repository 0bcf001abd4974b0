/**
 * Failures of the store's files, in words that an operator can act on. Thrown while opening
 * (start-up), by writes that the disk refuses, and by everything once the files are lost; management/
 * answers 500, if full 507, if lost or held 503.
 */
import { LIMITS } from "../limits/limits.ts";

export class StoreError extends Error {
	/** the disk or the map has no room: reads still work, writes may again later */
	readonly full: boolean;
	/** the files are not what was opened (`held-files.ts`): only a restart helps */
	readonly lost: boolean;
	/** the data file is damaged, or another program's */
	readonly damaged: boolean;
	/** another process is taking over: the write may be tried again in a moment */
	readonly held: boolean;

	constructor(
		message: string,
		options: {
			readonly full?: boolean;
			readonly lost?: boolean;
			readonly damaged?: boolean;
			readonly held?: boolean;
			readonly cause?: unknown;
		} = {},
	) {
		super(message, { cause: options.cause });
		this.name = "StoreError";
		this.full = options.full ?? false;
		this.lost = options.lost ?? false;
		this.damaged = options.damaged ?? false;
		this.held = options.held ?? false;
	}
}

const DAMAGED = /MDB_(INVALID|CORRUPTED|PAGE_NOTFOUND|PANIC|BAD_TXN|VERSION_MISMATCH)/;
const MAP_FULL = /MDB_MAP_FULL/;
const FULL = /ENOSPC|No space left|EDQUOT|quota exceeded|EFBIG|File too large/i;
const DENIED = /EACCES|EPERM|EROFS|Permission denied|Read-only file system/i;
const NO_FOLDER = /ENOTDIR|EEXIST/;
const OURS =
	/MDB_|LMDB|lmdb|Attempting to |errno|ENOSPC|EACCES|EPERM|EROFS|EIO|ENOTDIR|EEXIST|Input\/output/;

/** lmdb's errors as `StoreError`s; every other error as it is. */
export function describeStoreFailure(error: unknown, directory: string): unknown {
	if (!(error instanceof Error) || error instanceof StoreError) return error;
	const text = `${error.message} ${String((error as { code?: unknown }).code ?? "")}`;
	if (MAP_FULL.test(text)) {
		return new StoreError(
			`the store in ${directory} has no room left: it holds the most that it may, ${LIMITS.storeBytes} bytes; delete what nobody needs`,
			{ full: true, cause: error },
		);
	}
	if (FULL.test(text)) return noRoom(directory, error);
	if (DENIED.test(text)) {
		return new StoreError(`no permission for the store in ${directory}: ${error.message}`, {
			cause: error,
		});
	}
	if (DAMAGED.test(text) || /not an LMDB file/i.test(text)) return damaged(directory, error);
	if (NO_FOLDER.test(text)) {
		const message = `${directory} is no folder, or is below a file; name another one with --data-dir, or data_dir in the configuration`;
		return new StoreError(message, { cause: error });
	}
	// What the system says of a file or a folder, such as a folder in the place of the data file, is no bug either.
	if (!OURS.test(text) && !("syscall" in error)) return error;
	return new StoreError(`the store in ${directory} failed: ${error.message}`, { cause: error });
}

/** Whether the system has said that there is no space, or none for this user. */
export const isFull = (error: unknown): boolean =>
	error instanceof Error &&
	FULL.test(`${error.message} ${String((error as { code?: unknown }).code ?? "")}`);

/** @param cause what the system says, whose first words are told; lmdb puts pages and positions behind them */
export function noRoom(directory: string, cause: Error): StoreError {
	const reason = cause.message.replace(/: Attempting to write.*/s, "");
	return new StoreError(
		`the store in ${directory} has no room left on its disk (${reason}), so nothing was changed; make room there and try again`,
		{ full: true, cause },
	);
}

export function damaged(directory: string, cause: unknown): StoreError {
	const reason = cause instanceof Error ? cause.message : String(cause);
	return new StoreError(
		`the store in ${directory} is damaged or not a store of weir (${reason}); restore it from a backup, or move the folder away to start empty`,
		{ damaged: true, cause },
	);
}

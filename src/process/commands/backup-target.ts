/**
 * Where a backup is written to: a file that appears under its name when it is whole and on the disk, for nobody but
 * weir's user, or stdout. Used by `backup` and, for what it replaces, by `restore`.
 */
import {
	closeSync,
	fsyncSync,
	lstatSync,
	openSync,
	readSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { beginsLikeBackup } from "../../store/backup/format.ts";
import { StoreError } from "../../store/open.ts";

export interface BackupTarget {
	write(bytes: Buffer): void;
	/** @throws StoreError it can't be had on the disk */
	keep(): void;
	/** Leaves nothing behind. */
	drop(): void;
}

/** @throws StoreError nothing can be written there, or something else would be overwritten */
export function backupFile(named: string): BackupTarget {
	const path = replaceable(named);
	const draft = join(dirname(path), `.${basename(path)}.part-${process.pid}`);
	const descriptor = attempt(path, () => openSync(draft, "wx", 0o600));
	return {
		write: (bytes) => attempt(path, () => writeAll(descriptor, bytes)),
		keep: () =>
			attempt(path, () => {
				fsyncSync(descriptor);
				closeSync(descriptor);
				renameSync(draft, path);
				syncFolder(dirname(path));
			}),
		drop: () => {
			rmSync(draft, { force: true });
		},
	};
}

/** @throws StoreError stdout is a terminal */
export function backupStream(descriptor: number, isTerminal: boolean): BackupTarget {
	if (isTerminal) {
		throw new StoreError("a backup is no text for a terminal; name a file, or redirect stdout");
	}
	return {
		write: (bytes) => attempt("stdout", () => writeAll(descriptor, bytes)),
		keep: () => {},
		drop: () => {},
	};
}

/**
 * A backup may be replaced by the next one; a config file whose name was typed by mistake may not.
 * @returns the file that a symbolic link leads to
 */
function replaceable(path: string): string {
	const stats = attempt(path, () => statSync(path, { throwIfNoEntry: false }));
	if (stats === undefined) {
		// the disk that it leads to may not be mounted; a backup beside the link would be looked for in vain
		if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
			throw new StoreError(
				`${path} is a symbolic link to a file that is not there; name the file itself`,
			);
		return path;
	}
	if (!stats.isFile()) {
		throw new StoreError(`${path} is no file that a backup could be written to; - is stdout`);
	}
	const descriptor = attempt(path, () => openSync(path, "r"));
	const head = Buffer.alloc(64);
	const bytes = readSync(descriptor, head, 0, head.length, 0);
	closeSync(descriptor);
	if (bytes === 0 || beginsLikeBackup(head.toString("latin1"))) return realpathSync(path);
	throw new StoreError(`${path} is there and is no backup of weir; choose another name`);
}

/** Also to a pipe that takes no more at the moment. */
export function writeAll(descriptor: number, bytes: Buffer): void {
	for (let at = 0; at < bytes.length; ) {
		try {
			at += writeSync(descriptor, bytes, at);
		} catch (error) {
			// a pipe whose reader is slow, and that another program has set so
			if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_PAUSE_MS);
		}
	}
}

const PIPE_PAUSE_MS = 5;

/** So that the name is on the disk too; not all systems let a folder be opened. */
function syncFolder(folder: string): void {
	let descriptor: number | undefined;
	try {
		descriptor = openSync(folder, "r");
		fsyncSync(descriptor);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EIO") throw error;
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
}

function attempt<T>(path: string, action: () => T): T {
	try {
		return action();
	} catch (error) {
		const reason = (error as Error).message;
		throw new StoreError(`the backup can't be written to ${path}: ${reason}`, { cause: error });
	}
}

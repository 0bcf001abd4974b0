/**
 * Room on the disk for the store's files. LMDB writes to the lock file through a mapping, so where its space was never
 * taken a full disk is a SIGBUS, and it can't undo a data file that it has begun and could not finish. So the space of
 * both is taken before LMDB opens them. What it writes later it writes by calls; those that write less than they
 * should, as the last ones on a full disk do, it reports as a failing disk (EIO), so then somebody has to look.
 * Called by `database.ts`, before any other store in this process has the folder open: closing a file lets go of all
 * locks that the process has on it.
 */
import {
	closeSync,
	constants,
	existsSync,
	fstatSync,
	linkSync,
	openSync,
	rmSync,
	statSync,
	unlinkSync,
	writeSync,
} from "node:fs";
import { join } from "node:path";
import { getSystemErrorName } from "node:util";
import { addon } from "../../native-addon.ts";
import { isFull } from "../store-error.ts";
import { DATA_FILE, LOCK_FILE } from "./held-files.ts";

/** As lmdb makes it for 126 readers; a file in use must not get longer, since LMDB derives its layout from this. */
const LOCK_FILE_BYTES = 8272;

/** Meta pages and first commits of a store: more than they take. */
const NEW_STORE_BYTES = 65_536;

/** Takes the space that opening the store needs. @throws Error ENOSPC or the like, with that `code` */
export function takeRoom(directory: string, readOnly: boolean): void {
	const lock = join(directory, LOCK_FILE);
	makeLockFile(lock);
	if (hasHoles(lock)) {
		withFile(lock, constants.O_RDWR, (descriptor) => {
			allocate(descriptor, fstatSync(descriptor).size, true);
		});
	}
	if (readOnly) return;
	withFile(join(directory, DATA_FILE), constants.O_RDWR | constants.O_CREAT, (descriptor) => {
		if (fstatSync(descriptor).size > 0 || allocate(descriptor, NEW_STORE_BYTES, false)) return;
		if (!hasRoom(directory, NEW_STORE_BYTES)) throw systemError("ENOSPC");
	});
}

/** As in lock files of older versions. */
function hasHoles(path: string): boolean {
	const stats = statSync(path, { throwIfNoEntry: false });
	return stats !== undefined && stats.blocks * 512 < stats.size;
}

/** Zeros under another name first: as soon as the file is there another process may write to it. */
function makeLockFile(path: string): void {
	if (existsSync(path)) return;
	const draft = `${path}.${process.pid}`;
	try {
		withFile(draft, constants.O_RDWR | constants.O_CREAT, (descriptor) => {
			if (allocate(descriptor, LOCK_FILE_BYTES, true)) return;
			fill(descriptor, LOCK_FILE_BYTES);
		});
		linkSync(draft, path);
	} catch (error) {
		// it is there already, or there are no links here: LMDB makes it
		if (isFull(error)) throw error;
	} finally {
		rmSync(draft, { force: true });
	}
}

/** Whether a file of so many bytes could be written to the folder now; true where that can't be known. */
export function hasRoom(directory: string, bytes: number): boolean {
	const path = join(directory, `.room-${process.pid}`);
	let descriptor: number;
	try {
		descriptor = openSync(path, "w", 0o600);
	} catch (error) {
		return !isFull(error);
	}
	try {
		unlinkSync(path);
		return allocate(descriptor, bytes, true) || fill(descriptor, bytes);
	} catch (error) {
		return !isFull(error);
	} finally {
		closeSync(descriptor);
	}
}

/** What can't be opened is left to LMDB to complain of, unless there is no room. */
function withFile(path: string, flags: number, use: (descriptor: number) => void): void {
	let descriptor: number;
	try {
		descriptor = openSync(path, flags, 0o600);
	} catch (error) {
		if (isFull(error)) throw error;
		return;
	}
	try {
		use(descriptor);
	} finally {
		closeSync(descriptor);
	}
}

/** @returns false where the file system can't, or not so @throws Error there is no space */
function allocate(descriptor: number, bytes: number, extended: boolean): boolean {
	const number = addon.allocateSpace(descriptor, bytes, extended);
	if (number === 0) return true;
	const error = systemError(getSystemErrorName(-number));
	if (isFull(error)) throw error;
	return false;
}

function fill(descriptor: number, bytes: number): true {
	const zeros = Buffer.alloc(PIECE_BYTES);
	for (let left = bytes; left > 0; )
		left -= writeSync(descriptor, zeros, 0, Math.min(left, zeros.length));
	return true;
}

const PIECE_BYTES = 65_536;

const SENTENCES: Readonly<Record<string, string>> = {
	ENOSPC: "no space left on device",
	EDQUOT: "disk quota exceeded",
	EFBIG: "file too large",
};

const systemError = (code: string): Error =>
	Object.assign(new Error(`${code}: ${SENTENCES[code] ?? "the system refused"}`), { code });

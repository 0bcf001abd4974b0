/**
 * Looks at the data file before LMDB maps it. Reading a mapped page beyond the end of a file is a
 * SIGBUS, which no handler of ours would survive, so a file that was cut short is first made as long as
 * its own meta page says: what is missing then reads as zeros, which LMDB and our digests recognise as
 * damage. Called by `database.ts` only.
 *
 * A sound file may be short as well (LMDB does not write pages that a transaction took and gave back),
 * so being short is no error by itself.
 */
import {
	closeSync,
	existsSync,
	fstatSync,
	ftruncateSync,
	openSync,
	readSync,
	statSync,
} from "node:fs";
import { endianness } from "node:os";
import { getSystemErrorName } from "node:util";
import { LIMITS } from "../../limits/limits.ts";
import { addon } from "../../native-addon.ts";
import { damaged } from "../store-error.ts";
import { checkTrees, LAST_PAGE_AT, META_BYTES, PAGE_SIZE_AT } from "./store-check.ts";

/** Offset inside a meta page of the LMDB version that the lmdb package 3.5 carries; `store-check.ts` has the others. */
const MAGIC_AT = 24;
const MAGIC = 0xbeefc0de;

/** Whether LMDB has begun a store there; where it never could, as on a full disk, the file is empty. */
export function hasContent(file: string): boolean {
	try {
		return statSync(file).size > 0;
	} catch {
		return false;
	}
}

/** @throws StoreError the file is no LMDB file, or its trees are damaged (looked at unless `readOnly`) */
export function prepareFile(file: string, readOnly: boolean): void {
	if (!existsSync(file)) return;
	const descriptor = openSync(file, readOnly ? "r" : "r+");
	try {
		const { size } = fstatSync(descriptor);
		if (size === 0) return;
		const needed = Math.max(bytesNeeded(descriptor, 0, file), 0);
		if (size < needed && readOnly) throw damaged(file, "the file is shorter than its index says");
		if (size < needed) ftruncateSync(descriptor, needed);
		if (!readOnly && isLittle) check(descriptor, file);
	} finally {
		closeSync(descriptor);
	}
}

/**
 * What `prepareFile` would find before a supervisor writes, without changing anything; processes that have the file
 * open may go on.
 * @returns whether a reader may open the file: a short one has to be made longer first
 * @throws StoreError as `prepareFile`
 */
export function inspectFile(file: string): boolean {
	const descriptor = openSync(file, "r");
	try {
		const { size } = fstatSync(descriptor);
		if (size === 0) return false;
		const needed = bytesNeeded(descriptor, 0, file);
		if (isLittle) check(descriptor, file);
		return fstatSync(descriptor).size >= needed;
	} finally {
		closeSync(descriptor);
	}
}

/** Read again and again, at every write. */
const meta = Buffer.alloc(META_BYTES);

/** Of a file that can't be looked at, for a reason that says nothing of the file. @param errno above 0 */
export const unseen = (errno: number): Error =>
	new Error(`a file of the store can't be looked at: ${getSystemErrorName(-errno)}`);

/** Whether both meta pages are still marked as such, in a file that lmdb has open. @throws Error they can't be read */
export function hasMetaPages(descriptor: number): boolean {
	const isMarked = (at: number): boolean => {
		const bytes = addon.readAt(descriptor, meta, at);
		if (bytes < 0) throw unseen(-bytes);
		return bytes === META_BYTES && word(meta, MAGIC_AT) === MAGIC;
	};
	return isMarked(0) && isMarked(word(meta, PAGE_SIZE_AT));
}

function check(descriptor: number, file: string): void {
	try {
		checkTrees(descriptor);
	} catch (error) {
		throw damaged(file, error);
	}
}

/** Bytes that the meta pages lay claim to. */
function bytesNeeded(descriptor: number, offset: number, file: string): number {
	const meta = Buffer.alloc(META_BYTES);
	const read = readSync(descriptor, meta, 0, META_BYTES, offset);
	if (read < META_BYTES || word(meta, MAGIC_AT) !== MAGIC) {
		throw damaged(file, "it does not begin like one");
	}
	const pageBytes = word(meta, PAGE_SIZE_AT);
	const isSound = pageBytes >= 256 && pageBytes <= 65_536 && (pageBytes & (pageBytes - 1)) === 0;
	const lastPage = long(meta, LAST_PAGE_AT);
	if (!isSound || lastPage * pageBytes > 4 * LIMITS.storeBytes) {
		throw damaged(file, "its first page makes no sense");
	}
	const own = (lastPage + 1) * pageBytes;
	return offset === 0 ? Math.max(own, bytesNeeded(descriptor, pageBytes, file)) : own;
}

const isLittle = endianness() === "LE";
const word = (bytes: Buffer, at: number): number =>
	isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
const long = (bytes: Buffer, at: number): number =>
	Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));

/**
 * Whether the store's files are still those that were opened, and as long as they were. LMDB does not
 * look: it goes on writing to a file that has no name any more, all of which is gone with the process,
 * and reads a file that was cut short beyond its end, which is a SIGBUS. So `database.ts` asks here
 * before it reads or writes, and again before a write is acknowledged.
 *
 * - Removed or replaced (the name is gone, or another file's): nothing more is written. What is open is
 *   whole and is read on.
 * - Cut short: nothing is read or written any more. LMDB never makes a file shorter, so one that is
 *   shorter than it was once seen was cut. One that was cut and written again between two looks shows
 *   by its meta pages, if it was cut to nothing.
 *
 * A look before a touch leaves a moment between them; `mapping-guard.ts` is there for that one. What was
 * found stays found: a file that comes back may be an older one. Only a restart reads it from the start.
 */
import {
	closeSync,
	createReadStream,
	createWriteStream,
	fstatSync,
	openSync,
	readdirSync,
	realpathSync,
	statSync,
} from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { addon } from "../../native-addon.ts";
import { StoreError } from "../store-error.ts";
import { MappingGuard } from "./mapping-guard.ts";
import { hasMetaPages, unseen } from "./store-file.ts";

export const DATA_FILE = "data.mdb";
export const LOCK_FILE = "lock.mdb";

interface HeldFile {
	readonly name: string;
	readonly path: string;
	readonly descriptor: number;
	readonly inode: number;
	readonly device: number;
	/** the largest that it was seen with */
	bytes: number;
}

export class HeldFiles {
	readonly #directory: string;
	readonly #held: { readonly data: HeldFile; readonly lock: HeldFile };
	readonly #files: readonly HeldFile[];
	readonly #guard = new MappingGuard();
	/** why nothing is written any more; undefined: all is well */
	#lost: StoreError | undefined;
	/** nothing is read any more either */
	#isUnreadable = false;

	/** After lmdb has opened them. */
	constructor(directory: string) {
		this.#directory = directory;
		this.#held = { data: this.#hold(DATA_FILE), lock: this.#hold(LOCK_FILE) };
		this.#files = Object.values(this.#held);
		for (const { path, descriptor } of this.#files) this.#guard.add(path, descriptor);
		keepFromChildren(this.#held.data);
	}

	/** Tells the data file from every other on this machine. */
	get identity(): string {
		const { device, inode } = this.#held.data;
		return identityOf(device, inode);
	}

	/** Why writes are refused until a restart; undefined if they aren't. Looks at the files. */
	get loss(): StoreError | undefined {
		if (!this.#areAsHeld()) {
			this.#lookAtSizes();
			if (this.#lost === undefined) this.#lookAtNames();
		}
		if (this.#lost === undefined && !hasMetaPages(this.#held.data.descriptor)) {
			this.giveUp(`${DATA_FILE} was overwritten`);
		}
		return this.#lost;
	}

	/** Whether the mapped memory may be touched. Looks at the files. */
	get isReadable(): boolean {
		if (this.#guard.hasMissed()) this.giveUp("a file was cut short");
		if (!this.#areAsLong()) this.#lookAtSizes();
		return !this.#isUnreadable;
	}

	/** @throws StoreError if the mapped memory may not be touched */
	assertReadable(): void {
		if (!this.isReadable) throw this.#lost;
	}

	/** @throws StoreError nothing may be written, or what was written is not in the store's files */
	assertWritable(): void {
		const { loss } = this;
		if (loss !== undefined) throw loss;
	}

	/** After a read. @throws StoreError what it gave is worthless */
	assertNothingMissed(): void {
		if (this.#guard.hasMissed()) throw this.giveUp("a file was cut short");
	}

	/**
	 * Writes the data file as it is held, whatever became of its name, to `path`. To be called when nothing
	 * is written any more. @returns the copy's identity
	 */
	async copyTo(path: string): Promise<string> {
		this.assertReadable();
		const { descriptor } = this.#held.data;
		await pipeline(
			createReadStream("", { fd: descriptor, autoClose: false, start: 0 }),
			createWriteStream(path, { mode: 0o600, flags: "wx" }),
		);
		this.assertReadable();
		const { dev, ino } = statSync(path);
		return identityOf(dev, ino);
	}

	/** LMDB itself refuses to go on. */
	giveUp(reason: string, cause?: unknown): StoreError {
		this.#isUnreadable = true;
		this.#lost ??= lost(this.#directory, reason, cause);
		return this.#lost;
	}

	/** Before lmdb closes. @returns false if lmdb had better not touch its memory any more */
	close(): boolean {
		if (!this.isReadable) return false;
		this.#guard.close();
		for (const { descriptor } of this.#files) closeSync(descriptor);
		return true;
	}

	#hold(name: string): HeldFile {
		const path = realpathSync(join(this.#directory, name));
		const descriptor = openSync(path, "r");
		const { ino: inode, dev: device, size } = fstatSync(descriptor);
		return { name, path, descriptor, inode, device, bytes: size };
	}

	/** As nearly always: one look at all, which tells as little as that. What is amiss is found by looks at each. */
	#areAsHeld(): boolean {
		const { data, lock } = this.#held;
		if (this.#lost !== undefined) return false;
		return grown(
			data,
			addon.filesAt(data.descriptor, data.bytes, lock.descriptor, lock.bytes, data.path, lock.path),
		);
	}

	#areAsLong(): boolean {
		const { data, lock } = this.#held;
		return grown(data, addon.filesBytes(data.descriptor, data.bytes, lock.descriptor, lock.bytes));
	}

	#lookAtSizes(): void {
		if (this.#isUnreadable) return;
		for (const file of this.#files) {
			const size = addon.fileBytes(file.descriptor);
			if (size < 0) throw unseen(-size);
			if (size < file.bytes) {
				this.giveUp(`${file.name} was cut from ${file.bytes} to ${size} bytes`);
			}
			file.bytes = size;
		}
	}

	#lookAtNames(): void {
		for (const { name, path, descriptor } of this.#files) {
			const change = changeOf(path, descriptor);
			if (change === undefined) continue;
			this.#lost = lost(this.#directory, `${name} was ${change}`);
			return;
		}
	}
}

/** @param bytes that it has now; -1: a look at it and another has found something amiss */
function grown(file: HeldFile, bytes: number): boolean {
	if (bytes >= 0) file.bytes = bytes;
	return bytes >= 0;
}

/** The process's own, on Linux and on macOS; roots of one's own making may lack the one or the other. */
const DESCRIPTORS = ["/proc/self/fd", "/dev/fd"];

/** None where no folder lists them. */
function ownDescriptors(): readonly string[] {
	for (const folder of DESCRIPTORS) {
		try {
			return readdirSync(folder);
		} catch {
			// the next one
		}
	}
	return [];
}

/** LMDB leaves its descriptor open for processes that are started, which would hand it on to theirs. */
function keepFromChildren({ device, inode }: HeldFile): void {
	for (const name of ownDescriptors()) {
		const descriptor = Number(name);
		try {
			const { dev, ino } = fstatSync(descriptor);
			if (dev === device && ino === inode) addon.keepFromChildren(descriptor);
		} catch {
			// that of the list itself
		}
	}
}

const identityOf = (device: number, inode: number): string => `${device}:${inode}`;

const { ENOENT, ENOTDIR, ELOOP } = constants.errno;
const GONE: readonly number[] = [ENOENT, ENOTDIR, ELOOP];

/** What can't be looked at for another reason has not changed, as far as one can tell. */
function changeOf(path: string, descriptor: number): string | undefined {
	const found = addon.fileAt(path, descriptor);
	if (found < 0) return "replaced";
	return GONE.includes(found) ? "removed" : undefined;
}

const lost = (directory: string, reason: string, cause?: unknown): StoreError =>
	new StoreError(
		`the store in ${directory} is lost: ${reason}. Nothing is stored any more, and this process keeps what it has read; put the files in order, from a backup if need be, and start weir again`,
		{ lost: true, cause },
	);

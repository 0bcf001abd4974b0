/**
 * Puts a backup in the place of what a store holds, in one transaction: whenever the process is killed, the store is
 * what it was or all of the backup. The store is owned meanwhile as a server owns it, so none can start, and where one
 * runs a restore is refused. Called by `process/commands/restore-command.ts`.
 */
import { randomUUID } from "node:crypto";
import { fstatSync, linkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { claimLayout, EVERYTHING, raiseLayout } from "../layout.ts";
import { Database, type Reads } from "../lmdb/database.ts";
import { hasRoom } from "../lmdb/disk-room.ts";
import { DATA_FILE, LOCK_FILE } from "../lmdb/held-files.ts";
import { fleetOf } from "../membership.ts";
import { claimOwnership, releaseOwnership } from "../owner.ts";
import { StoreError } from "../store-error.ts";
import { type BackupCounts, isKept, kindOf, NO_COUNTS } from "./format.ts";
import { type BackupFile, type ReadBackup, readBackup } from "./read-backup.ts";
import type { BackupWriting } from "./write-backup.ts";
import { writeBackup } from "./write-backup.ts";

export interface Restoring {
	/** replace what is there */
	readonly force: boolean;
	/** for names of what is set aside: letters and digits */
	readonly moment: string;
	/** where what is replaced goes, as a backup; called if there is anything, and then `keep` before it is replaced */
	readonly aside: (name: string) => Aside;
	readonly progress: (done: number) => void;
}

export interface Aside {
	readonly path: string;
	readonly writing: BackupWriting;
	/** to the disk, under its name */
	readonly keep: () => void;
	readonly drop: () => void;
}

export interface Restored extends ReadBackup {
	/** where that is which was there before; undefined: nothing was */
	readonly aside: string | undefined;
}

/**
 * Reads all of it, and changes nothing. @param progress is told how much is done, from 0 to 1
 * @throws StoreError it is not sound
 */
export function checkBackup(file: BackupFile, progress: (done: number) => void): ReadBackup {
	const { size } = fstatSync(file.descriptor);
	let [entries, characters] = [0, 0];
	return readBackup(file, ({ key, value }) => {
		characters += key.length + value.length;
		if (++entries % ENTRIES_PER_PROGRESS === 0) progress(Math.min(1, characters / size));
	});
}

/**
 * @param sound what `checkBackup` said of the same file
 * @throws StoreError a server runs on the store, it holds something and `force` is not given, there is no room; or
 *   the file has changed meanwhile. Then the store is as it was
 */
export async function restoreStore(
	directory: string,
	file: BackupFile,
	sound: ReadBackup,
	restoring: Restoring,
): Promise<Restored> {
	try {
		return await restoreInto(directory, file, sound, restoring);
	} catch (error) {
		if (!(error instanceof StoreError && error.damaged)) throw error;
		if (!restoring.force) {
			throw new StoreError(`${error.message}; --force sets it aside and restores into a new one`);
		}
	}
	return replaceDamaged(directory, file, sound, restoring);
}

/** What can't be read can't be kept as a backup, so its file gets another name once the new one is whole. */
async function replaceDamaged(
	directory: string,
	file: BackupFile,
	sound: ReadBackup,
	restoring: Restoring,
): Promise<Restored> {
	const [data, draft] = [
		join(directory, DATA_FILE),
		join(directory, `restore-${restoring.moment}`),
	];
	const aside = `${data}.damaged-${restoring.moment}`;
	try {
		const restored = await restoreInto(draft, file, sound, restoring);
		nameAlso(data, aside);
		// of readers that are gone; the new one's is made when it is opened
		rmSync(join(directory, LOCK_FILE), { force: true });
		renameSync(join(draft, DATA_FILE), data);
		return { ...restored, aside };
	} finally {
		rmSync(draft, { recursive: true, force: true });
	}
}

/** So that there is a data file at any moment; where there are no links, at almost any. */
function nameAlso(path: string, other: string): void {
	try {
		linkSync(path, other);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
		renameSync(path, other);
	}
}

async function restoreInto(
	directory: string,
	file: BackupFile,
	sound: ReadBackup,
	restoring: Restoring,
): Promise<Restored> {
	const database = Database.open(directory, { readOnly: false });
	try {
		const token = randomUUID();
		const owned = { token, file: database.identity, directory };
		database.commit((writes) => {
			claimLayout(writes, directory);
			assertRestorable(writes, directory);
			claimOwnership(writes, owned);
		});
		try {
			const aside = setAside(database, directory, restoring);
			if (aside === undefined) assertRoom(directory, sound);
			const read = replaceAll(database, file, sound, restoring);
			return { ...read, aside };
		} finally {
			release(database, token);
		}
	} finally {
		await database.close();
	}
}

function assertRestorable(reads: Reads, directory: string): void {
	const fleet = fleetOf(reads);
	if (fleet === undefined) return;
	throw new StoreError(
		`the store in ${directory} belongs to the fleet "${fleet}", whose machines would not hear of it; restore what weir fleet export wrote with weir fleet restore, or make this a machine of its own first with: weir fleet leave`,
	);
}

/** A record that can't be removed is that of a process that is gone soon. */
function release(database: Database, token: string): void {
	try {
		database.commit((writes) => releaseOwnership(writes, token));
	} catch (error) {
		if (!(error instanceof StoreError)) throw error;
	}
}

/** @returns where to; undefined: there is nothing */
function setAside(
	database: Database,
	directory: string,
	{ force, moment, aside }: Restoring,
): string | undefined {
	const held = contentOf(database);
	if (held === undefined) return undefined;
	if (!force) {
		throw new StoreError(
			`the store in ${directory} is not empty, it holds ${held}; --force replaces that, and keeps it as a backup beside the store`,
		);
	}
	const { path, writing, keep, drop } = aside(join(directory, `before-restore-${moment}.backup`));
	try {
		writeBackup(database, writing);
		keep();
	} catch (error) {
		drop();
		throw error;
	}
	return path;
}

/**
 * LMDB does not shrink a file that has grown by what it could not finish, so a disk that is too small is found out
 * before. Where something was there, space that is free in the file may do.
 */
function assertRoom(directory: string, { bytes }: ReadBackup): void {
	const needed = Math.ceil(bytes * STORE_BYTES_PER_BACKUP_BYTE);
	if (hasRoom(directory, needed)) return;
	throw new StoreError(
		`the store in ${directory} has no room left on its disk: the backup takes some ${needed} bytes; nothing was changed, make room there`,
		{ full: true },
	);
}

/** Documents of 100 to 1000 bytes: 1.17. */
const STORE_BYTES_PER_BACKUP_BYTE = 1.25;

function replaceAll(
	database: Database,
	file: BackupFile,
	sound: ReadBackup,
	{ progress }: Restoring,
): ReadBackup {
	return database.commit((writes) => {
		for (const key of Array.from(writes.keys(EVERYTHING))) if (isKept(key)) writes.remove(key);
		raiseLayout(writes, sound.header.layout);
		let done = 0;
		const read = readBackup(file, ({ key, value }) => {
			writes.put(key, value);
			if (++done % ENTRIES_PER_PROGRESS === 0) progress(done / sound.entries);
		});
		if (read.bytes !== sound.bytes || read.entries !== sound.entries) {
			throw new StoreError(`${file.name} was changed while it was read; nothing was restored`);
		}
		return read;
	});
}

const ENTRIES_PER_PROGRESS = 1000;

/** In words; undefined if there is nothing that anybody could miss. */
function contentOf(reads: Reads): string | undefined {
	const counts = { ...NO_COUNTS };
	for (const key of reads.keys(EVERYTHING)) {
		const kind = kindOf(key);
		if (kind !== undefined) counts[kind] += 1;
	}
	const isEmpty = Object.values(counts).every((count) => count === 0);
	return isEmpty ? undefined : countsInWords(counts);
}

const NAMES = {
	edges: ["edge", "edges"],
	routes: ["route", "routes"],
	policies: ["policy", "policies"],
	keys: ["key", "keys"],
	lists: ["address list", "address lists"],
} as const;

const KINDS = ["edges", "routes", "policies", "keys", "lists"] as const;

/** `1 edge, 2 routes, 2 policies, 0 keys`; address lists where there are any */
export const countsInWords = (counts: BackupCounts): string =>
	KINDS.filter((kind) => kind !== "lists" || counts.lists > 0)
		.map((kind) => `${counts[kind]} ${NAMES[kind][counts[kind] === 1 ? 0 : 1]}`)
		.join(", ");

/**
 * Writes a backup (`format.ts`) of one snapshot of the store. It is read beside the server and not by it: LMDB shows a
 * reader one commit, whatever is written meanwhile, and holds up nobody, so the server has no work with it and the same
 * code serves where none runs. What is freed while it reads can't be used again until it ends, so the store's file may
 * grow by what is changed meanwhile. Called by `process/commands/backup-command.ts`, and by `restore.ts` for what it
 * replaces.
 */
import { createHash } from "node:crypto";
import { LIMITS } from "../../limits/limits.ts";
import { assertLayout, assertSound, EVERYTHING } from "../layout.ts";
import { Database, type Reads } from "../lmdb/database.ts";
import { layoutAlone } from "../membership.ts";
import {
	type BackupCounts,
	type BackupHeader,
	entryLine,
	hasDigest,
	headerLine,
	isKept,
	kindOf,
	NO_COUNTS,
	trailerLine,
} from "./format.ts";

/** What was written or read. */
export interface BackupSummary extends BackupCounts {
	readonly entries: number;
	readonly bytes: number;
}

export interface BackupWriting {
	readonly about: Omit<BackupHeader, "layout">;
	/** takes a piece of the file */
	readonly write: (bytes: Buffer) => void;
	/** is told how much is done, from 0 to 1, again and again */
	readonly progress: (done: number) => void;
}

/** @throws StoreError there is no store, or it is damaged; whatever `write` throws */
export async function backUpStore(
	directory: string,
	writing: BackupWriting,
): Promise<BackupSummary> {
	const database = Database.open(directory, { readOnly: true });
	try {
		assertLayout(database, directory);
		return writeBackup(database, writing);
	} finally {
		await database.close();
	}
}

/** In one turn of the event loop, and so of one snapshot. */
export function writeBackup(
	reads: Reads,
	{ about, write, progress }: BackupWriting,
): BackupSummary {
	const total = reads.count(EVERYTHING);
	const counts = { ...NO_COUNTS };
	const hash = createHash("sha256");
	let [entries, bytes, seen] = [0, 0, 0];
	let lines = headerLine({ layout: layoutAlone(reads), ...about });
	const flush = (): void => {
		const piece = Buffer.from(lines);
		lines = "";
		hash.update(piece);
		write(piece);
		bytes += piece.length;
		progress(Math.min(1, seen / total));
	};
	for (const { key, value } of reads.range(EVERYTHING)) {
		seen += 1;
		if (!isKept(key)) continue;
		if (hasDigest(key)) assertSound(value, key);
		const kind = kindOf(key);
		if (kind !== undefined) counts[kind] += 1;
		entries += 1;
		lines += entryLine(key, value);
		if (lines.length >= LIMITS.backupChunkBytes) flush();
	}
	flush();
	const trailer = Buffer.from(trailerLine({ entries, sha256: hash.digest("hex") }));
	write(trailer);
	return { ...counts, entries, bytes: bytes + trailer.length };
}

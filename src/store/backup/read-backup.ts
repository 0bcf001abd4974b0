/**
 * Reads a backup (`format.ts`) from an open file, from its beginning, and checks all of it: its form, the digest of
 * each document and that of the whole. It is read twice by a restore, to see that it is sound and to store it, and
 * checked both times, as somebody may write to it meanwhile. Called by `restore.ts`.
 */
import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { LIMITS } from "../../limits/limits.ts";
import { assertSound } from "../layout.ts";
import { StoreError } from "../store-error.ts";
import {
	type BackupHeader,
	type BackupTrailer,
	beginsLikeBackup,
	hasDigest,
	isKnownKey,
	kindOf,
	NO_COUNTS,
	parseHeader,
	parseTrailer,
} from "./format.ts";
import type { BackupSummary } from "./write-backup.ts";

export interface BackupFile {
	/** as it is called in sentences */
	readonly name: string;
	/** of a file that can be read from any place */
	readonly descriptor: number;
}

interface Entry {
	readonly key: string;
	readonly value: string;
}

/** Everything that is in it, and that it is sound. @throws StoreError it is not */
export interface ReadBackup extends BackupSummary {
	readonly header: BackupHeader;
}

/** @param take gets each entry, before it is known whether the whole is sound @throws StoreError it is not */
export function readBackup(file: BackupFile, take: (entry: Entry) => void): ReadBackup {
	const lines = linesOf(file);
	const hash = createHash("sha256");
	const counts = { ...NO_COUNTS };
	let [entries, bytes, last] = [0, 0, ""];
	let header: BackupHeader | undefined;
	for (const line of lines) {
		bytes += Buffer.byteLength(line) + 1;
		const trailer = header === undefined ? undefined : parseTrailer(line);
		if (header !== undefined && trailer !== undefined) {
			assertWhole(file, trailer, entries, hash.digest("hex"));
			const behind = lines.next();
			if (behind.done !== true || behind.value !== "")
				throw damaged(file, "it goes on behind its last line");
			return { ...counts, entries, bytes, header };
		}
		hash.update(`${line}\n`);
		if (header === undefined) {
			header = headerOf(file, line);
			continue;
		}
		const entry = entryOf(file, line, entries + 2);
		if (entry.key <= last) throw damaged(file, `line ${entries + 2} is out of order`);
		last = entry.key;
		entries += 1;
		const kind = kindOf(entry.key);
		if (kind !== undefined) counts[kind] += 1;
		take(entry);
	}
	if (header === undefined) headerOf(file, "");
	throw damaged(file, "it is cut short, as its last line is missing");
}

function headerOf({ name }: BackupFile, line: string): BackupHeader {
	const header = parseHeader(line);
	if (typeof header === "string") throw new StoreError(`${name} ${header}`);
	return header;
}

function entryOf(file: BackupFile, line: string, number: number): Entry {
	const at = line.indexOf("\t");
	const [key, value] = [line.slice(0, Math.max(at, 0)), line.slice(at + 1)];
	if (!isKnownKey(key)) throw damaged(file, `line ${number} is no entry of a store`);
	if (!hasDigest(key)) return { key, value };
	try {
		assertSound(value, key);
	} catch {
		throw damaged(file, `line ${number}, ${key}, does not fit its digest`);
	}
	return { key, value };
}

function assertWhole(
	file: BackupFile,
	trailer: BackupTrailer,
	entries: number,
	sha256: string,
): void {
	if (trailer.entries !== entries) {
		throw damaged(file, `it has ${entries} entries where ${trailer.entries} should be`);
	}
	if (trailer.sha256 !== sha256) throw damaged(file, "it does not fit its digest");
}

const damaged = ({ name }: BackupFile, what: string): StoreError =>
	new StoreError(`${name} is damaged: ${what}; nothing was changed, take another backup`);

/** Whole lines, without what ends them. @returns what stands behind the last of these */
function* linesOf(file: BackupFile): Generator<string, string> {
	const piece = Buffer.alloc(LIMITS.backupChunkBytes);
	const decoder = new StringDecoder("utf8");
	let [rest, position] = ["", 0];
	for (;;) {
		const read = readSync(file.descriptor, piece, 0, piece.length, position);
		if (read === 0) return rest + decoder.end();
		// what is none of ours may have no lines at all
		if (position === 0 && !beginsLikeBackup(piece.toString("latin1"))) headerOf(file, "");
		position += read;
		const lines = (rest + decoder.write(piece.subarray(0, read))).split("\n");
		rest = lines.pop() ?? "";
		yield* lines;
		if (rest.length > LIMITS.backupLineCharacters) throw damaged(file, "a line is too long");
	}
}

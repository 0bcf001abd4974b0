/**
 * Reads the lines of logs: files, compressed ones (`.gz`) and stdin, one after the other, in pieces, so that a log may be
 * larger than memory. Called by `run-replay.ts`.
 */

import { createReadStream, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { LIMITS } from "../../limits/limits.ts";
import { readLine } from "../../replay/read-line.ts";
import { isStdin } from "../config/bounded-file.ts";

export interface LogFile {
	/** `-`: stdin */
	readonly path: string;
	/** undefined: nobody knows */
	readonly bytes: number | undefined;
}

/** @throws Error that names the system's reason */
export const logFile = (path: string): LogFile => {
	if (isStdin(path)) return { path, bytes: undefined };
	const status = statSync(path);
	if (status.isDirectory()) throw Object.assign(new Error("it is a folder"), { code: "EISDIR" });
	return { path, bytes: status.isFile() ? status.size : undefined };
};

const NEWLINE = 10;
const RETURN = 13;

/** Lines in a stream of pieces. */
export class LineSplitter {
	readonly #take: (line: string, number: number) => void;
	readonly #tooLong: (number: number) => void;
	#rest: Buffer = EMPTY;
	#isTooLong = false;
	#number = 0;

	/** @param take called with each line, without its end, and its number from 1 @param tooLong with the numbers of others */
	constructor(take: (line: string, number: number) => void, tooLong: (number: number) => void) {
		this.#take = take;
		this.#tooLong = tooLong;
	}

	/** Hot. */
	add(piece: Buffer): void {
		let from = 0;
		for (;;) {
			const end = piece.indexOf(NEWLINE, from);
			if (end < 0) break;
			this.#line(piece, from, end);
			from = end + 1;
		}
		this.#keep(piece.subarray(from));
	}

	/** What stands behind the last end is a line, too. */
	end(): void {
		if (this.#rest.length > 0 || this.#isTooLong) this.#line(EMPTY, 0, 0);
	}

	#line(piece: Buffer, from: number, end: number): void {
		this.#number++;
		const rest = this.#rest;
		const isTooLong = this.#isTooLong;
		this.#rest = EMPTY;
		this.#isTooLong = false;
		if (isTooLong) this.#tooLong(this.#number);
		else if (rest.length === 0) this.#take(textOf(piece, from, end), this.#number);
		else {
			const whole = Buffer.concat([rest, piece.subarray(from, end)]);
			this.#take(textOf(whole, 0, whole.length), this.#number);
		}
	}

	#keep(part: Buffer): void {
		if (part.length === 0 || this.#isTooLong) return;
		this.#isTooLong = this.#rest.length + part.length > LIMITS.replayLineBytes;
		this.#rest = this.#isTooLong ? EMPTY : Buffer.concat([this.#rest, part]);
	}
}

const EMPTY = Buffer.alloc(0);

/** Each line a text of its own: parts of it that are kept must not keep the whole piece. */
const textOf = (piece: Buffer, from: number, end: number): string =>
	piece.toString("utf8", from, end > from && piece[end - 1] === RETURN ? end - 1 : end);

interface OpenLog {
	readonly source: Readable;
	/** as they stand in the file; undefined: as they come */
	readonly bytesRead: (() => number) | undefined;
}

function open({ path }: LogFile): OpenLog {
	if (isStdin(path)) return { source: process.stdin, bytesRead: undefined };
	const file = createReadStream(path, { highWaterMark: LIMITS.replayChunkBytes });
	const bytesRead = (): number => file.bytesRead;
	if (!path.endsWith(".gz")) return { source: file, bytesRead };
	const plain = createGunzip({ chunkSize: LIMITS.replayChunkBytes });
	file.on("error", (error) => plain.destroy(error));
	return { source: file.pipe(plain), bytesRead };
}

/**
 * Resolves when the log is over, or `ended` says that it is enough, also while nothing comes.
 * @param told called with the bytes that have been read of the file @throws Error if it can't be read
 */
export async function readLog(
	file: LogFile,
	splitter: LineSplitter,
	told: (bytes: number) => void,
	ended: AbortSignal,
): Promise<void> {
	const { source, bytesRead } = open(file);
	let taken = 0;
	const end = (): void => void source.destroy();
	if (ended.aborted) end();
	ended.addEventListener("abort", end, { once: true });
	try {
		for await (const piece of source) {
			splitter.add(piece as Buffer);
			taken += (piece as Buffer).length;
			told(bytesRead?.() ?? taken);
			if (ended.aborted) return;
		}
		splitter.end();
	} catch (error) {
		if (!ended.aborted) throw error;
	} finally {
		ended.removeEventListener("abort", end);
	}
}

/** Files in the order of time, by their first requests, as rotation has numbered them the other way round. */
export async function inOrderOfTime(files: readonly LogFile[]): Promise<readonly LogFile[]> {
	if (files.length < 2) return files;
	const timed: { readonly file: LogFile; readonly atMs: number }[] = [];
	for (const file of files) {
		const atMs = isStdin(file.path) ? undefined : await firstMs(file);
		if (atMs === undefined) return files;
		timed.push({ file, atMs });
	}
	return timed.sort((one, other) => one.atMs - other.atMs).map(({ file }) => file);
}

/** @returns undefined if its first lines tell of no request */
async function firstMs(file: LogFile): Promise<number | undefined> {
	let found: number | undefined;
	const look = (line: string): void => {
		if (found !== undefined) return;
		const read = readLine(line);
		if (read.kind === "request") found = read.entry.startMs;
	};
	const enough = new AbortController();
	const splitter = new LineSplitter(look, () => {});
	// one piece
	await readLog(file, splitter, () => enough.abort(), enough.signal);
	return found;
}

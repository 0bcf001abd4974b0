/**
 * Reads a file that somebody has named, whatever it is: no more than a bound, which also a device has; and says why one
 * can't be read. Called by `config-file.ts`, process/check/check-files.ts, process/apply/resource-files.ts,
 * process/commands/restore-command.ts and process/replay/.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { fail, ok, type Result } from "../../errors.ts";

const PIECE_BYTES = 65_536;
const MIB = 1_048_576;

const REASONS: ReadonlyMap<string, string> = new Map([
	["ENOENT", "there is no such file"],
	["EISDIR", "it is a folder, and a file is needed"],
	["EACCES", "this user may not read it"],
]);

/** What the system says, in words. */
export function whyUnreadable(error: unknown): string {
	const { code, message } = error as NodeJS.ErrnoException;
	return code === undefined ? message : `${REASONS.get(code) ?? message} (${code})`;
}

/** How a command is told to read its standard input instead of a file. */
const STDIN = "-";
const STDIN_DESCRIPTOR = 0;

export const isStdin = (path: string): boolean => path === STDIN;

/** What messages call a file that a command was given. */
export const nameOfGiven = (path: string): string => (isStdin(path) ? "stdin" : path);

/** As `readBounded`, of standard input where the path is `-`. */
export const readGiven = (path: string, bytesMax: number): Result<Uint8Array, string> =>
	read(() => (isStdin(path) ? openStdin() : openSync(path, "r")), bytesMax);

/** Anew, so that one that does not block is waited for; a socket, as Node gives its children, can't be opened. */
function openStdin(): number {
	try {
		return openSync("/dev/stdin", "r");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENXIO") return STDIN_DESCRIPTOR;
		throw error;
	}
}

/** The error is a sentence. */
export const readBounded = (path: string, bytesMax: number): Result<Uint8Array, string> =>
	read(() => openSync(path, "r"), bytesMax);

function read(open: () => number, bytesMax: number): Result<Uint8Array, string> {
	let descriptor: number | undefined;
	try {
		descriptor = open();
		const bytes = readUpTo(descriptor, bytesMax + 1);
		if (bytes.byteLength <= bytesMax) return ok(bytes);
		return fail(`is larger than ${bytesMax / MIB} MiB, which no document is`);
	} catch (error) {
		return fail(`cannot be read: ${whyUnreadable(error)}`);
	} finally {
		// Standard input stays open: Node asks what it is.
		if (descriptor !== undefined && descriptor !== STDIN_DESCRIPTOR) closeSync(descriptor);
	}
}

function readUpTo(descriptor: number, bytesMax: number): Uint8Array {
	const pieces: Buffer[] = [];
	for (let bytes = 0; bytes < bytesMax; ) {
		const piece = Buffer.alloc(Math.min(PIECE_BYTES, bytesMax - bytes));
		const read = readSync(descriptor, piece);
		if (read === 0) break;
		pieces.push(piece.subarray(0, read));
		bytes += read;
	}
	return Buffer.concat(pieces);
}

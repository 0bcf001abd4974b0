/**
 * Reads a file that should hold a certificate or a key. A FIFO, a socket or a device is refused before it is opened: to
 * wait for one that writes would hold up the whole process, signals included, and the file is read more than once.
 * Used by `certificates.ts` and process/config/.
 */
import { readFileSync, statSync } from "node:fs";

/** @throws Error a sentence about the file, or the system's with its `code` */
export function readPemFile(path: string): Buffer {
	const status = statSync(path);
	if (status.isDirectory()) throw new Error(`${path} is a folder, and a file is needed`);
	if (!status.isFile())
		throw new Error(`${path} is no regular file (a FIFO, socket or device); write it to a file`);
	return readFileSync(path);
}

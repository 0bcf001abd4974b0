/**
 * Makes the store's folder and those above it. Not by `recursive: true`: where a file system makes no folders though the
 * one above is there (`/proc`), that tries for ever. Called by `database.ts`.
 */
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** One that is there stays as it is. @throws Error that of `mkdirSync` */
export function makeFolder(folder: string): void {
	if (existsSync(folder)) return;
	const above = dirname(folder);
	if (above !== folder) makeFolder(above);
	try {
		mkdirSync(folder, { mode: 0o700 });
	} catch (error) {
		// somebody else has made it meanwhile
		if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !existsSync(folder)) throw error;
	}
}

/**
 * Keeps the records that a machine gives up because the log has another history: a line of JSON each, in a file of
 * their own beside the store, for people to look at and to write again (docs/fleet.md, "Failures").
 */
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { LostRecord } from "./lost.ts";

/** @returns the file's path @throws Error of the system */
export function writeLostFile(directory: string, lost: readonly LostRecord[], now: Date): string {
	const time = now.toISOString().replaceAll(/[-:]/g, "").replace(".", "");
	const path = join(directory, `fleet-lost-${time}.jsonl`);
	const descriptor = openSync(path, "a", 0o600);
	try {
		for (const each of lost) writeSync(descriptor, `${JSON.stringify(each)}\n`);
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
	return path;
}

/** Reads one line of an access log, in whichever form it is: files may hold both. Called by `replay.ts`. Hot. */
import { combinedEntry } from "./combined-entry.ts";
import { jsonEntry } from "./json-entry.ts";
import type { ReadLine } from "./log-entry.ts";

export const readLine = (line: string): ReadLine =>
	line.charCodeAt(0) === BRACE ? jsonEntry(line) : combinedEntry(line);

const BRACE = 0x7b;

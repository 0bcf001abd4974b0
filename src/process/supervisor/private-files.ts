/**
 * Takes the rights on weir's files in the data folder away from other users. The folder holds policies, hashes of
 * keys and counters. New files are made with rights for weir's own user alone; files of an older version, or files
 * that were copied there, may have wider rights, which are narrowed at the start. The folder itself is weir's own if
 * weir has made it, and then nobody else may enter it; one that was there keeps its rights, since others may have
 * their reasons to look into it, and the log names them. Called by `supervisor/store-keeper.ts`.
 */
import { chmodSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { CONNECTIONS_FILE } from "../../edge/connection-limits.ts";
import { COUNTERS_FILE, setAsideName } from "../../limiter/counters-file.ts";
import { DATA_FILE, LOCK_FILE } from "../../store/lmdb/held-files.ts";

const OTHERS = 0o077;

/** Names of weir's files in the data folder; what else lies there is not ours. */
const OURS: readonly string[] = [
	DATA_FILE,
	LOCK_FILE,
	COUNTERS_FILE,
	setAsideName(COUNTERS_FILE),
	CONNECTIONS_FILE,
];

/** @returns sentences for the operator */
export function narrowFiles(folder: string): string[] {
	const files = ourFiles(folder).map((name) => join(folder, name));
	return [...wideFolder(folder), ...files.flatMap(narrow)];
}

function ourFiles(folder: string): string[] {
	try {
		return readdirSync(folder).filter((name) => OURS.includes(name));
	} catch {
		return [];
	}
}

/** What `narrowFiles` would find, without changing it. @returns sentences for the operator */
export function wideRights(folder: string): string[] {
	const files = ourFiles(folder).map((name) => join(folder, name));
	const wide = files.flatMap((path) => {
		const mode = wideMode(path);
		return mode === undefined
			? []
			: [`${path} has the rights ${rightsOf(mode)}; the start narrows them`];
	});
	return [...wideFolder(folder), ...wide];
}

function wideFolder(folder: string): string[] {
	const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
	if ((mode & OTHERS) === 0) return [];
	return [
		`the data folder ${folder} has the rights ${rightsOf(mode)}: other users can see more than they need; chmod 700 ${folder}`,
	];
}

const rightsOf = (mode: number): string => `0${(mode & 0o777).toString(8)}`;

/** undefined: nothing is to be narrowed */
function wideMode(path: string): number | undefined {
	const stats = lstatSync(path, { throwIfNoEntry: false });
	return stats?.isFile() === true && (stats.mode & OTHERS) !== 0 ? stats.mode : undefined;
}

function narrow(path: string): string[] {
	const mode = wideMode(path);
	if (mode === undefined) return [];
	const rights = rightsOf(mode);
	try {
		chmodSync(path, mode & 0o777 & ~OTHERS);
		return [`${path} had the rights ${rights}; others can't read or write it any more`];
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		return [`${path} has the rights ${rights}, which can't be narrowed: ${code}`];
	}
}

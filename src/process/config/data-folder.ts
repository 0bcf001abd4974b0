/**
 * Whether the data folder can be used, or made, by this user: found without making it. Called by
 * `start-obstacles.ts`; what the store in the folder is like, the store's own room tells.
 */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** @param folder absolute @returns a sentence */
export function folderObstacle(folder: string): string | undefined {
	try {
		if (existsSync(folder)) return problemOf(folder, "cannot be used", ALL);
		refuseImpossible(folder);
		const above = nearestAbove(folder);
		return problemOf(above, `has no room for ${folder}, which is not there`, MAKE);
	} catch (error) {
		return `${shortened(folder)} cannot be used: ${reasonOf(error)}`;
	}
}

const REASONS: ReadonlyMap<string, string> = new Map([
	["ENAMETOOLONG", "the name is too long"],
	["ERR_INVALID_ARG_VALUE", "a name holds no NUL"],
	["ELOOP", "its symbolic links lead in a circle"],
]);

/** Names that no file system takes, and circles of links, which are merely not there for `existsSync`. */
function refuseImpossible(folder: string): void {
	try {
		statSync(folder, { throwIfNoEntry: false });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") throw error;
	}
}

function reasonOf(error: unknown): string {
	const { code = String(error) } = error as NodeJS.ErrnoException;
	return REASONS.get(code) ?? code;
}

const SHOWN = 300;
const shortened = (path: string): string =>
	JSON.stringify(path.length > SHOWN ? `${path.slice(0, SHOWN)}…` : path).slice(1, -1);

const MAKE = constants.W_OK | constants.X_OK;
const ALL = MAKE | constants.R_OK;

function problemOf(folder: string, what: string, rights: number): string | undefined {
	if (!statSync(folder).isDirectory()) return `${folder} ${what}: it is no folder`;
	try {
		accessSync(folder, rights);
		return undefined;
	} catch (error) {
		return `${folder} ${what}: ${(error as NodeJS.ErrnoException).code}; give weir's user the rights, or name another data_dir`;
	}
}

function nearestAbove(folder: string): string {
	let above = dirname(folder);
	while (!existsSync(above) && above !== dirname(above)) above = dirname(above);
	return above;
}

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
		const above = nearestAbove(folder);
		return problemOf(above, `has no room for ${folder}, which is not there`, MAKE);
	} catch (error) {
		return `${folder} cannot be used: ${(error as NodeJS.ErrnoException).code}`;
	}
}

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

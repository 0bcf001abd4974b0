/**
 * Opens the counters file for the supervisor, whatever state the file is in: counting goes on in any case, and a
 * sentence for the operator says what is missing. Called by process/supervisor/counters-keeper.ts; workers then open
 * the file that it names.
 */
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Counters, CountersError } from "./binding.ts";

export interface OpenedCounters {
	readonly counters: Counters;
	/** the file that workers share; undefined: each of them counts in its own memory */
	readonly path: string | undefined;
	/** sentences for the operator */
	readonly warnings: readonly string[];
	/** Closes it, and removes it if it was only a substitute. */
	close(): void;
}

/** Memory as a file, where there is such a thing. */
const SHARED_MEMORY = "/dev/shm";

/** Its name in the data folder, unless the config says otherwise. */
export const COUNTERS_FILE = "counters";

/** The newest only: a file that is damaged at every start must not fill the disk. */
export const setAsideName = (path: string): string => `${path}.set-aside`;

/** @param substitutes folders for a file that lives as long as this process, the best first */
export function openCountersFile(
	path: string,
	substitutes: readonly string[] = [SHARED_MEMORY, tmpdir()],
): OpenedCounters {
	const warnings: string[] = [];
	const own = openOrReplace(path, warnings);
	if (own !== undefined) return { counters: own, path, warnings, close: () => own.close() };
	for (const folder of substitutes) {
		const substitute = openSubstitute(folder);
		if (substitute === undefined) continue;
		const { counters, path: file } = substitute;
		warnings.push(`rate-limits are counted in ${file} instead: they begin anew with every start`);
		const close = (): void => {
			counters.close();
			rmSync(dirname(file), { recursive: true, force: true });
		};
		return { counters, path: file, warnings, close };
	}
	warnings.push("each worker counts rate-limits for itself, and they begin anew with every start");
	const counters = new Counters({});
	return { counters, path: undefined, warnings, close: () => counters.close() };
}

function openOrReplace(path: string, warnings: string[]): Counters | undefined {
	try {
		return new Counters({ path, owner: true });
	} catch (error) {
		if (!(error instanceof CountersError)) throw error;
		if (error.code === "ERR_COUNTERS_SYSTEM") {
			warnings.push(`counters file ${path} cannot be used: ${error.message}`);
			return undefined;
		}
		const aside = setAsideName(path);
		try {
			renameSync(path, aside);
		} catch (reason) {
			const { code } = reason as NodeJS.ErrnoException;
			warnings.push(`counters file ${path} cannot be used: ${error.message}; renaming it: ${code}`);
			return undefined;
		}
		warnings.push(
			`counters file ${path} is set aside as ${aside}: ${error.message}; rate-limits begin anew`,
		);
	}
	try {
		return new Counters({ path, owner: true });
	} catch (error) {
		warnings.push(`counters file ${path} cannot be used: ${(error as Error).message}`);
		return undefined;
	}
}

function openSubstitute(folder: string): { counters: Counters; path: string } | undefined {
	let own: string;
	try {
		own = mkdtempSync(join(folder, "weir-counters-"));
	} catch {
		return undefined;
	}
	const path = join(own, COUNTERS_FILE);
	try {
		return { counters: new Counters({ path, owner: true }), path };
	} catch {
		rmSync(own, { recursive: true, force: true });
		return undefined;
	}
}

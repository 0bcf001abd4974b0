/**
 * Opens the counters file for the supervisor, whatever state the file is in: counting goes on in any case, and a
 * sentence for the operator says what is missing. Called by process/supervisor/counters-keeper.ts; workers then open
 * the file that it names. `weir check` has it inspected only, by process/config/start-obstacles.ts.
 */
import {
	accessSync,
	closeSync,
	constants,
	mkdtempSync,
	openSync,
	readSync,
	renameSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
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

/**
 * What `openCountersFile` would have to say about the file's state, without opening it: another process may count in it.
 * An empty one is fine.
 * @param willBe a folder that is made before the file
 * @returns sentences for the operator
 */
export function inspectCountersFile(path: string, willBe: string): string[] {
	try {
		const status = statSync(path, { throwIfNoEntry: false });
		const folder = dirname(path);
		if (status === undefined) {
			if (folder !== willBe) accessSync(folder, constants.W_OK | constants.X_OK);
			return [];
		}
		if (!status.isFile()) return [cannotBeUsed(path, "it is no file")];
		accessSync(path, constants.R_OK | constants.W_OK);
		const wrong = status.size === 0 ? undefined : wrongHeader(path, status.size);
		return wrong === undefined ? [] : [setAside(path, wrong)];
	} catch (error) {
		return [cannotBeUsed(path, (error as NodeJS.ErrnoException).code ?? String(error))];
	}
}

/** Two pages hold all that is judged. */
const HEADER_BYTES = 8192;

/** Has a copy of the header judged. @returns why the file can't be counted in; undefined also if nobody can tell */
function wrongHeader(path: string, bytes: number): string | undefined {
	let folder: string | undefined;
	try {
		folder = mkdtempSync(join(tmpdir(), "weir-counters-"));
		const copy = join(folder, COUNTERS_FILE);
		writeFileSync(copy, headerOf(path), { mode: 0o600 });
		truncateSync(copy, bytes);
		new Counters({ path: copy }).close();
		return undefined;
	} catch (error) {
		const isVerdict = error instanceof CountersError && error.code !== "ERR_COUNTERS_SYSTEM";
		return isVerdict ? error.message : undefined;
	} finally {
		if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
	}
}

function headerOf(path: string): Buffer {
	const descriptor = openSync(path, "r");
	try {
		const header = Buffer.alloc(HEADER_BYTES);
		return header.subarray(0, readSync(descriptor, header, 0, HEADER_BYTES, 0));
	} finally {
		closeSync(descriptor);
	}
}

const cannotBeUsed = (path: string, why: string): string =>
	`counters file ${path} cannot be used: ${why}`;

const setAside = (path: string, why: string): string =>
	`counters file ${path} is set aside as ${setAsideName(path)}: ${why}; rate-limits begin anew`;

/** As an installer leaves it, or somebody who has cut it: it is counted in where it is. */
function isEmpty(path: string): boolean {
	try {
		return statSync(path).size === 0;
	} catch {
		return false;
	}
}

function openOrReplace(path: string, warnings: string[]): Counters | undefined {
	try {
		const wasEmpty = isEmpty(path);
		const counters = new Counters({ path, owner: true });
		if (wasEmpty) warnings.push(`counters file ${path} was empty: rate-limits begin anew`);
		return counters;
	} catch (error) {
		if (!(error instanceof CountersError)) throw error;
		if (error.code === "ERR_COUNTERS_SYSTEM") {
			warnings.push(cannotBeUsed(path, error.message));
			return undefined;
		}
		try {
			renameSync(path, setAsideName(path));
		} catch (reason) {
			const { code } = reason as NodeJS.ErrnoException;
			warnings.push(cannotBeUsed(path, `${error.message}; renaming it: ${code}`));
			return undefined;
		}
		warnings.push(setAside(path, error.message));
	}
	try {
		return new Counters({ path, owner: true });
	} catch (error) {
		warnings.push(cannotBeUsed(path, (error as Error).message));
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

/**
 * Faults that no test can bring about from outside: a C file of this folder becomes a library that is
 * preloaded into a process (Linux only) and stands in for functions of the C library. Each reads a file
 * that the test writes, so that a fault begins and ends while the process runs.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

export interface Fault {
	/** for the process that is to have the fault; its children have it too */
	readonly environment: Readonly<Record<string, string>>;
	/** From now on calls fail with this error; without one they do what they should. */
	set(error?: keyof typeof constants.errno): void;
	/** Removes the library; processes that have it loaded keep it. */
	remove(): void;
}

/**
 * @param name of a C file beside this one
 * @param variable under which that file finds the name of the file that switches it
 * @throws Error if there is no C compiler
 */
export function preload(name: string, variable: string): Fault {
	const folder = mkdtempSync(join(tmpdir(), "weir-fault-"));
	const library = join(folder, `${name}.so`);
	const flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"];
	const source = join(import.meta.dirname, `${name}.c`);
	execFileSync("cc", [...flags, "-o", library, source, "-ldl"]);
	const control = join(folder, "error");
	return {
		environment: { LD_PRELOAD: library, [variable]: control },
		set: (error) => writeFileSync(control, String(error ? constants.errno[error] : 0)),
		remove: () => rmSync(folder, { recursive: true, force: true }),
	};
}

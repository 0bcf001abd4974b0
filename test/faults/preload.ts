/**
 * Faults for real processes: compiles a C file of this folder into a library for `LD_PRELOAD`, once for each
 * test process, that stands in for functions of the C library. What it is to do while the process runs it reads
 * from a file, which an environment variable names. Linux only, and there must be a C compiler, as the addon
 * needs one.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

const compiled = new Map<string, string>();

const temporaryFolder = (): string => {
	const folder = mkdtempSync(join(tmpdir(), "weir-faults-"));
	process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
	return folder;
};

/** @param name of the C file, without `.c` @returns the library @throws Error if there is no C compiler */
export function preload(name: string): { readonly file: string } {
	const known = compiled.get(name);
	if (known !== undefined) return { file: known };
	const file = join(temporaryFolder(), `${name}.so`);
	const source = join(import.meta.dirname, `${name}.c`);
	const flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"];
	execFileSync("cc", [...flags, "-o", file, source, "-ldl"], {
		stdio: ["ignore", "ignore", "pipe"],
	});
	compiled.set(name, file);
	return { file };
}

/** A call that fails while it is told to. */
export interface FailingCall {
	/** for the process that is to have the fault; its children have it too */
	readonly environment: Readonly<Record<string, string>>;
	/** From now on calls fail with this error; without one they do what they should. */
	set(error?: keyof typeof constants.errno): void;
}

/**
 * @param name of a C file beside this one
 * @param variable under which that file finds the name of the file that holds the error's number
 */
export function failingCall(name: string, variable: string): FailingCall {
	const control = join(temporaryFolder(), "error");
	return {
		environment: { LD_PRELOAD: preload(name).file, [variable]: control },
		set: (error) => writeFileSync(control, String(error ? constants.errno[error] : 0)),
	};
}

/**
 * Faults for real processes: compiles a C file of this folder into a library for `LD_PRELOAD`, once for each
 * test process. What it is to do while the process runs it reads from a file, which `WEIR_FAULTS` names.
 * Linux only, and there must be a C compiler, as the addon needs one.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const compiled = new Map<string, string>();

/** @param name of the C file, without `.c` @returns the library */
export function preload(name: string): { readonly file: string } {
	const known = compiled.get(name);
	if (known !== undefined) return { file: known };
	const folder = mkdtempSync(join(tmpdir(), "weir-faults-"));
	process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
	const file = join(folder, `${name}.so`);
	const source = join(import.meta.dirname, `${name}.c`);
	const flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"];
	execFileSync("cc", [...flags, "-o", file, source, "-ldl"], {
		stdio: ["ignore", "ignore", "pipe"],
	});
	compiled.set(name, file);
	return { file };
}

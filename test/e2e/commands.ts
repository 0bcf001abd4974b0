/** `weir` commands that run to their end, as a user types them. */
import { execFile } from "node:child_process";
import { MAIN } from "./harness.ts";

interface Ran {
	readonly status: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

export function run(...args: readonly string[]): Promise<Ran> {
	return new Promise((resolve) => {
		const child = execFile(process.execPath, [MAIN, ...args], (_error, stdout, stderr) =>
			resolve({ status: child.exitCode, stdout, stderr }),
		);
	});
}

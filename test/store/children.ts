/** Starts `child.ts` in a process of its own and reads what it says line by line. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const here = (name: string) => new URL(name, import.meta.url);

export interface Child {
	readonly child: ChildProcess;
	readonly lines: AsyncIterator<string>;
}

/** The child is killed when the test ends, if it still runs. */
export function startChild(...words: readonly string[]): Child {
	const child = spawn(
		process.execPath,
		["--import", here("typescript-loader.mjs").href, fileURLToPath(here("child.ts")), ...words],
		{ stdio: ["pipe", "pipe", "inherit"] },
	);
	onTestFinished(() => void child.kill("SIGKILL"));
	return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

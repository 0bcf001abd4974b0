/** `weir test` (contract 1): runs the tests that policies hold, without a server, once or whenever a file changes. Called by `main.ts`. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileMark } from "../../file-mark.ts";
import { LIMITS } from "../../limits/limits.ts";
import { boundsOf, type PolicyBounds } from "../check/check-policy.ts";
import { allHold, type TestedFile, testFile } from "../check/policy-tests.ts";
import { junit, summary, testLines } from "../check/test-report.ts";
import { whyUnreadable } from "../config/bounded-file.ts";
import { type ConfigSources, loadConfig } from "../config/load-config.ts";
import { complain } from "./complain.ts";

/** @returns the exit status: 0, 1 if a test fails or a file is no valid policy, 2 if the command makes no sense */
export async function test(sources: ConfigSources, paths: readonly string[]): Promise<number> {
	const { flags, workingDirectory } = sources;
	if (paths.length === 0) return complain("test needs at least one file (weir test --help)");
	const loaded = flags.config === undefined ? undefined : loadConfig(sources);
	if (loaded?.ok === false) return complain(loaded.error);
	const bounds = boundsOf(loaded?.value.config);
	const report =
		typeof flags.junit === "string" ? resolve(workingDirectory, flags.junit) : undefined;
	const run = (): number => runAll(paths, bounds, flags.quiet === true, report);
	if (flags.watch !== true) return run();
	// Ends with the signal that ends the command.
	for (;;) {
		const marks = marksOf(paths);
		run();
		process.stdout.write("waiting for a change; ctrl-c ends\n");
		while (marksOf(paths) === marks) await wait(LIMITS.watchMs);
		process.stdout.write("\n");
	}
}

const marksOf = (paths: readonly string[]): string => paths.map(fileMark).join(" ");

function runAll(
	paths: readonly string[],
	bounds: PolicyBounds,
	quiet: boolean,
	report: string | undefined,
): number {
	const files: TestedFile[] = [];
	for (const path of paths) {
		const file = testFile(path, bounds);
		files.push(file);
		process.stdout.write(testLines(file, quiet));
	}
	if (files.length > 1) process.stdout.write(summary(files));
	if (report !== undefined) {
		try {
			writeFileSync(report, junit(files));
		} catch (error) {
			return complain(`cannot write ${report}: ${whyUnreadable(error)}`, 1);
		}
	}
	return files.every(allHold) ? 0 : 1;
}

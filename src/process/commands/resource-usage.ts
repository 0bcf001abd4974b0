/** The commands whose source are files of policies and resources. A part of `commands.ts`. */
import type { Command } from "./command-line.ts";
import { API, CONFIG } from "./shared-flags.ts";

export const TEST: Command = {
	name: "test",
	usage: "test FILE... [flags]",
	help: [
		"Runs the tests that policies hold in `tests`, without a server: each request goes through the rules, and what comes",
		"out is compared with what is expected. The management API does the same before it stores such a policy.",
		"Rate-limits count by the clock of the test, and each test begins with none counted.",
		"Exit status: 0 all tests hold, 1 one fails or a file is no valid policy, 2 wrong usage.",
	].join("\n"),
	flags: [
		{ ...CONFIG, help: "judge by the limits and expression_errors of this config file" },
		{ name: "watch", help: "run them again whenever one of the files changes" },
		{ name: "junit", value: "FILE", help: "write the results as JUnit XML, for CI, too" },
		{ name: "quiet", help: "print tests that fail only" },
	],
};

export const APPLY: Command = {
	name: "apply",
	usage: "apply [-f] FILE|FOLDER... [flags]",
	help: [
		"Makes a server hold what files declare: edges, routes, policies and address lists, in YAML or JSON.",
		"Shows every difference first, then asks. Tests in policies are run before anything is changed. What",
		"somebody else changes meanwhile is not overwritten. `-` is stdin; then say --yes or --dry-run.",
		"Exit status: 0 done, or nothing to do; 1 something could not be done; 2 wrong usage.",
	].join("\n"),
	flags: [
		{
			name: "file",
			letter: "f",
			value: "FILE",
			multiple: true,
			help: "a file or folder as those behind `apply`",
		},
		{ name: "dry-run", help: "show the difference, change nothing" },
		{ name: "yes", help: "do not ask" },
		{ name: "prune", help: "delete what the server has and the files do not declare" },
		{ name: "prune-most", help: "also where that is more than half of what the server has" },
		{ name: "atomic", help: "all changes at once or none (POST /transactions)" },
		...API,
	],
};

export const EXPORT: Command = {
	name: "export",
	usage: "export [FILE] [flags]",
	help: [
		"Writes what a server holds as a file that `weir apply` takes, in the order of names; without FILE, or with `-`, to stdout.",
		"In a YAML file that is there, comments and layout stay where what they are about stays.",
	].join("\n"),
	flags: [{ name: "json", help: "JSON instead of YAML" }, ...API],
};

export const DIFF: Command = {
	name: "diff",
	usage: "diff FILE|FOLDER [FILE|FOLDER] [flags] | diff --versions A..B EDGE/ROUTE [flags]",
	help: [
		"Shows what `weir apply --prune` would change on a server; of two files, what has to change for the first to become the second.",
		"`-` is stdin.",
		"With --versions: between two versions of one policy, as `weir rollback EDGE/ROUTE` lists them.",
		"Exit status: 0 no difference, 1 there is one, 2 it can't be told.",
	].join("\n"),
	flags: [
		{
			name: "versions",
			value: "A..B",
			help: "what changed in a route's policy from version A to version B; A alone: to what is in force",
		},
		...API,
	],
};

export const ROLLBACK: Command = {
	name: "rollback",
	usage: "rollback EDGE/ROUTE [VERSION] [flags]",
	help: [
		"Puts a former version of a route's policy in force again; without VERSION lists those that there are.",
		"Shows the difference first, then asks. What somebody else changes meanwhile is not overwritten.",
		"Exit status: 0 done, or nothing to do; 1 it could not be done; 2 wrong usage.",
	].join("\n"),
	flags: [
		{ name: "dry-run", help: "show the difference, change nothing" },
		{ name: "yes", help: "do not ask" },
		...API,
	],
};

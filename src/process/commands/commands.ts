/** The commands of contract 1, as `command-line.ts` reads them and `main.ts` runs them. */
import type { Command, Flag } from "./command-line.ts";

const CONFIG: Flag = {
	name: "config",
	value: "FILE",
	help: "settings in YAML or JSON (flags and WEIR_* variables beat it)",
};
const DATA_DIR: Flag = {
	name: "data-dir",
	value: "DIR",
	help: "where edges, routes, policies and keys are kept (default ./weir-data)",
};

export const SERVE: Command = {
	name: "serve",
	usage: "serve [flags]",
	help: "Runs the edge: the data path in worker processes, the management API in front of the store.",
	flags: [
		CONFIG,
		{
			name: "listen",
			value: "ADDR",
			multiple: true,
			help: "data path, host:port; may be repeated (default 127.0.0.1:8080)",
		},
		{
			name: "management",
			value: "ADDR",
			help: "management API, host:port (default 127.0.0.1:4040)",
		},
		DATA_DIR,
		{ name: "workers", value: "N", help: "worker processes (default: one per core)" },
		{
			name: "takeover",
			help: "take over from the weir that runs on the data folder, without a refused connection; start as usual if none does",
		},
		{
			name: "demo",
			help: "also start an echo upstream, one edge, route and policy, and print curl lines to paste; without --data-dir in a temporary folder",
		},
	],
};

export const KEYS: Command = {
	name: "keys",
	usage: "keys create|list|revoke [ID|NAME] [flags]",
	help: [
		"API keys of the management API. Only a hash is stored; `create` prints the key once.",
		"Works while the server runs: a new key is valid, a revoked one refused, at once.",
	].join("\n"),
	flags: [
		CONFIG,
		DATA_DIR,
		{ name: "name", value: "TEXT", help: "create: what the key is for" },
		{
			name: "role",
			value: "ROLE",
			help: "create: admin (everything, the default), read (GET only), metrics (/metrics and /readyz only)",
		},
		{
			name: "expires",
			value: "WHEN",
			help: "create: refused from then on; 12h, 90d, 8w, 2027-01-31 or 2027-01-31T18:00:00Z (default: never)",
		},
		{ name: "json", help: "create, list: print JSON" },
		{ name: "description", value: "TEXT", help: "create: the former name of --name" },
	],
};

export const CHECK: Command = {
	name: "check",
	usage: "check FILE... [flags]",
	help: [
		"Judges config files, policies and files of weir apply, YAML or JSON, without a server: what each is, its fields tell.",
		"A config file is judged as `serve --config FILE` would judge it here and now: files that it names, addresses",
		"and the data folder included. Nothing is made or changed, and a weir that runs with it is no reason to fail.",
		"Policies given beside a config file are judged by its limits.",
		"Prints every error and warning with JSON pointer, line and column, then what the file was taken for.",
		"Exit status: 0 no errors (warnings are none), 1 a file has an error or can't be read, 2 wrong usage.",
	].join("\n"),
	flags: [
		{
			name: "as",
			value: "KIND",
			help: "take every file for a config, a policy or a file of resources: config, policy, resources",
		},
		{ name: "json", help: "one line of JSON for each file" },
	],
};

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

const API: readonly Flag[] = [
	{
		name: "url",
		value: "URL",
		help: "the management API (default: as the configuration says, http://127.0.0.1:4040)",
	},
	{
		name: "key",
		value: "KEY",
		help: "an API key (default: WEIR_API_KEY; a flag can be seen by others on the machine)",
	},
	CONFIG,
];

export const APPLY: Command = {
	name: "apply",
	usage: "apply FILE|FOLDER... [flags]",
	help: [
		"Makes a server hold what files declare: edges, routes, policies and address lists, in YAML or JSON.",
		"Shows every difference first, then asks. Tests in policies are run before anything is changed. What",
		"somebody else changes meanwhile is not overwritten.",
		"Exit status: 0 done, or nothing to do; 1 something could not be done; 2 wrong usage.",
	].join("\n"),
	flags: [
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
		"Writes what a server holds as a file that `weir apply` takes, in the order of names; without FILE to stdout.",
		"In a YAML file that is there, comments and layout stay where what they are about stays.",
	].join("\n"),
	flags: [{ name: "json", help: "JSON instead of YAML" }, ...API],
};

export const DIFF: Command = {
	name: "diff",
	usage: "diff FILE|FOLDER [FILE|FOLDER] [flags]",
	help: [
		"Shows what `weir apply --prune` would change on a server; of two files, what has to change for the first to become the second.",
		"Exit status: 0 no difference, 1 there is one, 2 it can't be told.",
	].join("\n"),
	flags: API,
};

export const BACKUP: Command = {
	name: "backup",
	usage: "backup FILE [flags]",
	help: [
		"Saves edges, routes, policies, address lists and API keys (their hashes) to one file, also while the server runs.",
		"The file is one moment of the store, it appears when it is whole, and only its owner may read it. - is stdout.",
		"Counts of rate-limits are not in it.",
	].join("\n"),
	flags: [CONFIG, DATA_DIR],
};

export const RESTORE: Command = {
	name: "restore",
	usage: "restore FILE [flags]",
	help: [
		"Puts a backup in the place of what the data folder holds, while no server runs there.",
		"The whole file is checked first; then all of it is there or nothing has changed. - is stdin.",
	].join("\n"),
	flags: [
		CONFIG,
		DATA_DIR,
		{
			name: "force",
			help: "replace a store that is not empty or is damaged; what was there is kept beside it",
		},
	],
};

export const UPGRADE: Command = {
	name: "upgrade",
	usage: "upgrade [flags]",
	help: [
		"Replaces the weir that runs on the data folder by this version, without a refused connection.",
		"Run it from the new version's folder. The weir that runs starts the new one with its own flags, environment and",
		"rights, and hands over when that one serves; if it does not, the old one goes on, and the reason is printed.",
		"Exit status: 0 the new one serves, 1 the old one goes on, or none runs.",
	].join("\n"),
	flags: [CONFIG, DATA_DIR],
};

export const COMMANDS: readonly Command[] = [
	SERVE,
	UPGRADE,
	KEYS,
	CHECK,
	TEST,
	APPLY,
	EXPORT,
	DIFF,
	BACKUP,
	RESTORE,
];

export function generalHelp(): string {
	const rows = COMMANDS.map(({ name, help }) => `  ${name.padEnd(9)}${help.split("\n")[0]}`);
	return [
		"usage: weir <command> [flags]",
		"",
		"An edge proxy with one traffic policy per route.",
		"",
		...rows,
		"",
		"weir <command> --help shows a command's flags; -h is the same. weir --version shows the version.",
		"",
	].join("\n");
}

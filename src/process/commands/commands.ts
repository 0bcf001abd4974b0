/** The commands of contract 1, as `command-line.ts` reads them and `main.ts` runs them. */
import { EXPLAIN, WHY } from "./asking-usage.ts";
import type { Command } from "./command-line.ts";
import { FLEET } from "./fleet-usage.ts";
import { REPLAY } from "./replay-usage.ts";
import { APPLY, DIFF, EXPORT, ROLLBACK, TEST } from "./resource-usage.ts";
import { CONFIG, DATA_DIR } from "./shared-flags.ts";

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
		{
			name: "local",
			help: "create: in a fleet, a key for this machine alone, for the day it is cut off",
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
		"Policies given beside a config file are judged by its limits. `-` is stdin.",
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

export { APPLY, DIFF, EXPLAIN, EXPORT, FLEET, REPLAY, ROLLBACK, TEST, WHY };

export const COMMANDS: readonly Command[] = [
	...[SERVE, UPGRADE, KEYS, FLEET, CHECK, TEST, EXPLAIN, WHY, REPLAY],
	...[APPLY, DIFF, ROLLBACK, EXPORT, BACKUP, RESTORE],
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

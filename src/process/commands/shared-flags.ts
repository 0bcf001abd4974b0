/** Flags that several commands take, for the tables of commands beside this file. */
import type { Flag } from "./command-line.ts";

export const CONFIG: Flag = {
	name: "config",
	value: "FILE",
	help: "settings in YAML or JSON (flags and WEIR_* variables beat it)",
};
export const DATA_DIR: Flag = {
	name: "data-dir",
	value: "DIR",
	help: "where edges, routes, policies and keys are kept (default ./weir-data)",
};

/** For commands that ask a management API: which one, and with which key (`api-target.ts`). */
export const API: readonly Flag[] = [
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

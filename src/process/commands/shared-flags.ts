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

export const MANAGEMENT: Flag = {
	name: "management",
	value: "ADDR",
	help: "management API of the configuration, host:port (default 127.0.0.1:4040)",
};
export const API: Flag = {
	name: "api",
	value: "URL",
	help: "management API, where the configuration does not say: https://host:port",
};

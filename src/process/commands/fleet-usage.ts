/** `weir fleet` (docs/fleet.md). A part of `commands.ts`. */
import type { Command } from "./command-line.ts";
import { CONFIG, DATA_DIR } from "./shared-flags.ts";

export const FLEET: Command = {
	name: "fleet",
	usage:
		"fleet init|join|leave|status|log|level|forget|verify|export|restore|reseed [MEMBER|FILE] [flags]",
	help: [
		"Many machines with one configuration, over a NATS engine (docs/fleet.md). The config file names the fleet.",
		"",
		"While weir is stopped:",
		"  init          begin the fleet with what this machine has; needs the engine's admin rights, once",
		"  join          take the fleet's configuration over; a start of an empty folder does the same",
		"  leave         be a machine of its own again, with what it has",
		"  reseed        the engine has lost its log for good: begin it again with what this machine has",
		"While weir runs:",
		"  status        where this machine and the others are; exit status 0: this one is in sync",
		"  log           who changed what, newest first",
		"  level         what the fleet's documents may need, and which machines are too old for more",
		"  forget ID     drop a machine that is gone from the list; it comes back by itself if it is not",
		"  restore FILE  make the fleet's state that of an export, as a change like any other",
		"Both:",
		"  verify        compute the digest anew from all that is stored; 0: it fits",
		"  export FILE   save the state of this machine's revision to one file; - is stdout",
		"",
		"Exit status: 0 done, 1 it could not be done, and nothing was changed unless it says so, 2 wrong usage.",
	].join("\n"),
	flags: [
		CONFIG,
		DATA_DIR,
		{
			name: "replicas",
			value: "N",
			help: "init, reseed: engine servers that keep the log (default: 3 in a cluster, else 1)",
		},
		{
			name: "credentials",
			value: "FILE",
			help: "init, reseed: the engine's admin, instead of fleet.credentials",
		},
		{
			name: "monitor",
			value: "URL",
			help: "init, reseed: the engine's monitoring, to see that it syncs its disk; http://nats-1:8222",
		},
		{
			name: "discard-local",
			help: "join: give up what this machine has of its own; it is saved beside it first",
		},
		{ name: "limit", value: "N", help: "log: records to show (default 50)" },
		{ name: "before", value: "REVISION", help: "log: only older ones" },
		{ name: "raise", help: "level: raise it to what this machine's weir understands, if all do" },
		{ name: "json", help: "status, log, level: print JSON" },
	],
};

/** `weir replay`. A part of `commands.ts`. */
import type { Command } from "./command-line.ts";

export const REPLAY: Command = {
	name: "replay",
	usage: "replay --log FILE... --policy FILE [--against FILE] [flags]",
	help: [
		"Runs the requests of an access log through a policy and tells what would be different: from what the log says, or",
		"with --against from what another policy would have done. Rate-limits count in the log's time. Nothing is sent.",
		"Logs: weir's own JSON lines and the combined format of nginx and Apache, also .gz; - is stdin. Policies: a policy for",
		"all lines, or a file or folder of resources (weir export) with the policies of its routes.",
		"Exit status: 0 nothing differs, 1 something does, 2 it can't be told, 130 ended with ctrl-c, after a report so far.",
	].join("\n"),
	flags: [
		{
			name: "log",
			value: "FILE",
			multiple: true,
			help: "an access log; may be repeated, in any order",
		},
		{ name: "policy", value: "FILE", help: "the new policy, or files of resources" },
		{
			name: "against",
			value: "FILE",
			help: "what it is compared with (default: what the log says)",
		},
		{
			name: "route",
			value: "EDGE/ROUTE",
			help: "replay this route's lines alone; of logs that name no routes: all of them as this route's",
		},
		{
			name: "config",
			value: "FILE",
			help: "the configuration of the weir that wrote the log: what its lines hold, and how its policies run",
		},
		{ name: "top", value: "N", help: "rows of each table (default 10)" },
		{
			name: "samples",
			value: "N",
			help: "differences of each kind that are shown with their lines (default 5)",
		},
		{ name: "json", help: "print the report as JSON (schemas/replay.json)" },
	],
};

#!/usr/bin/env node
/** The `weir` command (contract 1): picks the command and hands over to process/. */
import { helpOf, parseCommand, unknown } from "./process/commands/command-line.ts";
import {
	APPLY,
	BACKUP,
	CHECK,
	COMMANDS,
	DIFF,
	EXPLAIN,
	EXPORT,
	FLEET,
	generalHelp,
	KEYS,
	REPLAY,
	RESTORE,
	ROLLBACK,
	SERVE,
	TEST,
	UPGRADE,
	WHY,
} from "./process/commands/commands.ts";
import { complain } from "./process/commands/complain.ts";
import { Printed } from "./process/commands/printed.ts";
import { Signals } from "./process/signals/signals.ts";
import { versionOf } from "./process/version.ts";

const [, , first, ...others] = process.argv;
/** `weir help check` is `weir check --help`. */
const isHelpOf = first === "help" && COMMANDS.some((command) => command.name === others[0]);
const name = isHelpOf ? others[0] : first;
const rest = isHelpOf ? ["--help"] : others;

const NAMES = COMMANDS.map((each) => each.name);

async function run(): Promise<number> {
	const helpOfWhat = first === "help" && !isHelpOf ? others[0] : undefined;
	if (helpOfWhat !== undefined) return complain(unknown("command", helpOfWhat, NAMES));
	if (name === undefined || name === "--help" || name === "help" || name === "-h") {
		process.stdout.write(generalHelp());
		return name === undefined ? 2 : 0;
	}
	if (name === "--version" || name === "-V" || name === "version") {
		process.stdout.write(`${versionOf()}\n`);
		return 0;
	}
	const command = COMMANDS.find((candidate) => candidate.name === name);
	if (command === undefined)
		return complain(unknown("command", name, [...NAMES, "--help", "--version"]));
	const parsed = parseCommand(command, rest);
	if (!parsed.ok) return complain(`${parsed.error} (weir ${command.name} --help)`);
	const { flags, words } = parsed.value;
	if (flags.help === true) {
		process.stdout.write(helpOf(command));
		return 0;
	}
	const sources = { flags, environment: process.env, workingDirectory: process.cwd() };
	switch (command) {
		case SERVE: {
			if (words.length > 0) return complain(`serve takes no "${words[0]}" (weir serve --help)`);
			const signals = new Signals();
			(await import("./process/gathered-memory.ts")).gatherMemory();
			return (await import("./process/supervisor/serve.ts")).serve(
				sources,
				flags.demo === true,
				signals,
			);
		}
		case UPGRADE: {
			if (words.length > 0) return complain(`upgrade takes no "${words[0]}" (weir upgrade --help)`);
			const { upgrade } = await import("./process/commands/upgrade-command.ts");
			return upgrade(sources, process.argv[1] ?? "");
		}
		case KEYS:
			return (await import("./process/commands/keys-command.ts")).keys(sources, words);
		case FLEET:
			return (await import("./process/commands/fleet-command.ts")).fleet(sources, words);
		case CHECK:
			return (await import("./process/commands/check-command.ts")).check(sources, words);
		case EXPLAIN:
			return (await import("./process/commands/explain-command.ts")).explain(sources, words);
		case WHY:
			return (await import("./process/commands/why-command.ts")).why(sources, words);
		case TEST:
			return (await import("./process/commands/test-command.ts")).test(sources, words);
		case REPLAY:
			return (await import("./process/commands/replay-command.ts")).replay(sources, words);
		case APPLY:
			return (await import("./process/commands/apply-command.ts")).apply(sources, words);
		case EXPORT:
			return (await import("./process/commands/export-command.ts")).exportResources(sources, words);
		case DIFF:
			return (await import("./process/commands/diff-command.ts")).diff(sources, words);
		case ROLLBACK:
			return (await import("./process/commands/rollback-command.ts")).rollback(sources, words);
		case BACKUP:
			return (await import("./process/commands/backup-command.ts")).backup(sources, words);
		case RESTORE:
			return (await import("./process/commands/restore-command.ts")).restore(sources, words);
		default:
			throw new Error(`command without an implementation: ${command.name}`);
	}
}

const printed = new Printed(process.stdout);
run().then(
	async (status) => process.exit(await printed.status(status)),
	(error: unknown) => {
		process.exit(complain(error instanceof Error ? String(error.stack) : String(error), 1));
	},
);

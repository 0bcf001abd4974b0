/**
 * Reading the command line (contract 1): every command's flags stand in one table, which also yields
 * `--help`. An unknown command or flag is answered with the nearest valid name.
 */
import { parseArgs } from "node:util";
import { nearest } from "../../documents/problems.ts";
import { fail, ok, type Result } from "../../errors.ts";

export interface Flag {
	readonly name: string;
	/** what stands for the value in `--help`; none for a switch */
	readonly value?: string;
	readonly help: string;
	readonly multiple?: boolean;
	/** one letter that means the same, after one dash */
	readonly letter?: string;
}

export interface Command {
	readonly name: string;
	readonly usage: string;
	readonly help: string;
	readonly flags: readonly Flag[];
}

export interface ParsedCommand {
	readonly flags: Readonly<Record<string, string | boolean | readonly string[]>>;
	readonly words: readonly string[];
}

const HELP: Flag = { name: "help", letter: "h", help: "show this text" };

/** Flags of `command` in `args`; the error is a sentence. */
export function parseCommand(
	command: Command,
	args: readonly string[],
): Result<ParsedCommand, string> {
	const flags = [...command.flags, HELP];
	const options = Object.fromEntries(
		flags.map((flag) => [
			flag.name,
			{
				type: flag.value === undefined ? ("boolean" as const) : ("string" as const),
				multiple: flag.multiple ?? false,
				...(flag.letter === undefined ? {} : { short: flag.letter }),
			},
		]),
	);
	const { values, positionals, tokens } = parseArgs({
		args: [...args],
		options,
		strict: false,
		tokens: true,
		allowPositionals: true,
	});
	const seen = new Set<string>();
	for (const token of tokens) {
		if (token.kind !== "option") continue;
		const flag = flags.find(({ name }) => name === token.name);
		if (flag === undefined) return fail(unknown("flag", token.rawName, flagNames(flags)));
		if (flag.value !== undefined && (token.value ?? "") === "")
			return fail(`--${flag.name} needs a value: --${flag.name} ${flag.value}`);
		if (flag.value === undefined && token.value !== undefined)
			return fail(`--${flag.name} takes no value`);
		if (seen.has(flag.name) && flag.multiple !== true)
			return fail(`--${flag.name} is given more than once`);
		seen.add(flag.name);
	}
	return ok({ flags: values as ParsedCommand["flags"], words: positionals });
}

const flagNames = (flags: readonly Flag[]): string[] => flags.map(({ name }) => `--${name}`);

export function unknown(what: string, name: string, valid: readonly string[]): string {
	const near = nearest(name, valid);
	const hint = near === undefined ? `valid: ${valid.join(", ")}` : `did you mean "${near}"?`;
	return `unknown ${what} "${name}"; ${hint}`;
}

export function helpOf(command: Command): string {
	const rows = [...command.flags, HELP].map((flag) => [
		`  ${flag.letter === undefined ? "" : `-${flag.letter}, `}--${flag.name}${flag.value === undefined ? "" : ` ${flag.value}`}`,
		flag.help,
	]);
	const width = Math.max(...rows.map(([left]) => left?.length ?? 0)) + 2;
	const table = rows.map(([left, right]) => `${left?.padEnd(width)}${right}`);
	return [`usage: weir ${command.usage}`, "", command.help, "", ...table, ""].join("\n");
}

import { describe, expect, it } from "vitest";
import { configSchema } from "../../../src/config.ts";
import { helpOf, parseCommand } from "../../../src/process/commands/command-line.ts";
import { COMMANDS, generalHelp, SERVE } from "../../../src/process/commands/commands.ts";

const errorOf = (...args: string[]): string => {
	const parsed = parseCommand(SERVE, args);
	return parsed.ok ? "" : parsed.error;
};

describe("parseCommand", () => {
	it("reads flags with = and with a space, repeated ones, switches and words", () => {
		const parsed = parseCommand(SERVE, [
			"--listen=127.0.0.1:1",
			"--listen",
			"127.0.0.1:2",
			"--demo",
			"word",
		]);
		expect(parsed).toEqual({
			ok: true,
			value: { flags: { listen: ["127.0.0.1:1", "127.0.0.1:2"], demo: true }, words: ["word"] },
		});
	});

	it("reads -h as --help, and no other letter", () => {
		expect(parseCommand(SERVE, ["-h"])).toMatchObject({ value: { flags: { help: true } } });
		expect(errorOf("-x")).toMatch(/^unknown flag "-x"; valid: /);
	});

	it.each([
		[["--worker", "2"], 'unknown flag "--worker"; did you mean "--workers"?'],
		[["--dat-dir=x"], 'unknown flag "--dat-dir"; did you mean "--data-dir"?'],
		[["--workers"], "--workers needs a value: --workers N"],
		[["--workers="], "--workers needs a value: --workers N"],
		[["--demo=yes"], "--demo takes no value"],
		[["--workers", "1", "--workers", "2"], "--workers is given more than once"],
	])("refuses %j", (args, message) => {
		expect(errorOf(...args)).toBe(message);
	});

	it("lists what is valid when nothing is near", () => {
		expect(errorOf("--zzzzzzzzzzzz")).toMatch(/^unknown flag "--zzzzzzzzzzzz"; valid: --config, /);
	});
});

describe("help", () => {
	it("names the defaults that the config file has", () => {
		const { listen, management, data_dir } = configSchema.parse({});
		const [listener] = typeof listen === "string" ? [] : listen;
		const help = helpOf(SERVE);
		const { address } = typeof management === "string" ? { address: management } : management;
		for (const value of [listener?.address, address, data_dir])
			expect(help).toContain(`(default ${value})`);
	});

	it("shows every command, and every flag of a command", () => {
		for (const command of COMMANDS) {
			expect(generalHelp()).toContain(`  ${command.name} `);
			const help = helpOf(command);
			for (const flag of [...command.flags, { name: "help" }])
				expect(help).toContain(`--${flag.name}`);
		}
	});
});

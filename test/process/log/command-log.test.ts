/** A command's audit lines go to the server's log file if it is there, else to stderr; no file is made. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { CommandLog } from "../../../src/process/log/command-log.ts";
import { temporaryFolder } from "../../store/folder.ts";

const configOf = (destination: string) =>
	({ log: { destination, level: "error", access: false, audit: null } }) as const;

it("adds to the file", async () => {
	const file = join(temporaryFolder(), "log");
	writeFileSync(file, "before\n");
	const log = new CommandLog(configOf(file));
	log.audit({ operation: "createKey" });
	await log.close();
	const [before, line = ""] = readFileSync(file, "utf8").split("\n");
	expect(before).toBe("before");
	expect(JSON.parse(line)).toMatchObject({ operation: "createKey", msg: "audit", level: "info" });
});

it("has the destination of audit lines, where they have their own", async () => {
	const folder = temporaryFolder();
	const [file, own] = [join(folder, "log"), join(folder, "audit")];
	for (const each of [file, own]) writeFileSync(each, "");
	const log = new CommandLog({ log: { ...configOf(file).log, audit: own } });
	log.audit({ operation: "createKey" });
	await log.close();
	expect([readFileSync(file, "utf8"), readFileSync(own, "utf8").split("\n").length]).toEqual([
		"",
		2,
	]);
});

it("opens nothing for a command that changes nothing", async () => {
	const file = join(temporaryFolder(), "log");
	await new CommandLog(configOf(file)).close();
	expect(existsSync(file)).toBe(false);
});

/** What a process of its own, whose output is seen, says. */
function saidFor(destination: string) {
	const built = join(import.meta.dirname, "..", "..", "..", "dist/process/log/command-log.js");
	const script = `
		const { CommandLog } = await import(${JSON.stringify(pathToFileURL(built).href)});
		const log = new CommandLog(${JSON.stringify(configOf(destination))});
		log.audit({ operation: "createKey" });
		await log.close();`;
	const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
	return { stdout: stdout.toString(), stderr: stderr.toString() };
}

it.each(["stdout", "stderr", "missing", "folder/below"])("goes to stderr for %s", (name) => {
	const folder = temporaryFolder();
	const destination = name.startsWith("std") ? name : join(folder, name);
	const { stdout, stderr } = saidFor(destination);
	expect(stdout).toBe("");
	expect(JSON.parse(stderr)).toMatchObject({ operation: "createKey", msg: "audit" });
	expect(existsSync(destination)).toBe(false);
});

it.runIf(existsSync("/dev/full"))("goes to stderr where the file's disk is full", () => {
	const [sentence, line = ""] = saidFor("/dev/full").stderr.split("\n");
	expect(sentence).toContain("the audit log /dev/full took no line");
	expect(JSON.parse(line)).toMatchObject({ operation: "createKey", msg: "audit" });
});

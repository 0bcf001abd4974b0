/** A program that is started in weir's place: what it is told, and how it tells why it ended. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startSuccessor } from "../../../src/process/handover/successor.ts";
import { until } from "../../e2e/harness.ts";
import { temporaryFolder } from "../../store/folder.ts";

function program(text: string): { readonly node: string; readonly main: string } {
	const main = join(temporaryFolder(), "main.cjs");
	writeFileSync(main, text);
	return { node: process.execPath, main };
}

it("gets the words of this one's command line, and nothing that was for this one alone", async () => {
	process.env.LISTEN_FDS = "2";
	onTestFinished(() => void delete process.env.LISTEN_FDS);
	const file = join(temporaryFolder(), "seen");
	const { ended } = startSuccessor(
		program(
			`require("fs").writeFileSync(${JSON.stringify(file)}, JSON.stringify([process.argv.slice(2), process.env.LISTEN_FDS ?? "none"]))`,
		),
		["serve", "--config", "weir.yaml", "--takeover"],
	);
	expect(await ended).toBe("it ended with exit status 0; stderr may say more");
	expect(JSON.parse(readFileSync(file, "utf8"))).toEqual([
		["serve", "--config", "weir.yaml", "--takeover"],
		"none",
	]);
});

it("says why it ends where it can", async () => {
	const { ended } = startSuccessor(
		program('require("fs").writeSync(3, "no such setting\\n"); process.exit(2)'),
		["serve"],
	);
	expect(await ended).toBe("no such setting");
});

it("one that is killed, or can't be started, is told of", async () => {
	const successor = startSuccessor(program("setInterval(() => {}, 1000)"), ["serve"]);
	await until(() => successor.pid, "a process");
	successor.kill();
	expect(await successor.ended).toBe("it ended by SIGKILL; stderr may say more");
	const late = startSuccessor(program("setInterval(() => {}, 1000)"), ["serve"]);
	late.kill("it was too slow");
	expect(await late.ended).toBe("it was too slow");
	const none = startSuccessor({ node: "/nowhere/node", main: "main.js" }, ["serve"]);
	expect(await none.ended).toContain("it could not be started: spawn /nowhere/node ENOENT");
});

/** Whether a process lives, and its end, with real ones. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { ended, lives } from "../../../src/process/handover/life.ts";

function sleeping(): ChildProcess & { readonly pid: number } {
	const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
	onTestFinished(() => void child.kill("SIGKILL"));
	return child as ChildProcess & { readonly pid: number };
}

it("lives until it has ended, whether its parent has asked or not", async () => {
	const child = sleeping();
	expect(lives(child.pid)).toBe(true);
	const exit = once(child, "exit");
	child.kill("SIGKILL");
	await ended(child.pid, 10_000);
	expect(lives(child.pid)).toBe(false);
	await exit;
	expect(lives(child.pid)).toBe(false);
});

it("who does not end in time is killed", async () => {
	const child = sleeping();
	const exit = once(child, "exit");
	await ended(child.pid, 50);
	expect(await exit).toEqual([null, "SIGKILL"]);
});

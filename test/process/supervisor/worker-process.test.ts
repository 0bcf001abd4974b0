/** A fork that fails, in each of Node's ways, is a process that has ended; real children end as they do. */
import { ChildProcess, fork } from "node:child_process";
import { expect, it } from "vitest";
import { WorkerProcess } from "../../../src/process/supervisor/worker-process.ts";

const nothing = (): void => {};

it("takes an error that is thrown for an end", async () => {
	const worker = new WorkerProcess(() => {
		throw new Error("spawn ENOMEM");
	}, nothing);
	worker.send({});
	worker.kill();
	expect(worker.pid).toBeUndefined();
	expect(await worker.ended).toEqual({ code: null, signal: null, error: "spawn ENOMEM" });
});

it("takes an error that is emitted instead of an exit for an end", async () => {
	const child = new ChildProcess();
	const worker = new WorkerProcess(() => child, nothing);
	worker.send({});
	child.emit("error", new Error("spawn EAGAIN"));
	expect(await worker.ended).toEqual({ code: null, signal: null, error: "spawn EAGAIN" });
});

it("waits for the exit of a process that is there, whatever fails about it before", async () => {
	const program = "process.on('message', (text) => process.send(text + '!')); process.send('here')";
	const child = fork("-e", [program], { execArgv: [], execPath: process.execPath });
	const heard: unknown[] = [];
	const worker = new WorkerProcess<string, object>(
		() => child,
		(message) => {
			heard.push(message);
			if (message === "here") worker.send(new String("echo"));
			else worker.kill();
		},
	);
	child.emit("error", new Error("write EPIPE"));
	expect(await worker.ended).toEqual({ code: null, signal: "SIGKILL" });
	expect(heard).toEqual(["here", "echo!"]);
});

/**
 * A machine that can't fork for a while (contract 1): workers come back when it can again, a reload that
 * needs new ones fails, says so and leaves the old ones serving, and the next one works. EAGAIN is
 * emitted by Node, ENOMEM thrown.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { failingCall } from "../faults/preload.ts";
import { kill, type Server, startServer, until } from "./harness.ts";

const fault = failingCall("fork", "WEIR_FAULT_FORK");

let server: Server;
beforeAll(async () => {
	server = await startServer({ workers: 2, environment: fault.environment });
});
afterEach(() => fault.set());
afterAll(() => server.cleanUp());

describe.runIf(process.platform === "linux").each(["EAGAIN", "ENOMEM"] as const)("%s", (error) => {
	let seen = 0;
	/** The next line of the log that says so. */
	const said = (message: RegExp) =>
		until(() => {
			const lines = server.logLines();
			const found = lines.findIndex(({ msg }, index) => index >= seen && message.test(String(msg)));
			if (found < 0) return undefined;
			seen = found + 1;
			return lines[found];
		}, `"${message}"`);
	beforeAll(() => {
		seen = server.logLines().length;
	});
	const serving = (workers: number) =>
		until(
			async () => ((await server.metric("weir_workers")) === workers ? true : undefined),
			`${workers} workers that serve`,
		);

	/**
	 * A connection that the kernel had given to a worker that is killed is reset, or waits for the next worker; clients
	 * try again.
	 */
	const answers = () =>
		until(
			() =>
				Promise.race([
					server.get("/").then(
						({ status }) => status === 404 || undefined,
						() => undefined,
					),
					delay(1000, undefined),
				]),
			"an answer",
		);

	it("a worker that can't be started again is tried until it can", async () => {
		fault.set(error);
		const [pid = 0] = server.workerPids();
		kill(pid, "SIGKILL");
		const failure = new RegExp(`^worker \\d could not be started: spawn .*${error}$`);
		for (let attempt = 0; attempt < 3; attempt++) await said(failure);
		await answers();
		fault.set();
		await serving(2);
	});

	it("a reload that can't start workers ends and says so, and the next one works", async () => {
		const before = server.workerPids();
		fault.set(error);
		server.replaceWorkers();
		const { reason } = await said(/^config not reloaded$/);
		expect(reason).toMatch(new RegExp(`worker \\d could not be started: .*${error}`));
		// What dies while the machine is full, and a second reload, change nothing about that.
		kill(before[0] ?? 0, "SIGKILL");
		server.child.kill("SIGHUP");
		await said(/^config not reloaded$/);
		await answers();
		await until(() => server.workerPids().length === 1 || undefined, "one worker");
		expect(server.workerPids()).toEqual([before[1]]);
		fault.set();
		await serving(2);
		server.replaceWorkers();
		await said(/^replaced workers have ended$/);
		await serving(2);
		const after = server.workerPids();
		expect(after).toHaveLength(2);
		for (const pid of before) expect(after).not.toContain(pid);
	});
});

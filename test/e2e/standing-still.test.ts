/**
 * Workers that stand still without anybody asking them for something (docs/design.md, "Processes"): one that serves
 * makes weir not ready and is replaced, one of a new generation ends its reload.
 */
import { readFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { kill, type Server, startServer, until } from "./harness.ts";

const servers: Server[] = [];
afterEach(async () => {
	for (const server of servers.splice(0)) await server.cleanUp();
});

/** Not while it is still being forked, when its parent waits for it. */
const runsWorker = (pid: number): boolean =>
	readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("worker");

it("a stopped worker is noticed and replaced, and so is one that has not begun yet", async () => {
	const server = await startServer({ workers: 2 });
	servers.push(server);
	const [stopped = 0, other = 0] = server.workerPids();
	kill(stopped, "SIGSTOP");
	server.replaceWorkers();
	const starting = await until(
		() => server.workerPids().find((pid) => pid !== stopped && pid !== other && runsWorker(pid)),
		"a worker of the new generation",
	);
	kill(starting, "SIGSTOP");

	const notReady = await until(async () => {
		const answer = await server.api("GET", "/readyz");
		return answer.status === 503 ? answer.body : undefined;
	}, "the server not to be ready");
	// Perhaps one of the new generation listens already.
	expect(notReady).toMatch(/(?:1 of 2|2 of 3) workers answer/);
	const said = (message: string) =>
		until(() => server.logLines().find(({ msg }) => msg === message), message);
	await said("config not reloaded");
	await until(
		async () => ((await server.metric("weir_workers_stuck_total")) === 2 ? true : undefined),
		"both to be noticed",
	);
	const replaced = server
		.logLines()
		.filter(({ msg }) => msg === "worker stands still and is replaced");
	expect(new Set(replaced.map((line) => line.process))).toEqual(new Set([stopped, starting]));

	await until(
		async () => ((await server.metric("weir_workers")) === 2 ? true : undefined),
		"two workers to serve",
	);
	await until(
		async () => ((await server.api("GET", "/readyz")).status === 200 ? true : undefined),
		"the server to be ready again",
	);
	const pids = server.workerPids();
	expect(pids).toHaveLength(2);
	expect(pids).toContain(other);
	expect(pids).not.toContain(stopped);
});

/** Signals at inconvenient moments (contract 1): during start-up, to every process at once, beside slow API clients. */
import { once } from "node:events";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { constants } from "node:os";
import { afterEach, expect, it } from "vitest";
import { KEY, kill, type Server, Server as ServerProcess, startServer, until } from "./harness.ts";

const servers: Server[] = [];
afterEach(async () => {
	for (const server of servers.splice(0)) await server.cleanUp();
});
function kept(server: Server): Server {
	servers.push(server);
	return server;
}

/** Whether the process has handlers of ours by now. Node itself has some from the start, but none for SIGHUP. */
function hears(server: Server): true | undefined {
	const status = readFileSync(`/proc/${server.child.pid}/status`, "latin1");
	const mask = /^SigCgt:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0";
	const bit = 1n << BigInt(constants.signals.SIGHUP - 1);
	return (BigInt(`0x${mask}`) & bit) !== 0n || undefined;
}

/** No signal waits to be taken by the process. */
function handled(pid: number): true | undefined {
	const status = readFileSync(`/proc/${pid}/status`, "latin1");
	return /^(?:Sig|Shd)Pnd:\s*0*[1-9a-f]/m.test(status) ? undefined : true;
}

const said = (server: Server, message: string) =>
	until(() => server.logLines().find(({ msg }) => msg === message), message);

it("SIGHUP during start-up is obeyed once it is over", async () => {
	const server = kept(new ServerProcess({ workers: 1 }));
	await until(() => hears(server), "a process that hears signals");
	server.child.kill("SIGHUP");
	await said(server, "config reloaded");
});

it("SIGTERM during start-up is an orderly end", async () => {
	const server = kept(new ServerProcess({ workers: 1 }));
	await until(() => hears(server), "a process that hears signals");
	server.child.kill("SIGTERM");
	expect(await server.exited).toBe(0);
});

it("SIGTERM to all processes closes the data path though an API client is slow", async () => {
	const server = kept(await startServer({ workers: 2 }));
	const slow = connect(server.managementPort, "127.0.0.1");
	slow.on("error", () => {});
	const lines = [
		"PUT /edges/https/e HTTP/1.1",
		"host: localhost",
		`authorization: Bearer ${KEY}`,
		"content-type: application/json",
		"content-length: 9",
		"expect: 100-continue",
	];
	slow.write(`${lines.join("\r\n")}\r\n\r\n`);
	await once(slow, "data");
	for (const pid of [...server.workerPids(), server.child.pid ?? 0]) kill(pid, "SIGTERM");
	await until(() => server.workerPids().length === 0 || undefined, "the workers to end");
	await expect(server.get("/")).rejects.toThrow("ECONNREFUSED");
	expect(server.child.exitCode).toBeNull();
	slow.destroy();
	expect(await server.exited).toBe(0);
	expect(server.logLines().map(({ msg }) => msg)).not.toContain("worker started again");
});

it("SIGHUP changes the API's bounds and goes on in a log file that was rotated", async () => {
	const server = kept(await startServer({ workers: 1 }));
	const document = { inbound: Array(501).fill({ actions: [{ type: "log" }] }) };
	const put = async (): Promise<number> =>
		(await server.api("PUT", "/edges/https/e/routes/r/policy", document)).status;
	expect(await put()).toBe(400);
	const path = `${server.folder}/weir.json`;
	const settings = JSON.parse(readFileSync(path, "utf8"));
	writeFileSync(path, JSON.stringify({ ...settings, limits: { rules: 501 } }));
	renameSync(server.logFile, `${server.logFile}.1`);
	server.child.kill("SIGHUP");
	await said(server, "config reloaded");
	expect(await put()).toBe(200);
});

it("SIGHUP just before the end starts no new workers, which would accept connections again", async () => {
	const server = kept(await startServer({ workers: 1 }));
	const path = `${server.folder}/weir.json`;
	const settings = JSON.parse(readFileSync(path, "utf8"));
	// An address more has to be looked at, which leaves time for the other signal.
	const listen = [{ address: settings.listen }, { address: "127.0.0.1:0" }];
	writeFileSync(path, JSON.stringify({ ...settings, listen }));
	kill(server.child.pid ?? 0, "SIGHUP");
	kill(server.child.pid ?? 0, "SIGTERM");
	expect(await server.exited).toBe(0);
	const messages = server.logLines().map(({ msg }) => msg);
	expect(messages).not.toContain("config reloaded");
	expect(messages.at(-1)).toBe("stopped");
});

it("SIGUSR1 goes on in log files that were rotated, in every process, and starts no debugger", async () => {
	const server = kept(await startServer({ workers: 2, config: { log: { access: true } } }));
	const rotated = `${server.logFile}.1`;
	renameSync(server.logFile, rotated);
	server.child.kill("SIGUSR1");
	await until(() => existsSync(server.logFile) || undefined, "a new log file");
	const writers = () => new Set(server.logLines().map(({ pid }) => pid));
	await until(async () => {
		await server.get("/");
		return server.workerPids().every((pid) => writers().has(pid)) || undefined;
	}, "lines of every worker in the new file");
	server.child.kill("SIGHUP");
	await said(server, "config reloaded");
	expect(writers()).toContain(server.child.pid);
	for (const pid of server.workerPids()) kill(pid, "SIGUSR1");
	expect((await server.get("/")).status).toBe(404);
	await server.stop();
	expect(server.stderr).not.toContain("Debugger");
});

it("signals that are for others end no process", async () => {
	const server = kept(await startServer({ workers: 2 }));
	const pids = server.workerPids();
	for (const signal of ["SIGUSR2", "SIGALRM", "SIGPIPE", "SIGUSR1"] as const)
		for (const pid of [...pids, server.child.pid ?? 0]) kill(pid, signal);
	for (const signal of ["SIGHUP", "SIGINT"] as const) for (const pid of pids) kill(pid, signal);
	// Behind the signals: what answers now has survived them.
	for (const pid of pids) await until(() => handled(pid), `signals of ${pid}`);
	expect(await server.metric("weir_workers")).toBe(2);
	expect(server.workerPids()).toEqual(pids);
	expect(server.child.exitCode ?? server.child.signalCode).toBeNull();
	expect(await server.metric("weir_worker_restarts_total")).toBe(0);
});

it("a worker that is told to leave is replaced while it finishes what it has", async () => {
	const server = kept(await startServer({ workers: 2 }));
	const [pid = 0] = server.workerPids();
	// Connected, and not asked yet: the worker that has them waits for them.
	const clients = Array.from({ length: 8 }, () => connect(server.port, "127.0.0.1"));
	await Promise.all(clients.map((client) => once(client, "connect")));
	kill(pid, "SIGTERM");
	await said(server, "worker started again");
	for (let question = 0; question < 20; question++)
		expect((await server.get("/")).status).toBe(404);
	for (const client of clients) client.destroy();
	const own = server.child.pid;
	expect(await said(server, "worker ended")).toMatchObject({ pid: own, process: pid, code: 0 });
	expect(server.workerPids()).toHaveLength(2);
	expect(await server.metric("weir_worker_restarts_total")).toBe(1);
});

it("SIGQUIT is an orderly end, for the server and for a worker", async () => {
	const server = kept(await startServer({ workers: 2 }));
	const [pid = 0] = server.workerPids();
	kill(pid, "SIGQUIT");
	const end = await said(server, "worker ended");
	expect(end).toMatchObject({ process: pid, code: 0, signal: null });
	await said(server, "worker started again");
	server.child.kill("SIGQUIT");
	expect(await server.exited).toBe(0);
	expect(server.logLines().at(-1)).toMatchObject({ msg: "stopped" });
});

it("forty SIGHUPs are the reload that runs and one more", async () => {
	const server = kept(await startServer({ workers: 1 }));
	server.replaceWorkers();
	await until(() => server.workerPids().length === 2 || undefined, "a reload that runs");
	const reloads = () => server.logLines().filter(({ msg }) => msg === "config reloaded").length;
	for (let signal = 1; signal < 40 && reloads() === 0; signal++) {
		server.child.kill("SIGHUP");
		// Else the system makes one of many.
		while (handled(server.child.pid ?? 0) === undefined)
			await new Promise((resolve) => setImmediate(resolve));
	}
	await until(() => reloads() >= 2 || undefined, "two reloads");
	await server.replaced(1);
	const pids = server.workerPids();
	// A third would have begun by now.
	for (let question = 0; question < 20; question++) await server.metric("weir_workers");
	expect(pids).toHaveLength(1);
	expect(server.workerPids()).toEqual(pids);
	expect(reloads()).toBe(2);
});

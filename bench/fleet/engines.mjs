/** NATS servers for the bench, on free ports over folders of their own: one, or three, synced. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../processes.mjs";

const PROGRAM = process.env.NATS_SERVERS?.split(":")[0] ?? "nats-server";

/** It knows `sync_interval: always` since 2.10.27. */
const assertNew = () => {
	const said = execFileSync(PROGRAM, ["--version"], { encoding: "utf8" });
	const [, minor = "0"] = /v2\.(\d+)\./.exec(said) ?? [];
	if (Number(minor) < 12)
		throw new Error(`${PROGRAM} is ${said.trim()}: name one of 2.12 or newer in NATS_SERVERS`);
};

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
process.on("exit", () => {
	for (const child of running) child.kill("SIGKILL");
});

/** @param {string} folder @param {1 | 3} many */
export const startEngines = async (folder, many) => {
	assertNew();
	const names = Array.from({ length: many }, (_, index) => `nats-${index + 1}`);
	const routes = await Promise.all(names.map(() => freePort()));
	const urls = routes.map((port) => `nats://127.0.0.1:${port}`).join(", ");
	const servers = [];
	for (const [index, name] of names.entries()) {
		const port = await freePort();
		const monitor = await freePort();
		mkdirSync(join(folder, name), { recursive: true });
		const lines = [
			...[`server_name: ${name}`, `listen: 127.0.0.1:${port}`, "max_payload: 8MB"],
			`http: 127.0.0.1:${monitor}`,
			`jetstream { store_dir: "${join(folder, name)}", sync_interval: always }`,
			many === 1
				? ""
				: `cluster { name: bench, listen: 127.0.0.1:${routes[index]}, routes: [${urls}] }`,
		];
		const file = join(folder, `${name}.conf`);
		writeFileSync(file, lines.join("\n"));
		const start = () => {
			const child = spawn(PROGRAM, ["-c", file, "-l", `${file}.log`], { stdio: "ignore" });
			running.add(child);
			child.once("exit", () => running.delete(child));
			return child;
		};
		servers.push({
			monitor: `http://127.0.0.1:${monitor}`,
			name,
			url: `nats://127.0.0.1:${port}`,
			start,
			child: start(),
		});
	}
	return servers;
};

const TICKS = 100;

/** Processor time of a process, in milliseconds. @param {number} pid */
export const cpuMs = (pid) => {
	const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
	return ((Number(stat[11]) + Number(stat[12])) * 1000) / TICKS;
};

/** Processor time in milliseconds, and memory in MB, of all servers. @param {Awaited<ReturnType<typeof startEngines>>} servers */
export const usage = (servers) => {
	let used = 0;
	let megabytes = 0;
	for (const { child } of servers) {
		used += cpuMs(child.pid ?? 0);
		const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
		megabytes += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
	}
	return { cpuMs: used, megabytes };
};

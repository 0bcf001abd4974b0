/**
 * Pinned child processes and their CPU time from the kernel's process accounting, for the benches. Only
 * what was started here is ended here, by its process id.
 */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";

const CLOCK_TICKS_PER_SECOND = Number(spawnSync("getconf", ["CLK_TCK"]).stdout?.toString() || 100);

/** Hexadecimal masks for taskset: the proxy alone on one core, everything else on the other. */
export const PROXY_CORE = "0x1";
export const OTHER_CORE = "0x2";

export const hasProgram = (name) => spawnSync("which", [name]).status === 0;

/** @returns {Promise<number>} a port of loopback that nobody listens on */
export const freePort = () =>
	new Promise((resolve, reject) => {
		const server = createServer().on("error", reject);
		server.listen(0, "127.0.0.1", () => {
			const { port } = server.address();
			server.close(() => resolve(port));
		});
	});

/** A program on one core; its output is kept for the message when it dies unasked. */
export class Pinned {
	/** @param {string} core @param {string[]} command @param {NodeJS.ProcessEnv} environment */
	constructor(core, command, environment = {}) {
		this.output = "";
		this.command = command;
		this.child = spawn("taskset", [core, ...command], {
			env: { ...process.env, ...environment },
			stdio: ["ignore", "pipe", "pipe"],
		});
		for (const stream of [this.child.stdout, this.child.stderr]) {
			stream.on("data", (chunk) => {
				this.output = `${this.output}${chunk}`.slice(-4000);
			});
		}
		this.exited = new Promise((resolve) => this.child.once("exit", resolve));
	}

	get running() {
		return this.child.exitCode === null && this.child.signalCode === null;
	}

	async stop() {
		if (this.running) this.child.kill("SIGTERM");
		const late = setTimeout(() => this.child.kill("SIGKILL"), 5000);
		await this.exited;
		clearTimeout(late);
	}

	/** @returns {number} microseconds of CPU that the process and its descendants have used so far */
	cpuMicroseconds() {
		const parents = new Map();
		const ticks = new Map();
		for (const entry of readdirSync("/proc")) {
			if (!/^\d+$/.test(entry)) continue;
			const fields = statFields(entry);
			if (fields === undefined) continue;
			// Counted from the state, field 3 of proc(5): 4 ppid, 14 utime, 15 stime.
			parents.set(Number(entry), Number(fields[1]));
			ticks.set(Number(entry), Number(fields[11]) + Number(fields[12]));
		}
		const ours = (id) => id === this.child.pid || (parents.has(id) && ours(parents.get(id)));
		let sum = 0;
		for (const [id, used] of ticks) if (ours(id)) sum += used;
		return (sum / CLOCK_TICKS_PER_SECOND) * 1e6;
	}
}

/** @returns {string[] | undefined} the fields behind the command's name; undefined if it has gone */
const statFields = (id) => {
	try {
		const text = readFileSync(`/proc/${id}/stat`, "utf8");
		return text.slice(text.lastIndexOf(")") + 2).split(" ");
	} catch {
		return undefined;
	}
};

/** Polls until `check` resolves to true; throws with the program's output when it dies or takes too long. */
export const ready = async (pinned, check, seconds = 20) => {
	const deadline = performance.now() + seconds * 1000;
	for (;;) {
		if (await check().catch(() => false)) return;
		if (!pinned.running || performance.now() > deadline) {
			throw new Error(`${pinned.command.join(" ")} did not come up:\n${pinned.output}`);
		}
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
};

/**
 * Pinned child processes and their CPU time from the kernel's accounting, for the benches. Only what was
 * started here is ended here, by its process id, also when the bench is interrupted.
 */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { constants } from "node:os";

const CLOCK_TICKS_PER_SECOND = Number(spawnSync("getconf", ["CLK_TCK"]).stdout?.toString() || 100);
/** from the request to end to the end by force */
const STOP_MS = 5000;
const OUTPUT_CHARACTERS = 4000;

/** Hexadecimal masks for taskset: the proxy alone on one core, everything else on the other. */
export const PROXY_CORE = "0x1";
export const OTHER_CORE = "0x2";
export const BOTH_CORES = "0x3";

/** Whatever was started here and has not ended. */
/** @type {Set<Pinned>} */
const running = new Set();
/** From an interruption on: nothing is started any more, and whoever waits for a program waits for the exit. */
let interrupted = false;

const waitWhenInterrupted = async () => {
	if (interrupted) await new Promise(() => {});
};

/** @param {string} name */
export const hasProgram = (name) => spawnSync("which", [name]).status === 0;

/** This process goes to the core of clients and backends, with all its threads. */
export const leaveProxyCore = () => {
	spawnSync("taskset", ["-a", "-p", OTHER_CORE, `${process.pid}`]);
};

/** Ends this process with status 2 where one of them is missing. @param {readonly string[]} names */
export const demandPrograms = (names) => {
	const missing = names.find((name) => !hasProgram(name));
	if (missing === undefined) return;
	console.error(`${missing} is missing`);
	process.exit(2);
};

/** @returns {Promise<number>} a port of loopback that nobody listens on */
export const freePort = () =>
	new Promise((resolve, reject) => {
		const server = createServer().on("error", reject);
		server.listen(0, "127.0.0.1", () => {
			const address = server.address();
			const port = typeof address === "object" ? address?.port : undefined;
			server.close(() => (port === undefined ? reject(new Error("no port")) : resolve(port)));
		});
	});

/** A program on one core; its output is kept for the message when it dies unasked. */
export class Pinned {
	/**
	 * @param {string} core @param {string[]} command @param {NodeJS.ProcessEnv} environment
	 * @param {"pipe" | "ignore"} input what stands on its standard input
	 */
	constructor(core, command, environment = {}, input = "ignore") {
		if (interrupted) throw new Error("interrupted");
		this.output = "";
		this.command = command;
		this.child = spawn("taskset", [core, ...command], {
			env: { ...process.env, ...environment },
			stdio: [input, "pipe", "pipe"],
		});
		for (const stream of [this.child.stdout, this.child.stderr]) {
			stream?.on("data", (chunk) => {
				this.output = `${this.output}${chunk}`.slice(-OUTPUT_CHARACTERS);
			});
		}
		running.add(this);
		this.exited = new Promise((resolve) => {
			// `close`: behind the last of its output. `error`: it could not be started at all.
			this.child.once("close", resolve);
			this.child.once("error", (error) => {
				this.output = error.message;
				resolve(undefined);
			});
		}).finally(() => running.delete(this));
	}

	get running() {
		return (
			this.child.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null
		);
	}

	async stop() {
		if (this.running) this.child.kill("SIGTERM");
		const late = setTimeout(() => {
			// By force it can't end its own children any more.
			for (const id of this.running ? this.#family() : []) kill(id);
		}, STOP_MS);
		await this.exited;
		clearTimeout(late);
	}

	/** @returns {number} microseconds of CPU that the process and its descendants have used so far */
	cpuMicroseconds() {
		return this.#family().reduce((sum, id) => sum + (threadsTime(id) ?? ticksTime(id)), 0);
	}

	/** @returns {number} bytes of memory that the process and its descendants hold, shared pages each time */
	residentBytes() {
		return this.#family().reduce((sum, id) => sum + residentBytes(id), 0);
	}

	/** @returns {number} bytes of memory from `malloc` that they hold, small pieces: what C and C++ keep, and V8 does not */
	mallocBytes() {
		return this.#family().reduce((sum, id) => sum + mallocBytes(id), 0);
	}

	/** @returns {string[]} ids of the process and its descendants */
	#family() {
		/** @type {Map<string, string | undefined>} */
		const parents = new Map();
		for (const entry of readdirSync("/proc")) {
			// Counted from the state, field 3 of proc(5): 4 is the parent's id.
			if (/^\d+$/.test(entry)) parents.set(entry, statFields(entry)?.[1]);
		}
		const root = String(this.child.pid);
		/** @param {string | undefined} id @returns {boolean} */
		const ours = (id) =>
			id === root || (id !== undefined && parents.has(id) && ours(parents.get(id)));
		return [...parents.keys()].filter(ours);
	}
}

/** @param {string} id */
const kill = (id) => {
	try {
		process.kill(Number(id), "SIGKILL");
	} catch {
		// It has ended meanwhile.
	}
};

/** Processes that its first thread has started. @param {number | undefined} id @returns {number[]} */
export const childrenOf = (id) => {
	const text = readFileSync(`/proc/${id}/task/${id}/children`, "latin1").trim();
	return text === "" ? [] : text.split(" ").map(Number);
};

/** Microseconds that the threads of a process have run, exact to the nanosecond; undefined if not told. @param {string} id */
export const threadsTime = (id) => {
	try {
		const nanoseconds = readdirSync(`/proc/${id}/task`).map((thread) =>
			Number(readFileSync(`/proc/${id}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
		);
		return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000;
	} catch {
		return undefined;
	}
};

/** Microseconds of CPU in whole clock ticks; 0 if the process has gone. @param {string} id */
const ticksTime = (id) => {
	const fields = statFields(id);
	// 14 utime, 15 stime.
	const ticks = fields === undefined ? 0 : Number(fields[11]) + Number(fields[12]);
	return (ticks / CLOCK_TICKS_PER_SECOND) * 1e6;
};

/** VmRSS; 0 if the process has gone. @param {string} id */
const residentBytes = (id) => {
	try {
		const text = readFileSync(`/proc/${id}/status`, "utf8");
		return Number(/^VmRSS:\s*(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024;
	} catch {
		return 0;
	}
};

/** Resident size of what stands as `[heap]`; 0 if the process has gone. @param {string} id */
const mallocBytes = (id) => {
	try {
		const text = readFileSync(`/proc/${id}/smaps`, "utf8");
		return Number(/ \[heap\]\n(?:\w+:.*\n)*?Rss:\s*(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024;
	} catch {
		return 0;
	}
};

/** @param {string} id @returns {string[] | undefined} the fields behind the command's name; undefined if it has gone */
const statFields = (id) => {
	try {
		const text = readFileSync(`/proc/${id}/stat`, "utf8");
		return text.slice(text.lastIndexOf(")") + 2).split(" ");
	} catch {
		return undefined;
	}
};

/**
 * Runs a program to its end.
 * @param {string} core @param {string[]} command @param {string} [input]
 * @returns {Promise<string>} its standard output; throws if it fails
 */
export const runPinned = async (core, command, input) => {
	const pinned = new Pinned(core, command, {}, input === undefined ? "ignore" : "pipe");
	let output = "";
	pinned.child.stdout?.on("data", (chunk) => {
		output += chunk;
	});
	// A program that ends without reading all of it says so in its status.
	pinned.child.stdin?.on("error", () => {}).end(input);
	const status = await pinned.exited;
	await waitWhenInterrupted();
	if (status === 0) return output;
	throw new Error(`${command[0]} failed: ${pinned.output.trim()}`);
};

/**
 * Polls until `check` resolves to true; throws with the program's output when it dies or takes too long.
 * @param {Pinned} pinned @param {() => Promise<boolean>} check
 */
export const ready = async (pinned, check, seconds = 20) => {
	const deadline = performance.now() + seconds * 1000;
	for (;;) {
		const done = await check().catch(() => false);
		await waitWhenInterrupted();
		if (done) return;
		if (!pinned.running || performance.now() > deadline) {
			throw new Error(`${pinned.command.join(" ")} did not come up:\n${pinned.output}`);
		}
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
};

/** Ends all that was started here and still runs. */
export const stopAll = async () => {
	await Promise.all([...running].map((each) => each.stop()));
};

/** From now on an interrupted bench ends its children, tidies up and exits as the signal would have it. @param {() => void} tidy */
export const tidyWhenInterrupted = (tidy) => {
	for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
		process.once(signal, async () => {
			interrupted = true;
			console.error(`\n${signal}: ending what was started`);
			await stopAll();
			tidy();
			process.exit(128 + constants.signals[signal]);
		});
	}
};

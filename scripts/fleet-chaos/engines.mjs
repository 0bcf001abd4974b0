/** NATS servers under attack: killed, paused, parted from one another, given an older copy of their folder, without power. */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "../../bench/processes.mjs";
import { until } from "../storm/storm.mjs";
import { Disk } from "./disks.mjs";
import { Link } from "./proxy.mjs";

const ENVIRONMENT = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };
const CLUSTER_MINOR = 12;

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
process.on("exit", () => {
	for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** Started here, ended with this process whatever becomes of it. @param {string} program @param {string[]} words @param {import("node:child_process").SpawnOptions} options */
export const start = (program, words, options) => {
	const child = spawn(program, words, options);
	running.add(child);
	child.once("exit", () => running.delete(child));
	return child;
};

/** @param {import("node:child_process").ChildProcess} child @param {NodeJS.Signals} signal */
export const end = async (child, signal) => {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exit = new Promise((resolve) => child.once("exit", resolve));
	child.kill(signal);
	await exit;
};

/** @param {number} port @returns {Promise<boolean>} */
export const listens = (port) =>
	new Promise((resolve) => {
		const socket = connect(port, "127.0.0.1", () => resolve(true));
		socket.on("error", () => resolve(false));
		socket.on("connect", () => socket.destroy());
	});

/** The first that is there of a path, those in `NATS_SERVERS`, and the one in the PATH. @param {string | undefined} named @param {number} many */
export const findProgram = (named, many) => {
	const paths = named ? [named] : [...(process.env.NATS_SERVERS ?? "").split(":"), "nats-server"];
	for (const path of paths.filter(Boolean)) {
		let said;
		try {
			said = execFileSync(path, ["--version"], { env: ENVIRONMENT, encoding: "utf8" });
		} catch {
			continue;
		}
		const [, version = "0", minor = "0"] = /v(\d+\.(\d+)\.\d+)/.exec(said) ?? [];
		if (many === 1 || Number(minor) >= CLUSTER_MINOR)
			return { path, version, minor: Number(minor) };
	}
	throw new Error("no nats-server for that many: name one in --engine or NATS_SERVERS");
};

export class Engine {
	/**
	 * @param {string} program @param {string} folder @param {string} name @param {number} port @param {number} monitor
	 * @param {(store: string) => string} config @param {boolean} hasDisk
	 */
	constructor(program, folder, name, port, monitor, config, hasDisk) {
		this.program = program;
		this.name = name;
		this.port = port;
		this.monitor = `http://127.0.0.1:${monitor}`;
		this.folder = join(folder, name);
		mkdirSync(this.folder, { recursive: true });
		this.file = join(this.folder, "nats.conf");
		this.disk = hasDisk ? new Disk(this.folder) : undefined;
		this.store = join(this.disk?.mount ?? this.folder, "js");
		writeFileSync(this.file, config(this.store));
		/** @type {import("node:child_process").ChildProcess | undefined} */
		this.child = undefined;
	}

	async start() {
		const words = ["-c", this.file, "-l", join(this.folder, "log")];
		this.child = start(this.program, words, { env: ENVIRONMENT, stdio: "ignore" });
		await until(async () => (await listens(this.port)) || undefined, `${this.name} to listen`);
	}
	async kill() {
		if (this.child !== undefined) await end(this.child, "SIGKILL");
	}
	pause() {
		this.child?.kill("SIGSTOP");
	}
	resume() {
		this.child?.kill("SIGCONT");
	}
	/** As when its plug is pulled: what it has not synced is gone. */
	async cutPower() {
		this.disk?.cut();
		await this.kill();
		this.disk?.back();
	}
	/** It has ended. */
	release() {
		this.disk?.release();
	}
	/** What it has on disk, as a backup that somebody took of it. */
	save() {
		rmSync(join(this.folder, "copy"), { recursive: true, force: true });
		cpSync(this.store, join(this.folder, "copy"), { recursive: true });
	}
	restore() {
		rmSync(this.store, { recursive: true, force: true });
		cpSync(join(this.folder, "copy"), this.store, { recursive: true });
	}
}

/**
 * @param {string} folder @param {number} many @param {ReturnType<typeof findProgram>} program
 * @param {{haveDisks: boolean, areSynced: boolean}} how
 */
export const startEngines = async (folder, many, program, { haveDisks, areSynced }) => {
	const names = Array.from({ length: many }, (_, index) => `nats-${index + 1}`);
	const routes = await Promise.all(names.map(() => freePort()));
	/** between two engines @type {{from: number, to: number, link: Link}[]} */
	const links = [];
	/** @type {Engine[]} */
	const engines = [];
	for (const [index, name] of names.entries()) {
		const [port, monitor] = [await freePort(), await freePort()];
		/** @type {string[]} */
		const urls = [];
		for (const other of names.keys()) {
			if (other === index) continue;
			const link = await new Link(() => routes[other] ?? 0).listen();
			links.push({ from: index, to: other, link });
			urls.push(`nats://127.0.0.1:${link.port}`);
		}
		const sync = program.minor >= 10 && areSynced ? "sync_interval: always" : "";
		const lines = (/** @type {string} */ store) => [
			`server_name: ${name}`,
			`listen: 127.0.0.1:${port}`,
			`http: 127.0.0.1:${monitor}`,
			"max_payload: 8MB",
			`jetstream { store_dir: "${store}"; ${sync} }`,
			// Others must not learn a way past the links.
			many === 1
				? ""
				: `cluster { name: chaos, listen: 127.0.0.1:${routes[index]}, advertise: "127.0.0.1:1", no_advertise: true, routes: [${urls.join(", ")}] }`,
		];
		const config = (/** @type {string} */ store) => lines(store).join("\n");
		engines.push(new Engine(program.path, folder, name, port, monitor, config, haveDisks));
	}
	await Promise.all(engines.map((engine) => engine.start()));
	if (many > 1)
		await until(async () => {
			const leaders = await Promise.all(engines.map(leaderOf));
			return (leaders[0] && new Set(leaders).size === 1) || undefined;
		}, "a leader of the cluster");
	return { engines, links };
};

/** @param {Engine} engine @returns {Promise<string>} */
export const leaderOf = async ({ monitor }) => {
	const answer = await fetch(`${monitor}/jsz`).catch(() => undefined);
	const said = /** @type {{meta_cluster?: {cluster_size: number, leader?: string}} | undefined} */ (
		await answer?.json()
	);
	const { cluster_size: size = 0, leader = "" } = said?.meta_cluster ?? {};
	return size > 1 ? leader : "";
};

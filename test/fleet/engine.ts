/**
 * Real NATS servers for the tests of a fleet: on free ports over folders of their own, killed, paused and started again.
 * `NATS_SERVERS` names programs besides the one in the PATH (paths with `:` between them), so that an old and a new
 * one can be tried on one machine; `.ci/run` fetches the new one.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refuses, until } from "../e2e/harness.ts";
import { ENVIRONMENT, ended, freePort } from "../e2e/programs.ts";

export interface Program {
	readonly path: string;
	/** `2.9.10` */
	readonly version: string;
}

const [NEW_MAJOR, NEW_MINOR] = [2, 12];

function programs(): Program[] {
	const paths = ["nats-server", ...(process.env.NATS_SERVERS ?? "").split(":")];
	return paths.filter(Boolean).flatMap((path) => {
		try {
			const said = execFileSync(path, ["--version"], { env: ENVIRONMENT, encoding: "utf8" });
			const version = /v(\d+\.\d+\.\d+)/.exec(said)?.[1];
			return version === undefined ? [] : [{ path, version }];
		} catch {
			return [];
		}
	});
}

const isNew = ({ version }: Program): boolean => {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	return major > NEW_MAJOR || (major === NEW_MAJOR && minor >= NEW_MINOR);
};

const all = programs();
/** Every one that is here. */
export const PROGRAMS: readonly Program[] = all;
/** One that clusters need; undefined, and said so: not here. */
export const NEW_PROGRAM: Program | undefined = all.find(isNew);

if (all.length === 0) console.warn("nats-server is not installed: nothing with an engine is tried");
else if (NEW_PROGRAM === undefined)
	console.warn("no nats-server 2.12 or newer in NATS_SERVERS: no cluster is tried");

export interface EngineOptions {
	/** of nats-server.conf, besides ports and folders */
	readonly config?: string;
	readonly maxPayload?: string;
}

/** One server. */
export class Engine {
	readonly program: Program;
	readonly port: number;
	readonly monitorPort: number;
	readonly folder: string;
	readonly #args: readonly string[];
	#child: ChildProcess | undefined;

	constructor(program: Program, port: number, monitorPort: number, folder: string, config: string) {
		this.program = program;
		this.port = port;
		this.monitorPort = monitorPort;
		this.folder = folder;
		const file = join(folder, "nats-server.conf");
		writeFileSync(file, config);
		this.#args = ["-c", file, "-l", join(folder, "log")];
	}

	get url(): string {
		return `nats://127.0.0.1:${this.port}`;
	}
	get monitor(): string {
		return `http://127.0.0.1:${this.monitorPort}`;
	}
	/** what it has said, newest last */
	get log(): string {
		return readFileSync(join(this.folder, "log"), "utf8");
	}

	async start(): Promise<void> {
		const child = spawn(this.program.path, this.#args, { env: ENVIRONMENT, stdio: "ignore" });
		this.#child = child;
		await until(async () => {
			if (child.exitCode !== null) throw new Error(`nats-server ended: ${this.log}`);
			return (await refuses(this.port)) ? undefined : true;
		}, "nats-server to listen");
	}

	/** As `kill -9`. */
	async kill(): Promise<void> {
		if (this.#child !== undefined) await ended(this.#child, "SIGKILL");
	}

	async stop(): Promise<void> {
		if (this.#child !== undefined) await ended(this.#child);
	}

	/** It stands still when this returns, its connections too. */
	pause(): void {
		this.#child?.kill("SIGSTOP");
		const pid = this.#child?.pid;
		const deadline = Date.now() + 5000;
		// Each of its threads stops by itself, and one that is at something may finish it.
		while (pid !== undefined && !hasStopped(pid) && Date.now() < deadline);
	}

	resume(): void {
		this.#child?.kill("SIGCONT");
	}

	/** Everything that it has kept is gone; it must not run. */
	wipe(): void {
		rmSync(join(this.folder, "js"), { recursive: true, force: true });
	}
}

/** Servers that belong together: one, or a cluster. */
export class Engines {
	readonly servers: readonly Engine[];
	readonly #folder: string;

	constructor(servers: readonly Engine[], folder: string) {
		this.servers = servers;
		this.#folder = folder;
	}

	get first(): Engine {
		const [first] = this.servers;
		if (first === undefined) throw new Error("no server");
		return first;
	}
	get urls(): readonly string[] {
		return this.servers.map(({ url }) => url);
	}

	async close(): Promise<void> {
		await Promise.all(this.servers.map((server) => server.kill()));
		rmSync(this.#folder, { recursive: true, force: true });
	}
}

/** Written to disk before it is acknowledged, where the version can. */
const syncOf = ({ version }: Program): string =>
	/^2\.[0-9]\./.test(version) ? "" : "sync_interval: always";

function common(program: Program, port: number, monitorPort: number, folder: string, name: string) {
	return [
		`server_name: ${name}`,
		`listen: 127.0.0.1:${port}`,
		`http: 127.0.0.1:${monitorPort}`,
		`pid_file: "${join(folder, "pid")}"`,
		`jetstream { store_dir: "${join(folder, "js")}"; ${syncOf(program)} }`,
	];
}

/** One server that runs. */
export async function startEngine(program: Program, options: EngineOptions = {}): Promise<Engines> {
	const folder = mkdtempSync(join(tmpdir(), "weir-engine-"));
	const [port, monitorPort] = [await freePort(), await freePort()];
	const config = [
		...common(program, port, monitorPort, folder, "one"),
		`max_payload: ${options.maxPayload ?? "8MB"}`,
		options.config ?? "",
	].join("\n");
	const engine = new Engine(program, port, monitorPort, folder, config);
	await engine.start();
	return new Engines([engine], folder);
}

/** A cluster of three that runs and has a leader. */
export async function startThree(program: Program, options: EngineOptions = {}): Promise<Engines> {
	const folder = mkdtempSync(join(tmpdir(), "weir-engines-"));
	const names = ["one", "two", "three"];
	const routes = await Promise.all(names.map(() => freePort()));
	const servers: Engine[] = [];
	for (const [index, name] of names.entries()) {
		const own = join(folder, name);
		mkdirSync(own);
		const [port, monitorPort] = [await freePort(), await freePort()];
		const config = [
			...common(program, port, monitorPort, own, name),
			`max_payload: ${options.maxPayload ?? "8MB"}`,
			`cluster { name: weir, listen: 127.0.0.1:${routes[index]}, routes: [${routes.map((route) => `nats://127.0.0.1:${route}`).join(", ")}] }`,
			options.config ?? "",
		].join("\n");
		servers.push(new Engine(program, port, monitorPort, own, config));
	}
	const engines = new Engines(servers, folder);
	await Promise.all(servers.map((server) => server.start()));
	await hasLeader(engines);
	return engines;
}

/** Resolves when the servers agree who leads JetStream, and count all as its peers. */
export async function hasLeader({ servers }: Engines): Promise<void> {
	const leaderAt = async ({ monitor }: Engine): Promise<string | undefined> => {
		const said = (await fetch(`${monitor}/jsz`).then(
			(answer) => answer.json(),
			() => undefined,
		)) as { meta_cluster?: { leader?: string; cluster_size?: number } } | undefined;
		const { leader, cluster_size: size } = said?.meta_cluster ?? {};
		return size === servers.length ? leader : undefined;
	};
	await until(
		async () => {
			const leaders = new Set(await Promise.all(servers.map(leaderAt)));
			return leaders.size === 1 && !leaders.has(undefined) && !leaders.has("") ? true : undefined;
		},
		"a leader of the cluster",
		30_000,
	);
}

const hasStopped = (pid: number): boolean =>
	readdirSync(`/proc/${pid}/task`).every((task) =>
		/^\d+ \(.*\) [TtZX] /s.test(readFileSync(`/proc/${pid}/task/${task}/stat`, "latin1")),
	);

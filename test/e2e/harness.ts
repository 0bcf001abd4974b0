/**
 * The real server for end-to-end tests: `node dist/main.js serve` on free ports over a folder of its
 * own, real HTTP in front, real upstreams behind. `npm test` builds dist/ first.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { request as requestTls } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const MAIN = join(import.meta.dirname, "..", "..", "dist", "main.js");
export const KEY = "e2e-key-0123456789abcdef";

/** Polls `probe` until it gives something. @throws after `deadlineMs`, naming what was waited for */
export async function until<T>(
	probe: () => T | undefined | Promise<T | undefined>,
	what: string,
	deadlineMs = 15_000,
): Promise<T> {
	const deadline = Date.now() + deadlineMs;
	for (;;) {
		const found = await probe();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}

export interface Answer {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly rawHeaders: readonly string[];
	readonly body: string;
}

export interface Sending {
	readonly method?: string;
	readonly headers?: Record<string, string | string[]>;
	readonly body?: string | Buffer;
	readonly tls?: { readonly servername: string; readonly ca: string };
}

function answerOf(incoming: IncomingMessage): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
		incoming.on("error", reject);
		incoming.on("end", () =>
			resolve({
				status: incoming.statusCode ?? 0,
				headers: incoming.headers,
				rawHeaders: incoming.rawHeaders,
				body: Buffer.concat(chunks).toString("utf8"),
			}),
		);
	});
}

/** One request on a connection of its own, so that the kernel may give it to any worker. */
export function send(port: number, path: string, sending: Sending = {}): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const options = {
			host: "127.0.0.1",
			port,
			path,
			method: sending.method ?? "GET",
			headers: sending.headers ?? {},
			agent: false as const,
			...sending.tls,
		};
		const outgoing = sending.tls === undefined ? request(options) : requestTls(options);
		outgoing.on("response", (incoming) => answerOf(incoming).then(resolve, reject));
		outgoing.on("error", reject);
		outgoing.end(sending.body);
	});
}

/** Nobody listens on the port. */
export function refuses(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(port, "127.0.0.1", () => {
			socket.destroy();
			resolve(false);
		});
		socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code === "ECONNREFUSED"));
	});
}

/** Sends bytes as they are and collects what comes back until the server closes or `done` says so. */
export function sendRaw(
	port: number,
	bytes: string | Buffer,
	done: (received: string) => boolean = () => false,
): Promise<{ received: string; closed: boolean }> {
	return new Promise((resolve, reject) => {
		const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
		let received = "";
		const timer = setTimeout(() => socket.destroy(new Error(`no end of: ${received}`)), 20_000);
		const finish = (closed: boolean): void => {
			clearTimeout(timer);
			socket.destroy();
			resolve({ received, closed });
		};
		socket.setEncoding("latin1");
		socket.on("data", (chunk) => {
			received += chunk;
			if (done(received)) finish(false);
		});
		socket.on("close", () => finish(true));
		socket.on("error", (error: NodeJS.ErrnoException) => {
			if (error.code === "ECONNRESET" || error.code === "EPIPE") finish(true);
			else {
				clearTimeout(timer);
				reject(error);
			}
		});
	});
}

export interface ServerOptions {
	readonly workers?: number;
	/** more of the config file, as an object */
	readonly config?: Readonly<Record<string, unknown>>;
	/** a folder to go on with; a fresh one otherwise */
	readonly folder?: string;
	readonly environment?: Readonly<Record<string, string>>;
	readonly flags?: readonly string[];
	/** descriptors that each process may have, instead of what this one may */
	readonly descriptors?: number;
	/** a descriptor to print to; collected in `Server.stdout` otherwise */
	readonly stdout?: number;
}

export class Server {
	readonly folder: string;
	readonly child: ChildProcess;
	readonly logFile: string;
	readonly exited: Promise<number | null>;
	stdout = "";
	stderr = "";
	ports: number[] = [];
	managementPort = 0;
	#replacements = 0;

	constructor(options: ServerOptions) {
		this.folder = options.folder ?? mkdtempSync(join(tmpdir(), "weir-e2e-"));
		this.logFile = join(this.folder, `log-${process.hrtime.bigint()}`);
		const settings = {
			listen: "127.0.0.1:0",
			management: { address: "127.0.0.1:0" },
			data_dir: "data",
			workers: options.workers ?? 2,
			...options.config,
			log: { destination: this.logFile, ...(options.config?.log as object | undefined) },
		};
		const config = join(this.folder, "weir.json");
		writeFileSync(config, JSON.stringify(settings));
		const command = [process.execPath, MAIN, "serve", "--config", config];
		const limit = `ulimit -n ${options.descriptors}; exec "$@"`;
		const prefix = options.descriptors === undefined ? [] : ["sh", "-c", limit, "sh"];
		const [program = "", ...words] = [...prefix, ...command, ...(options.flags ?? [])];
		this.child = spawn(program, words, {
			env: { ...process.env, WEIR_API_KEY: KEY, ...options.environment },
			stdio: ["ignore", options.stdout ?? "pipe", "pipe"],
		});
		this.child.stdout?.on("data", (chunk) => {
			this.stdout += chunk;
		});
		this.child.stderr?.on("data", (chunk) => {
			this.stderr += chunk;
		});
		this.exited = new Promise((resolve) => this.child.once("exit", resolve));
	}

	get port(): number {
		return this.ports[0] ?? 0;
	}

	/** All lines that are complete by now, oldest first. */
	logLines(): Record<string, unknown>[] {
		let text: string;
		try {
			text = readFileSync(this.logFile, "utf8");
		} catch {
			return [];
		}
		return text
			.slice(0, text.lastIndexOf("\n") + 1)
			.split("\n")
			.filter((line) => line !== "")
			.map((line) => JSON.parse(line));
	}

	/** Metadata that log actions wrote, of all requests so far. */
	logged(): unknown[] {
		return this.logLines().flatMap((line) => {
			const policy = line.traffic_policy as { logs?: { metadata: unknown }[] } | undefined;
			return policy?.logs?.map(({ metadata }) => metadata) ?? [];
		});
	}

	/** Which worker answered a request, by its path; complete once the access log is (`log.access`). */
	answeredBy(): Map<string, number> {
		const requests = this.logLines().filter(({ msg }) => msg === "request");
		return new Map(requests.map(({ path, pid }) => [path as string, pid as number]));
	}

	async ready(): Promise<this> {
		const line = await until(
			() => {
				if (this.child.exitCode !== null)
					throw new Error(`the server ended: ${this.stdout}${this.stderr}`);
				return this.logLines().find(({ msg }) => msg === "weir is ready");
			},
			"the server to be ready",
			30_000,
		);
		const portOf = (address: string): number => Number(address.split(":").at(-1));
		this.ports = (line.listen as string[]).map(portOf);
		this.managementPort = portOf(line.management as string);
		return this;
	}

	/** Changes settings in the config file. */
	configure(settings: Readonly<Record<string, unknown>>): void {
		const path = join(this.folder, "weir.json");
		const before = JSON.parse(readFileSync(path, "utf8"));
		writeFileSync(path, JSON.stringify({ ...before, ...settings }));
	}

	/** A reload that needs new workers. */
	replaceWorkers(): void {
		this.configure({ limits: { body_memory_bytes: 67_108_864 + ++this.#replacements } });
		this.child.kill("SIGHUP");
	}

	/** Resolves when the workers of so many reloads have ended. */
	async replaced(reloads = this.#replacements): Promise<void> {
		const ended = () =>
			this.logLines().filter(({ msg }) => msg === "replaced workers have ended").length;
		await until(() => ended() >= reloads || undefined, "replaced workers to end");
	}

	api(method: string, path: string, document?: unknown, headers = {}): Promise<Answer> {
		const body =
			document === undefined || typeof document === "string" || document instanceof Buffer
				? document
				: JSON.stringify(document);
		return send(this.managementPort, path, {
			method,
			headers: {
				authorization: `Bearer ${KEY}`,
				"service-version": "2",
				...(body === undefined
					? {}
					: {
							"content-type": "application/json",
							"content-length": String(Buffer.byteLength(body)),
						}),
				...headers,
			},
			...(body === undefined ? {} : { body }),
		});
	}

	/** An edge for every host and one route for every path, to `upstreamPort`. */
	async route(upstreamPort: number, backend: Record<string, unknown> = {}): Promise<void> {
		await this.must(this.api("PUT", "/edges/https/e", { hostports: ["*"] }));
		await this.must(
			this.api("PUT", "/edges/https/e/routes/r", {
				match_type: "path_prefix",
				match: "/",
				backend: { urls: [`http://127.0.0.1:${upstreamPort}`], ...backend },
			}),
		);
	}

	policy(document: unknown): Promise<Answer> {
		return this.must(this.api("PUT", "/edges/https/e/routes/r/policy", document));
	}

	async must(answer: Promise<Answer>): Promise<Answer> {
		const got = await answer;
		if (got.status >= 300) throw new Error(`${got.status} ${got.body}`);
		return got;
	}

	/** One series of `/metrics`, labels included; NaN if it is not there. */
	async metric(series: string): Promise<number> {
		const { body } = await this.api("GET", "/metrics");
		const line = body.split("\n").find((each) => each.startsWith(`${series} `));
		return Number(line?.slice(series.length));
	}

	get(path: string, headers: Record<string, string | string[]> = {}): Promise<Answer> {
		return send(this.port, path, { headers });
	}

	/** Process ids of the workers that run now. */
	workerPids(): number[] {
		const path = `/proc/${this.child.pid}/task/${this.child.pid}/children`;
		return readFileSync(path, "utf8").trim().split(" ").filter(Boolean).map(Number);
	}

	async stop(): Promise<number | null> {
		if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill("SIGTERM");
		return this.exited;
	}

	/** `kill -9` of the supervisor and all workers. */
	async killAll(): Promise<void> {
		const pids = this.workerPids();
		this.child.kill("SIGKILL");
		for (const pid of pids) kill(pid, "SIGKILL");
		await this.exited;
	}

	async cleanUp(): Promise<void> {
		await this.stop();
		rmSync(this.folder, { recursive: true, force: true });
	}
}

/** @throws Error for a pid that would mean the tests' own process group */
export function kill(pid: number, signal: NodeJS.Signals): void {
	if (!(pid > 1)) throw new Error(`there is no process to send ${signal} to`);
	try {
		process.kill(pid, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
	}
}

/**
 * A port 0 is looked up before it is listened on, and another test's connection may have it by then: once more then,
 * unless the folder is one to go on with.
 */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
	const server = new Server(options);
	try {
		return await server.ready();
	} catch (error) {
		const isTaken = server.stderr.includes("the address is in use or not ours");
		if (!isTaken || options.folder !== undefined || options.config?.listen !== undefined)
			throw error;
		return new Server(options).ready();
	}
}

export interface Seen {
	readonly method: string;
	readonly target: string;
	readonly rawHeaders: readonly string[];
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

export interface TestUpstream {
	readonly port: number;
	/** requests that reached it, in order */
	readonly seen: Seen[];
	/** what it answers with */
	status: number;
	headers: Record<string, string | string[]>;
	body: string;
	/** while set, answers wait for it */
	gate: Promise<void> | undefined;
	close(): Promise<void>;
}

export function startUpstream(): Promise<TestUpstream> {
	const state = {
		port: 0,
		seen: [] as Seen[],
		status: 200,
		headers: { "content-type": "text/plain" } as Record<string, string | string[]>,
		body: "upstream",
		gate: undefined as Promise<void> | undefined,
		close: () =>
			new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
	const server = createServer(async (incoming, outgoing) => {
		const { body } = await answerOf(incoming);
		state.seen.push({
			method: incoming.method ?? "",
			target: incoming.url ?? "",
			rawHeaders: incoming.rawHeaders,
			headers: incoming.headers,
			body,
		});
		await state.gate;
		outgoing.writeHead(state.status, state.headers);
		outgoing.end(state.body);
	});
	return new Promise((resolve) => {
		server.listen(0, "127.0.0.1", () => {
			state.port = (server.address() as AddressInfo).port;
			resolve(state);
		});
	});
}

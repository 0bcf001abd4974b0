/** Machines of the fleet: weir from dist/ as it is started by anybody, each behind a link of its own to every engine. */
import { execFile } from "node:child_process";
import { mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { freePort } from "../../bench/processes.mjs";
import { until } from "../storm/storm.mjs";
import { end, start } from "./engines.mjs";
import { Link } from "./proxy.mjs";

const MAIN = join(import.meta.dirname, "..", "..", "dist", "main.js");
const KEY = "chaos-key-0123456789abcdef";
const ANSWER_MS = 20_000;
const AGENT = new Agent({ keepAlive: true, maxSockets: 64 });

/** @typedef {{status: number, headers: import("node:http").IncomingHttpHeaders, body: string}} Answer */

/**
 * @param {number} port @param {string} method @param {string} path @param {Record<string, string>} headers @param {string} [body]
 * @returns {Promise<Answer>}
 */
const send = (port, method, path, headers, body) =>
	new Promise((resolve, reject) => {
		const outgoing = request(
			{ host: "127.0.0.1", port, method, path, headers, agent: AGENT, timeout: ANSWER_MS },
			(incoming) => {
				let text = "";
				incoming.on("data", (chunk) => {
					text += chunk;
				});
				incoming.on("end", () =>
					resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text }),
				);
				incoming.on("error", reject);
			},
		);
		outgoing.on("timeout", () => outgoing.destroy(new Error("no answer")));
		outgoing.on("error", reject);
		outgoing.end(body);
	});

export class Machine {
	/** @param {string} folder @param {string} name @param {Link[]} links @param {number} port @param {number} management */
	constructor(folder, name, links, port, management) {
		this.name = name;
		this.links = links;
		this.port = port;
		this.management = management;
		this.folder = join(folder, name);
		mkdirSync(this.folder, { recursive: true });
		this.config = join(this.folder, "weir.json");
		const settings = {
			listen: `127.0.0.1:${port}`,
			management: { address: `127.0.0.1:${management}` },
			data_dir: "data",
			workers: 1,
			log: { destination: join(this.folder, "log") },
			fleet: {
				name: "chaos",
				servers: links.map((link) => `nats://127.0.0.1:${link.port}`),
				member: { name },
			},
		};
		writeFileSync(this.config, JSON.stringify(settings));
		/** @type {import("node:child_process").ChildProcess | undefined} */
		this.child = undefined;
		/** it was killed and is not back: what it does not answer is nobody's fault */
		this.isAway = false;
	}

	async start() {
		const output = openSync(join(this.folder, "output"), "a");
		this.child = start(process.execPath, [MAIN, "serve", "--config", this.config], {
			env: { ...process.env, WEIR_API_KEY: KEY },
			stdio: ["ignore", output, output],
		});
		await until(async () => {
			if (this.child?.exitCode !== null)
				throw new Error(`${this.name} ended: ${readFileSync(join(this.folder, "output"), "utf8")}`);
			const answer = await this.api("GET", "/readyz").catch(() => undefined);
			return answer?.status === 200 || undefined;
		}, `${this.name} to be ready`);
		this.isAway = false;
	}

	/** Its supervisor and workers, as `kill -9`. */
	async kill() {
		if (this.child === undefined) return;
		this.isAway = true;
		const children = `/proc/${this.child.pid}/task/${this.child.pid}/children`;
		const pids = readFileSync(children, "utf8").trim().split(" ").filter(Boolean).map(Number);
		await end(this.child, "SIGKILL");
		for (const pid of pids) {
			try {
				process.kill(pid, "SIGKILL");
			} catch {
				// It has ended by itself.
			}
		}
	}

	async stop() {
		if (this.child !== undefined) await end(this.child, "SIGTERM");
	}

	/** @param {string} method @param {string} path @param {object} [document] @param {Record<string, string>} [more] */
	api(method, path, document, more = {}) {
		const body = document === undefined ? undefined : JSON.stringify(document);
		return send(
			this.management,
			method,
			path,
			{
				authorization: `Bearer ${KEY}`,
				"service-version": "2",
				...(body === undefined
					? {}
					: { "content-type": "application/json", "content-length": `${Buffer.byteLength(body)}` }),
				...more,
			},
			body,
		);
	}

	get() {
		return send(this.port, "GET", "/", { host: "data.test" });
	}

	async seen() {
		return JSON.parse((await this.api("GET", "/fleet")).body);
	}

	/** `weir fleet …` @param {string[]} words @returns {Promise<{status: number, text: string}>} */
	weir(...words) {
		return new Promise((resolve) => {
			const command = [MAIN, "fleet", ...words, "--config", this.config];
			const child = execFile(process.execPath, command, (_, stdout, stderr) =>
				resolve({ status: child.exitCode ?? 1, text: (stdout + stderr).trim() }),
			);
		});
	}

	/** Records that it gave up. @returns {import("./verdict.mjs").Lost[]} */
	lost() {
		const data = join(this.folder, "data");
		return readdirSync(data)
			.filter((name) => name.startsWith("fleet-lost-"))
			.flatMap((name) => {
				const lines = readFileSync(join(data, name), "utf8")
					.split("\n")
					.filter(Boolean)
					.map((line) => ({ time: name, ...JSON.parse(line) }));
				const found = new Set(lines.filter(({ id }) => id !== undefined).map(({ id }) => id));
				return lines
					.filter(({ record }) => record !== undefined)
					.map((line) => ({ ...line, isFound: found.has(line.record.id), machine: this.name }));
			});
	}
}

/** @param {string} folder @param {number} many @param {import("./engines.mjs").Engine[]} engines */
export const makeMachines = async (folder, many, engines) => {
	const machines = [];
	for (let index = 1; index <= many; index++) {
		const links = await Promise.all(engines.map(({ port }) => new Link(() => port).listen()));
		const [port, management] = [await freePort(), await freePort()];
		machines.push(new Machine(folder, `weir-${index}`, links, port, management));
	}
	return machines;
};

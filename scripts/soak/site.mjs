/** The weir under soak, started from dist/: its configuration, its routes and policies, and its management API. Used by `scripts/soak.mjs`. */
import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";
import { linesOf, until } from "../storm/storm.mjs";

const KEY = "soak-key-0123456789";
const MAIN = join(import.meta.dirname, "..", "..", "dist", "main.js");
export const CAPACITY = 3;
/** for as long a key that is over its limit stays so */
export const WINDOW_MS = 60_000;
/** Above what lives at a time, so that no key is forgotten; the table is full of expired ones soon. */
const KEYS_MAX = 16_384;

/** @param {string[]} expressions @param {string} type @param {object} config */
const rule = (expressions, type, config = {}) => ({ expressions, actions: [{ type, config }] });

/** Each query parameter with each, which takes a thread; it holds. */
const NO_PAIR =
	"!req.url.query_params.exists(a, req.url.query_params.exists(b, a + '.' == b || b + ',' == a || a + b == ''))";
export const HEAVY_QUERY = Array.from({ length: 150 }, (_, n) => `p${n}`).join("&");

/** @param {number} version what the policy of the route `changed` answers */
export const saying = (version) => ({
	inbound: [rule([], "custom-response", { content: `v${version}`, content_type: "text/plain" })],
});

/** @type {Readonly<Record<string, object>>} */
const POLICIES = {
	allowed: {
		inbound: [
			rule(["req.method == 'DELETE'"], "deny"),
			rule(["req.user_agent.contains('badbot')"], "deny"),
			rule(["'1' in req.headers['x-block']"], "deny"),
		],
		outbound: [rule([], "add-headers", { headers: { "x-path": "${req.url.path}" } })],
	},
	denied: { inbound: [rule([], "deny")] },
	limited: {
		inbound: [
			rule([], "rate-limit", {
				...{ capacity: CAPACITY, rate: "60s", bucket_key: ["req.headers['x-client']"] },
			}),
		],
	},
	heavy: {
		inbound: [
			rule([NO_PAIR], "custom-response", { content: "settled", content_type: "text/plain" }),
		],
	},
	changed: saying(0),
};
const PLAIN = ["post", "large", "slow", "tunnel"];

export class Site {
	/** @type {import("node:child_process").ChildProcess | undefined} */
	#process;
	#edition = 0;
	port = 0;
	tlsPort = 0;
	management = "";
	certificate = "";
	reloads = 0;

	/** @param {{folder: string, workers: number}} options */
	constructor({ folder, workers }) {
		this.folder = folder;
		this.workers = workers;
		this.logFile = join(folder, "log");
	}

	get pid() {
		return this.#process?.pid ?? 0;
	}

	/** @param {object} settings */
	#configure(settings) {
		const tls = { cert: join(this.folder, "cert.pem"), key: join(this.folder, "key.pem") };
		const text = JSON.stringify({
			listen: [
				{ address: `127.0.0.1:${this.port}` },
				{ address: `127.0.0.1:${this.tlsPort}`, tls },
			],
			management: { address: this.management || "127.0.0.1:0" },
			data_dir: join(this.folder, "data"),
			workers: this.workers,
			counters: { keys_max: KEYS_MAX },
			log: { destination: this.logFile, access: true },
			...settings,
		});
		writeFileSync(join(this.folder, "weir.json"), text);
	}

	/** @param {number} backendPort */
	async start(backendPort) {
		const made = await generate([{ name: "commonName", value: "localhost" }], {
			keySize: 2048,
			extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
		});
		this.certificate = made.cert;
		writeFileSync(join(this.folder, "cert.pem"), made.cert);
		writeFileSync(join(this.folder, "key.pem"), made.private);
		this.#configure({});
		const config = join(this.folder, "weir.json");
		const weir = spawn(process.execPath, [MAIN, "serve", "--config", config], {
			env: { ...process.env, WEIR_API_KEY: KEY },
			stdio: ["ignore", "ignore", "inherit"],
		});
		this.#process = weir;
		const ready = await until(() => {
			if (weir.exitCode !== null) throw new Error("weir ended");
			return linesOf(this.logFile).find(({ msg }) => msg === "weir is ready");
		}, "weir");
		const portOf = (/** @type {string} */ address) => Number(address.split(":").at(-1));
		[this.port, this.tlsPort] = ready.listen.map(portOf);
		this.management = ready.management;
		await this.put("", { hostports: ["*"] });
		for (const name of [...Object.keys(POLICIES), ...PLAIN]) {
			await this.putRoute(name, backendPort);
			const policy = POLICIES[name];
			if (policy !== undefined) await this.put(`/routes/${name}/policy`, policy);
		}
	}

	/** @param {string} name @param {number} backendPort */
	putRoute(name, backendPort) {
		return this.put(`/routes/${name}`, {
			...{ match_type: "path_prefix", match: `/${name}` },
			backend: { urls: [`http://127.0.0.1:${backendPort}`] },
		});
	}

	/** @param {string} method @param {string} path below the edge @param {object} [document] */
	async api(method, path, document) {
		const answer = await fetch(`http://${this.management}/edges/https/soak${path}`, {
			method,
			headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
			...(document === undefined ? {} : { body: JSON.stringify(document) }),
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
	}

	/** @param {string} path @param {object} document */
	put(path, document) {
		return this.api("PUT", path, document);
	}

	/** With new workers, or taken over by those that run. Resolves when it is over. @param {boolean} isWhole */
	async reload(isWhole) {
		this.reloads += 1;
		if (isWhole) this.#edition += 1;
		this.#configure({
			limits: { body_memory_bytes: 67_108_864 + this.#edition },
			timeouts: { drain_ms: 20_000 + this.reloads },
		});
		// The log is another one from now on: the last of the old one is that it has come.
		const before = this.#said("config reloaded");
		this.#process?.kill("SIGHUP");
		await until(() => this.#said("config reloaded") > before || undefined, "a reload");
	}

	/** @param {string} message */
	#said(message) {
		return readFileSync(this.logFile, "latin1").split(`"msg":"${message}"`).length - 1;
	}

	/** The log would be hundreds of megabytes: it begins anew. */
	async rotate() {
		rmSync(this.logFile, { force: true });
		this.#process?.kill("SIGUSR1");
		await until(() => {
			try {
				return readFileSync(this.logFile) && true;
			} catch {
				return undefined;
			}
		}, "another log");
	}

	/** @returns {Promise<number | null>} the exit status */
	async stop() {
		const weir = this.#process;
		if (weir === undefined || weir.exitCode !== null) return weir?.exitCode ?? null;
		const exited = new Promise((resolve) => weir.once("exit", resolve));
		weir.kill("SIGTERM");
		return exited;
	}

	/** Without a word, when the soak itself ends. */
	kill() {
		this.#process?.kill("SIGKILL");
	}
}

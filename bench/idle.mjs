/**
 * What clients cost that hold connections and say little: memory of weir for each, and processor time of all, as the
 * kernel accounts for them. 10,000 that are idle after an answer, 4,000 that are so within TLS, 5,000 that send a
 * header, a byte a second. Two workers, so that 20,000 descriptors are enough; clients are processes of their own. Each
 * scenario has a server of its own, and takes most of a minute.
 * `npm run bench:idle [-- --record]`
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BOTH_CORES, freePort, Pinned, ready, stopAll, tidyWhenInterrupted } from "./processes.mjs";
import { recordResults, table } from "./results.mjs";

const ROOT = join(import.meta.dirname, "..");
const CLIENT = join(import.meta.dirname, "idle-client.mjs");
const SCENARIO_SECONDS = 60;
const MEASURED_SECONDS = 5;
/** until V8 has given back what it needed for a start or for opening */
const SETTLE_SECONDS = 12;
const CLIENT_PROCESSES = 2;
const WORKERS = 2;
/** A worker gives clients half of what it may have, and the kernel does not deal them out evenly. */
const DESCRIPTORS = 20_000;

/** @typedef {{ name: string, connections: number, kind: "idle" | "drip", security: "plain" | "tls" }} Scenario */
/** @type {readonly Scenario[]} */
const SCENARIOS = [
	{ name: "idle", connections: 10_000, kind: "idle", security: "plain" },
	{ name: "idle, TLS", connections: 4000, kind: "idle", security: "tls" },
	{ name: "a byte of a header each second", connections: 5000, kind: "drip", security: "plain" },
];

if (!existsSync(join(ROOT, "dist", "main.js"))) {
	console.error("dist/main.js is missing: npm run build");
	process.exit(2);
}

/** Raised as far as this user may. @param {string[]} command */
const withDescriptors = (command) => [
	"sh",
	"-c",
	`ulimit -n ${DESCRIPTORS} 2>/dev/null || ulimit -n "$(ulimit -Hn)"; exec "$@"`,
	"sh",
	...command,
];
const descriptors = Number(
	execFileSync("sh", withDescriptors(["sh", "-c", "ulimit -n"]).slice(1), { encoding: "utf8" }),
);

const folder = mkdtempSync(join(tmpdir(), "weir-idle-"));
const tidy = () => rmSync(folder, { recursive: true, force: true });
tidyWhenInterrupted(tidy);

const seconds = (/** @type {number} */ count) =>
	new Promise((resolve) => setTimeout(resolve, count * 1000));

/** @param {number} port @returns {Promise<boolean>} weir answers there */
const answers = (port) =>
	new Promise((resolve) => {
		const asking = request({ host: "127.0.0.1", port, agent: false }, (answer) => {
			answer.resume();
			resolve(answer.statusCode === 404);
		});
		asking.on("error", () => resolve(false));
		asking.end();
	});

const certificate = () => {
	const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
	const name = ["-subj", "/CN=idle.bench", "-addext", "subjectAltName=DNS:idle.bench"];
	const files = ["-keyout", key, "-out", cert, "-days", "1"];
	const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
	execFileSync("openssl", ["req", "-x509", ...kind, ...files, ...name], { stdio: "ignore" });
	return { cert, key };
};

/** @param {string} name @param {{ cert: string, key: string }} tls */
const startWeir = async (name, tls) => {
	const [plain, secure, management] = [await freePort(), await freePort(), await freePort()];
	const config = join(folder, `${name}.json`);
	const settings = {
		listen: [{ address: `127.0.0.1:${plain}` }, { address: `127.0.0.1:${secure}`, tls }],
		management: { address: `127.0.0.1:${management}` },
		data_dir: join(folder, name),
		workers: WORKERS,
		timeouts: { request_header_ms: 120_000, idle_ms: 120_000 },
		log: { destination: join(folder, `${name}.log`) },
	};
	writeFileSync(config, JSON.stringify(settings));
	const main = [process.execPath, join(ROOT, "dist", "main.js"), "serve", "--config", config];
	const pinned = new Pinned(BOTH_CORES, withDescriptors(main), {
		WEIR_API_KEY: "weir-bench-key-0123",
	});
	await ready(pinned, () => answers(plain));
	return { pinned, ports: { plain, tls: secure } };
};

/** Share of a core, in percent. @param {Pinned} pinned */
const load = async (pinned) => {
	const [begin, used] = [performance.now(), pinned.cpuMicroseconds()];
	await seconds(MEASURED_SECONDS);
	return (pinned.cpuMicroseconds() - used) / 10 / (performance.now() - begin);
};

/** @param {Pinned} client @returns {number} connections that it has by what it said last */
const alive = ({ output }) =>
	Number([...output.matchAll(/alive (\d+)\n/g)].at(-1)?.[1] ?? Number.NaN);

/** @param {Scenario} scenario @param {{ cert: string, key: string }} tls */
const measured = async ({ name, connections, kind, security }, tls) => {
	const { pinned, ports } = await startWeir(`${kind}-${security}`, tls);
	await seconds(SETTLE_SECONDS);
	const quiet = await load(pinned);
	const [resident, small] = [pinned.residentBytes(), pinned.mallocBytes()];
	const words = [String(ports[security]), String(connections / CLIENT_PROCESSES), kind, security];
	const clients = Array.from(
		{ length: CLIENT_PROCESSES },
		() => new Pinned(BOTH_CORES, withDescriptors([process.execPath, CLIENT, ...words])),
	);
	for (const client of clients) {
		await ready(client, async () => client.output.includes("open\n"), SCENARIO_SECONDS);
	}
	await seconds(SETTLE_SECONDS);
	const busy = await load(pinned);
	const each = (pinned.mallocBytes() - small) / connections / 1024;
	const all = [resident, pinned.residentBytes()].map((bytes) => (bytes / 2 ** 20).toFixed(0));
	const held = clients.reduce((sum, client) => sum + alive(client), 0);
	for (const program of [...clients, pinned]) await program.stop();
	const loads = [quiet, busy].map((percent) => percent.toFixed(2));
	return [name, String(connections), String(connections - held), each.toFixed(2), ...all, ...loads];
};

try {
	if (descriptors < DESCRIPTORS) {
		throw new Error(
			`a process may have ${descriptors} descriptors, and this user may not raise that: run it where \`ulimit -Hn\` is ${DESCRIPTORS} or more`,
		);
	}
	const tls = certificate();
	const rows = [];
	for (const scenario of SCENARIOS) rows.push(await measured(scenario, tls));
	const header = [
		"connections",
		"opened",
		"lost",
		"KiB each, C and C++",
		"MiB in all without",
		"with them",
		"% of a core without",
		"with them",
	];
	const text = table(header, rows);
	console.log(text);
	const conditions = [
		"two workers; resident memory and processor time of supervisor and workers; clients are processes of their own on the same cores",
		"C and C++: what `malloc` has in small pieces, the server library's TLS included; in all V8 gives back more meanwhile than connections take; the kernel's memory for sockets is not in it",
		`processor time over ${MEASURED_SECONDS} s, ${SETTLE_SECONDS} s behind the last connection`,
	];
	if (process.argv.includes("--record"))
		recordResults("Connections that say little", "npm run bench:idle", conditions, text);
} finally {
	await stopAll();
	tidy();
}

/**
 * Tunnels: `npm run bench:tunnels [-- --record] [-- --slices N]`. What a message costs that comes back through weir,
 * nginx and HAProxy, in turns, on one core that they have for themselves (both ends, `tunnels/ends.cc`, share the other);
 * and what 10,000 tunnels cost in which nothing happens: memory of each, and processor time of all.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	BOTH_CORES,
	freePort,
	leaveProxyCore,
	OTHER_CORE,
	Pinned,
	PROXY_CORE,
	ready,
	runPinned,
	stopAll,
	tidyWhenInterrupted,
} from "./processes.mjs";
import { recordResults, table } from "./results.mjs";
import {
	compare,
	HOW_MEASURED,
	inTurns,
	lowerQuartile,
	ratioText,
	SLICES,
	upperQuartile,
} from "./slices.mjs";
import {
	startContenders,
	startTlsBackend,
	startTlsContenders,
	startWeir,
} from "./tunnels/contenders.mjs";
import { heapBytes, snapshotOptions } from "./tunnels/heap.mjs";

const CONNECTIONS = 64;
const SLICE_SECONDS = 1;
const SIZES = [32, 65_536];
const IDLE = 10_000;
/** It counts descriptors of its own among those that it allows. */
const IDLE_HAPROXY = 9000;
/** A worker's clients and backends share its descriptors, so one of 20,000 could not hold them all. */
const IDLE_WORKERS = 2;
const DESCRIPTORS = 20_000;
const IDLE_SECONDS = 5;
/** until V8 has given back what it needed for a start or for opening */
const SETTLE_SECONDS = 15;

const WITH_DESCRIPTORS = ["sh", "-c", `ulimit -n ${DESCRIPTORS}; exec "$@"`, "sh"];

const seconds = (/** @type {number} */ count) =>
	new Promise((resolve) => setTimeout(resolve, count * 1000));

const folder = mkdtempSync(join(tmpdir(), "weir-tunnels-"));
// nginx's workers may not be root.
chmodSync(folder, 0o755);
const tidy = () => rmSync(folder, { recursive: true, force: true });
tidyWhenInterrupted(tidy);
const ENDS = join(folder, "ends");

const startBackend = async () => {
	const port = await freePort();
	const words = [...WITH_DESCRIPTORS, ENDS, "backend", String(port)];
	const pinned = new Pinned(OTHER_CORE, words);
	await ready(pinned, async () => pinned.output.includes("listens"));
	return { pinned, port };
};

const certificate = () => {
	const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
	const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"];
	const words = ["req", "-x509", ...kind, "-subj", "/CN=localhost", "-keyout", key, "-out", cert];
	execFileSync("openssl", words, { stdio: "ignore" });
	return { cert, key };
};

/** @typedef {import("./tunnels/contenders.mjs").Instance} Instance */

/** Each of the contenders its slices. @param {readonly Instance[]} contenders @param {number} size @param {number} slices */
const echoes = async (contenders, size, slices) => {
	/** @type {Map<string, number[]>} */
	const rates = new Map(contenders.map(({ name }) => [name, []]));
	const costs = await inTurns(contenders, slices, async ({ name, pinned, port }) => {
		const words = [port, CONNECTIONS, size, SLICE_SECONDS].map(String);
		const used = pinned.cpuMicroseconds();
		const output = await runPinned(OTHER_CORE, [ENDS, "client", ...words]);
		const messages = Number(/messages (\d+)/.exec(output)?.[1]);
		rates.get(name)?.push(messages / SLICE_SECONDS);
		return (pinned.cpuMicroseconds() - used) / messages;
	});
	return { costs, rates };
};

/** @param {number} slices @returns {Promise<string>} */
const throughput = async (slices) => {
	const backend = await startBackend();
	const site = { core: PROXY_CORE, directory: folder, backend: backend.port, workers: 1, wrap: [] };
	const plain = await startContenders(site, true);
	const rows = await sizes(plain, slices);
	for (const { pinned } of plain) await pinned.stop();
	const tls = await startTlsBackend({ ...site, core: OTHER_CORE }, certificate());
	const secure = await startTlsContenders(site, tls.port);
	rows.push(...(await sizes(secure, slices)));
	for (const { pinned } of [...secure, tls, backend]) await pinned.stop();
	return table(["a message there and back", "CPU µs", "weir by it (paired)", "a second"], rows);
};

/** Rows of the table. @param {readonly Instance[]} contenders @param {number} slices */
const sizes = async (contenders, slices) => {
	const rows = [];
	for (const size of SIZES) {
		await echoes(contenders, size, 1);
		const { costs, rates } = await echoes(contenders, size, slices);
		for (const [index, { name }] of contenders.entries()) {
			const own = costs[index] ?? [];
			const ratio = index === 0 ? "" : ratioText(compare(costs[0] ?? [], own));
			const rate = upperQuartile(rates.get(name) ?? []);
			const bytes = size < 1024 ? `${size} B` : `${size / 1024} KiB`;
			const figures = [lowerQuartile(own).toFixed(2), ratio, rate.toFixed(0)];
			rows.push([`${bytes}: ${name}`, ...figures]);
		}
	}
	return rows;
};

/** Share of a core, in percent. @param {Pinned} pinned */
const load = async (pinned) => {
	const [begin, used] = [performance.now(), pinned.cpuMicroseconds()];
	await seconds(IDLE_SECONDS);
	return (pinned.cpuMicroseconds() - used) / 10 / (performance.now() - begin);
};

/** Tunnels in which nothing happens. @param {number} port @param {number} many */
const openIdle = async (port, many) => {
	const words = [...WITH_DESCRIPTORS, ENDS, "client", String(port), String(many), "32", "0"];
	const client = new Pinned(OTHER_CORE, words, {}, "pipe");
	await ready(client, async () => client.output.includes(`open ${many}`), 60);
	await seconds(SETTLE_SECONDS);
	return {
		close: async () => {
			client.child.stdin?.end();
			await client.exited;
		},
	};
};

/** What the first tunnels need once, V8's own code above all, is no cost of each. @param {number} port */
const warmUp = async (port) => {
	await runPinned(OTHER_CORE, [ENDS, "client", String(port), "500", "32", "1"]);
	await seconds(SETTLE_SECONDS);
};

/** KiB of V8's heap for each idle tunnel of a weir of its own. @param {import("./tunnels/contenders.mjs").Site} site */
const heapEach = async (site) => {
	const snapshots = mkdtempSync(join(folder, "snapshots-"));
	process.env.NODE_OPTIONS = snapshotOptions(snapshots);
	const { pinned, port } = await startWeir({ ...site, directory: join(folder, "heap") });
	delete process.env.NODE_OPTIONS;
	await warmUp(port);
	const supervisor = Number(pinned.child.pid);
	const before = await heapBytes(supervisor, snapshots);
	const tunnels = await openIdle(port, IDLE);
	const each = ((await heapBytes(supervisor, snapshots)) - before) / IDLE / 1024;
	await tunnels.close();
	await pinned.stop();
	return each;
};

/** @returns {Promise<string>} */
const idle = async () => {
	const backend = await startBackend();
	const site = { core: BOTH_CORES, directory: join(folder, "idle"), backend: backend.port };
	const wide = { ...site, workers: IDLE_WORKERS, wrap: WITH_DESCRIPTORS };
	const heap = await heapEach(wide);
	const contenders = await startContenders(wide, false);
	const rows = [];
	for (const { name, pinned, port } of contenders) {
		const many = name === "HAProxy" ? IDLE_HAPROXY : IDLE;
		await warmUp(port);
		const [resident, small] = [pinned.residentBytes(), pinned.mallocBytes()];
		const tunnels = await openIdle(port, many);
		const percent = await load(pinned);
		const [all, native] = [pinned.residentBytes() - resident, pinned.mallocBytes() - small];
		const [residentEach = 0, nativeEach = 0] = [all, native].map((bytes) => bytes / many / 1024);
		const needed = name === "weir" ? (nativeEach + heap).toFixed(2) : "";
		const figures = [nativeEach, residentEach, percent].map((figure) => figure.toFixed(2));
		rows.push([name, String(many), needed, ...figures]);
		await tunnels.close();
	}
	for (const { pinned } of [...contenders, backend]) await pinned.stop();
	const header = ["idle tunnels", "open", "KiB each: malloc and V8's heap"];
	return table([...header, "malloc alone", "resident", "% of a core, of all"], rows);
};

const slicesAt = process.argv.indexOf("--slices");
const slices = slicesAt < 0 ? SLICES : Number(process.argv[slicesAt + 1]);
try {
	execFileSync("g++", [
		...["-std=c++20", "-O2", "-o", ENDS],
		join(import.meta.dirname, "tunnels", "ends.cc"),
	]);
	// This process waits: not on the contenders' core.
	leaveProxyCore();
	const text = `${await throughput(slices)}\n\n${await idle()}`;
	console.log(text);
	const conditions = [
		`${slices} slices of ${SLICE_SECONDS} s in turns, ${CONNECTIONS} WebSockets, each with one message under way; contenders with one worker on core 0, both ends on core 1`,
		HOW_MEASURED,
		`idle: two workers; memory of all of a contender's processes, ${SETTLE_SECONDS} s behind the last tunnel, less what they had after 500 tunnels before; V8's heap without garbage (heap snapshots, in a run of its own), resident memory with it; the kernel's memory for sockets is in none`,
	];
	if (process.argv.includes("--record")) {
		recordResults("Tunnels", "npm run bench:tunnels", conditions, text);
	}
} finally {
	await stopAll();
	tidy();
}

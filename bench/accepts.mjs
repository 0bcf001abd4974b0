/**
 * How connections spread over worker processes, and what an uneven spread costs: `npm run bench:accepts` (`-- --help`). weir
 * beside nginx with a socket for each worker (`reuseport`) and nginx with one socket for all, of which each worker takes what
 * it comes to. Whose a connection is, is read from the kernel: which process has the descriptor. Then 403s by wrk from new
 * connections in each slice, by how evenly they happened to lie. Two cores for all.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startNginx } from "./http/nginx.mjs";
import { launchWeir, succeed } from "./http/weir.mjs";
import {
	BOTH_CORES,
	childrenOf,
	demandPrograms,
	freePort,
	runPinned,
	stopAll,
	tidyWhenInterrupted,
} from "./processes.mjs";
import { recordResults, table } from "./results.mjs";
import { inOrder, lowerQuartile, median, upperQuartile } from "./slices.mjs";

const HELP = `usage: npm run bench:accepts -- [options]
  --rounds N    of connections that are opened at once and closed, 1 to 99, default 21
  --slices N    of a second each under wrk, for each contender, 0 to 99, default 21
  --no-record   print only, leave RESULTS.md alone, as fewer rounds or slices do
Needs nginx, wrk and taskset. Takes 5 minutes.`;

const WORKERS = [2, 4, 8];
const CONNECTIONS = [10, 100, 1000];
/** under wrk */
const [BUSY_WORKERS, BUSY_CONNECTIONS] = [2, [10, 100]];
/** Largest share of two workers, from which on it counts as uneven. */
const UNEVEN = 0.6;
const POLL_MS = 5;
const ANSWER = /^HTTP\/1\.1 403 /;

/** @typedef {{id: string, title: string, port: number, pinned: import("./processes.mjs").Pinned}} Contender */

/** Inodes of the accepted sockets of a port. @param {number} port @returns {Set<string>} */
const acceptedAt = (port) => {
	const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
	const lines = readFileSync("/proc/net/tcp", "utf8").split("\n");
	const fields = lines.map((line) => line.trim().split(/\s+/));
	// 01: established. Columns of proc(5).
	const found = fields.filter(([, own, , state]) => state === "01" && own?.endsWith(local));
	return new Set(found.map((each) => each[9] ?? ""));
};

/** How many of the connections each worker has. @param {Contender} contender @returns {number[]} */
const sharesOf = ({ port, pinned }) => {
	const accepted = acceptedAt(port);
	return childrenOf(pinned.child.pid)
		.map((pid) => {
			const folder = `/proc/${pid}/fd`;
			const links = readdirSync(folder).map((name) => {
				try {
					return readlinkSync(join(folder, name));
				} catch {
					return "";
				}
			});
			return links.filter((link) => accepted.has(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? ""))
				.length;
		})
		.sort((one, other) => other - one);
};

/** @param {boolean} isShared @param {string} directory @param {number} workers @returns {Promise<Omit<Contender, "id">>} */
const startPeer = async (isShared, directory, workers) => {
	const port = await freePort();
	const http = `server {
		listen 127.0.0.1:${port} ${isShared ? "" : "reuseport"} backlog=1024;
		location / { set $nothing ""; return 403 $nothing; }
		location = /ready { keepalive_timeout 0; return 200; }
	}`;
	const origin = `http://127.0.0.1:${port}`;
	const pinned = await startNginx(BOTH_CORES, directory, workers, http, `${origin}/ready`);
	return { title: isShared ? "nginx, one socket" : "nginx, reuseport", port, pinned };
};

/** @param {string} directory @param {number} workers @returns {Promise<Omit<Contender, "id">>} */
const startOurs = async (directory, workers) => {
	const port = await freePort();
	const settings = { listen: [{ address: `127.0.0.1:${port}` }], workers };
	const { pinned, put } = await launchWeir({ core: BOTH_CORES, directory, settings });
	const edge = "/edges/https/bench";
	const deny = { inbound: [{ expressions: [], actions: [{ type: "deny", config: {} }] }] };
	await succeed(put(edge, { hostports: ["*"] }));
	await succeed(put(`${edge}/routes/r/policy`, deny));
	const backend = { urls: [`http://127.0.0.1:${await freePort()}`] };
	await succeed(put(`${edge}/routes/r`, { match_type: "path_prefix", match: "/", backend }));
	return { title: "weir", port, pinned };
};

/** @param {string} directory @param {number} workers @returns {Promise<Contender[]>} */
const startAll = async (directory, workers) => {
	const at = (/** @type {string} */ id) => join(directory, `${id}-${workers}`);
	return [
		{ id: "weir", ...(await startOurs(at("weir"), workers)) },
		{ id: "reuseport", ...(await startPeer(false, at("reuseport"), workers)) },
		{ id: "shared", ...(await startPeer(true, at("shared"), workers)) },
	];
};

/** So many at once, each with one answer, so that all are accepted. @param {Contender} contender @param {number} count */
const spreadOnce = async (contender, count) => {
	const sockets = await Promise.all(
		Array.from(
			{ length: count },
			() =>
				/** @type {Promise<import("node:net").Socket>} */
				(
					new Promise((resolve, reject) => {
						const socket = connect(contender.port, "127.0.0.1", () =>
							socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n"),
						);
						socket.once("data", (data) =>
							ANSWER.test(String(data)) ? resolve(socket) : reject(new Error(String(data))),
						);
						socket.on("error", reject);
					})
				),
		),
	);
	const shares = sharesOf(contender);
	for (const socket of sockets) socket.resetAndDestroy();
	while (acceptedAt(contender.port).size > 0)
		await new Promise((resolve) => setTimeout(resolve, POLL_MS));
	const sum = shares.reduce((total, each) => total + each, 0);
	if (sum !== count)
		throw new Error(`${contender.title}: ${sum} of ${count} connections were found`);
	return shares.map((each) => each / count);
};

/** @param {Contender} contender @param {number} connections */
const saturateOnce = async ({ port, pinned, ...contender }, connections) => {
	const before = pinned.cpuMicroseconds();
	const run = runPinned(BOTH_CORES, [
		...["wrk", "-t1", `-c${connections}`, "-d1s", "--latency", `http://127.0.0.1:${port}/`],
	]);
	await new Promise((resolve) => setTimeout(resolve, 500));
	const shares = sharesOf({ port, pinned, ...contender });
	const output = await run;
	const [, p99 = "", unit = ""] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? [];
	const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
	return {
		most: (shares[0] ?? 0) / connections,
		perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
		p99: Number(p99) * ({ us: 1, ms: 1000, s: 1e6 }[unit] ?? Number.NaN),
		cpu: (pinned.cpuMicroseconds() - before) / requests,
	};
};

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(0)} %`;

/** @param {string} directory @param {number} rounds @returns {Promise<string>} */
const spread = async (directory, rounds) => {
	/** @type {string[][]} */
	const rows = [];
	for (const workers of WORKERS) {
		const contenders = await startAll(directory, workers);
		for (const count of CONNECTIONS) {
			const found = new Map(contenders.map(({ id }) => [id, /** @type {number[][]} */ ([])]));
			for (let round = 0; round < rounds; round++)
				for (const each of inOrder(contenders, round))
					found.get(each.id)?.push(await spreadOnce(each, count));
			for (const { id, title } of contenders) {
				const all = found.get(id) ?? [];
				const most = all.map((shares) => shares[0] ?? 0);
				const least = all.map((shares) => shares.at(-1) ?? 0);
				const idle = all.map((shares) => shares.filter((share) => share === 0).length);
				const figures = [
					1 / workers,
					median(most),
					Math.max(...most),
					median(least),
					Math.min(...least),
				];
				rows.push([
					`${workers} workers, ${count} connections: ${title}`,
					...figures.map(percent),
					(idle.reduce((sum, each) => sum + each, 0) / all.length).toFixed(1),
				]);
				console.error(rows.at(-1)?.join("  "));
			}
		}
		await Promise.all(contenders.map(({ pinned }) => pinned.stop()));
	}
	const header = [
		"connections opened at once",
		"fair",
		"largest",
		"worst",
		"smallest",
		"worst",
		"idle workers",
	];
	return table(header, rows);
};

/** @param {string} directory @param {number} slices @returns {Promise<string>} */
const cost = async (directory, slices) => {
	/** @type {string[][]} */
	const rows = [];
	const contenders = await startAll(join(directory, "busy"), BUSY_WORKERS);
	for (const connections of BUSY_CONNECTIONS) {
		const found = new Map(
			contenders.map(({ id }) => [
				id,
				/** @type {Awaited<ReturnType<typeof saturateOnce>>[]} */ ([]),
			]),
		);
		for (let slice = 0; slice < slices; slice++)
			for (const each of inOrder(contenders, slice))
				found.get(each.id)?.push(await saturateOnce(each, connections));
		for (const { id, title } of contenders) {
			const all = found.get(id) ?? [];
			for (const isUneven of [false, true]) {
				const some = all.filter(({ most }) => most >= UNEVEN === isUneven);
				rows.push([
					`${connections} connections, ${isUneven ? "uneven" : "even"}: ${title}`,
					`${some.length}`,
					percent(median(some.map(({ most }) => most))),
					`${Math.round(upperQuartile(some.map(({ perSecond }) => perSecond)))}`,
					lowerQuartile(some.map(({ cpu }) => cpu)).toFixed(2),
					`${Math.round(lowerQuartile(some.map(({ p99 }) => p99)))}`,
				]);
				console.error(rows.at(-1)?.join("  "));
			}
		}
	}
	const header = [
		"two workers, 403 by wrk",
		"slices",
		"largest share",
		"requests/s",
		"CPU µs/request",
		"p99 µs",
	];
	return table(header, rows);
};

const { values } = parseArgs({
	options: {
		rounds: { type: "string", default: "21" },
		slices: { type: "string", default: "21" },
		"no-record": { type: "boolean", default: false },
		help: { type: "boolean", default: false },
	},
});
const [rounds, slices] = [Number(values.rounds), Number(values.slices)];
if (values.help || !(rounds >= 1 && rounds <= 99) || !(slices >= 0 && slices <= 99)) {
	console.log(HELP);
	process.exit(values.help ? 0 : 2);
}
demandPrograms(["nginx", "wrk", "taskset"]);
const directory = mkdtempSync(join(tmpdir(), "weir-accepts-"));
chmodSync(directory, 0o755);
const tidy = () => rmSync(directory, { recursive: true, force: true });
tidyWhenInterrupted(tidy);
try {
	const tables = [
		await spread(directory, rounds),
		...(slices > 0 ? [await cost(directory, slices)] : []),
	];
	const text = tables.join("\n\n");
	console.log(text);
	if (!values["no-record"] && rounds >= 21 && slices >= 21) {
		const nginx = spawnSync("nginx", ["-v"], { encoding: "utf8" }).stderr.trim();
		recordResults(
			"Connections over workers",
			"npm run bench:accepts",
			[
				nginx,
				`medians and the worst of ${rounds} rounds; ${slices} slices of 1 s in turns, new connections in each; uneven: a worker has ${percent(UNEVEN)} or more; requests/s upper quartile, CPU and p99 lower`,
				"both cores for contenders and clients",
			],
			text,
		);
	}
} finally {
	await stopAll();
	tidy();
}

/**
 * The proxies under attack, each with two workers and the settings that people run it with: what goes to
 * `/stuck` reaches the backend that doesn't read, everything else the other one.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startNginx } from "../../bench/http/nginx.mjs";
import { launchWeir, MAIN, succeed } from "../../bench/http/weir.mjs";
import { BOTH_CORES, freePort, hasProgram, Pinned, ready } from "../../bench/processes.mjs";

const WORKERS = 2;
const EDGE = "/edges/https/attacked";

const startWeir = async ({ directory, backend, stuck, descriptors }) => {
	const port = await freePort();
	const wrap =
		descriptors === undefined ? [] : ["sh", "-c", `ulimit -n ${descriptors} && exec "$@"`, "sh"];
	const settings = { listen: `127.0.0.1:${port}`, workers: WORKERS };
	const weir = await launchWeir({ core: BOTH_CORES, directory, settings, wrap });
	await succeed(weir.put(EDGE, { hostports: ["*"] }));
	for (const [id, match, url] of [
		["all", "/", backend],
		["stuck", "/stuck", stuck],
	]) {
		const route = { match_type: "path_prefix", match, backend: { urls: [url] } };
		await succeed(weir.put(`${EDGE}/routes/${id}`, route));
	}
	return { pinned: weir.pinned, port, management: weir.management };
};

const startNginxPeer = async ({ directory, backend, stuck }) => {
	const port = await freePort();
	const http = `
	server {
		listen 127.0.0.1:${port} backlog=4096;
		location / { proxy_pass ${backend}; }
		location /stuck { proxy_pass ${stuck}; }
	}`;
	const url = `http://127.0.0.1:${port}/`;
	return { pinned: await startNginx(BOTH_CORES, directory, WORKERS, http, url), port };
};

/** Time limits as Debian's package sets them. */
const haproxyConfig = (port, backend, stuck) => `
global
	nbthread ${WORKERS}
	maxconn 8192
defaults
	mode http
	timeout connect 5s
	timeout client 50s
	timeout server 50s
frontend edge
	bind 127.0.0.1:${port} backlog 4096
	use_backend stuck if { path_beg /stuck }
	default_backend all
backend all
	server backend ${new URL(backend).host}
backend stuck
	server backend ${new URL(stuck).host}
`;

const startHaproxyPeer = async ({ directory, backend, stuck }) => {
	mkdirSync(directory, { recursive: true });
	const port = await freePort();
	const file = join(directory, "haproxy.cfg");
	writeFileSync(file, haproxyConfig(port, backend, stuck));
	const pinned = new Pinned(BOTH_CORES, ["haproxy", "-db", "-f", file]);
	await ready(pinned, async () => (await fetch(`http://127.0.0.1:${port}/`)).ok);
	return { pinned, port };
};

/** `missing`: why it can't take part, a sentence */
export const PEERS = [
	{
		id: "weir",
		start: startWeir,
		missing: () => (existsSync(MAIN) ? undefined : "dist/main.js is missing: npm run build"),
	},
	{
		id: "nginx",
		start: startNginxPeer,
		missing: () => (hasProgram("nginx") ? undefined : "nginx is not installed"),
	},
	{
		id: "HAProxy",
		start: startHaproxyPeer,
		missing: () => (hasProgram("haproxy") ? undefined : "HAProxy is not installed"),
	},
];

/** @returns {number[]} process ids of weir's workers */
export const workersOf = ({ child: { pid } }) =>
	readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
		.split(" ")
		.filter((id) => id !== "")
		.map(Number);

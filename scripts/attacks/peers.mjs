/**
 * The proxies under attack, each with two workers and the settings that people run it with: what goes to
 * `/stuck0` and so on reaches the backends that don't read, everything else the other one.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startNginx } from "../../bench/http/nginx.mjs";
import { launchWeir, succeed } from "../../bench/http/weir.mjs";
import { BOTH_CORES, freePort, hasProgram, Pinned, ready } from "../../bench/processes.mjs";

const WORKERS = 2;
const EDGE = "/edges/https/attacked";

/**
 * @typedef {{
 *   directory: string, backend: string, stuck: string[], descriptors?: number | undefined, main: string,
 *   config: object, routeBackend: object
 * }} Site
 * @typedef {{ pinned: Pinned, port: number, management?: number }} Started
 * @typedef {{
 *   id: string, start: (site: Site) => Promise<Started>, missing: (options: { main: string }) => string | undefined
 * }} Peer
 */

/** @param {Site} site @returns {Promise<Started>} */
const startWeir = async ({
	directory,
	backend,
	stuck,
	descriptors,
	main,
	config,
	routeBackend,
}) => {
	const port = await freePort();
	const wrap =
		descriptors === undefined ? [] : ["sh", "-c", `ulimit -n ${descriptors} && exec "$@"`, "sh"];
	const settings = { listen: `127.0.0.1:${port}`, workers: WORKERS, ...config };
	const weir = await launchWeir({ core: BOTH_CORES, directory, settings, wrap, main });
	await succeed(weir.put(EDGE, { hostports: ["*"] }));
	/** @param {string} id @param {string} match @param {string} url */
	const putRoute = (id, match, url) => {
		const route = { match_type: "path_prefix", match, backend: { urls: [url], ...routeBackend } };
		return succeed(weir.put(`${EDGE}/routes/${id}`, route));
	};
	await putRoute("all", "/", backend);
	for (const [index, url] of stuck.entries())
		await putRoute(`stuck${index}`, `/stuck${index}`, url);
	return { pinned: weir.pinned, port, management: weir.management };
};

/** @param {Site} site @returns {Promise<Started>} */
const startNginxPeer = async ({ directory, backend, stuck }) => {
	const port = await freePort();
	const http = `
	server {
		listen 127.0.0.1:${port} backlog=4096;
		location / { proxy_pass ${backend}; }
		${stuck.map((url, index) => `location /stuck${index} { proxy_pass ${url}; }`).join("\n")}
	}`;
	const url = `http://127.0.0.1:${port}/`;
	return { pinned: await startNginx(BOTH_CORES, directory, WORKERS, http, url), port };
};

/** Time limits as Debian's package sets them. @param {number} port @param {string} backend @param {string[]} stuck */
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
${stuck.map((_, index) => `	use_backend stuck${index} if { path_beg /stuck${index} }`).join("\n")}
	default_backend all
backend all
	server backend ${new URL(backend).host}
${stuck.map((url, index) => `backend stuck${index}\n\tserver backend ${new URL(url).host}`).join("\n")}
`;

/** @param {Site} site @returns {Promise<Started>} */
const startHaproxyPeer = async ({ directory, backend, stuck }) => {
	mkdirSync(directory, { recursive: true });
	const port = await freePort();
	const file = join(directory, "haproxy.cfg");
	writeFileSync(file, haproxyConfig(port, backend, stuck));
	const pinned = new Pinned(BOTH_CORES, ["haproxy", "-db", "-f", file]);
	await ready(pinned, async () => (await fetch(`http://127.0.0.1:${port}/`)).ok);
	return { pinned, port };
};

/** `missing`: why it can't take part, a sentence @type {Peer[]} */
export const PEERS = [
	{
		id: "weir",
		start: startWeir,
		missing: ({ main }) => (existsSync(main) ? undefined : `${main} is missing: npm run build`),
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

/** @param {Pinned} pinned @returns {number[]} process ids of weir's workers */
export const workersOf = ({ child: { pid } }) =>
	readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
		.split(" ")
		.filter((id) => id !== "")
		.map(Number);

/** Who stands between both ends in `bench/tunnels.mjs`: weir, nginx and HAProxy, each with one way to one backend. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launchWeir, succeed } from "../http/weir.mjs";
import { freePort, hasProgram, Pinned, ready } from "../processes.mjs";

/**
 * @typedef {{ core: string, directory: string, backend: number, workers: number, wrap: string[] }} Site `wrap` goes before the command
 * @typedef {{ name: string, pinned: Pinned, port: number }} Instance
 */

/** @param {number} port @returns {Promise<boolean>} it answers */
const answers = async (port) => (await fetch(`http://127.0.0.1:${port}/echo/0`)).ok;

/** @param {Site} site @returns {Promise<Instance>} */
const startWeir = async ({ core, directory: parent, backend, workers, wrap }) => {
	const [port, directory] = [await freePort(), join(parent, "weir")];
	const settings = {
		listen: `127.0.0.1:${port}`,
		workers,
		log: { destination: `${directory}.log` },
	};
	const { pinned, put } = await launchWeir({ core, directory, settings, wrap });
	await succeed(put("/edges/https/bench", { hostports: ["*"] }));
	const route = {
		match_type: "path_prefix",
		match: "/",
		backend: { urls: [`http://127.0.0.1:${backend}`] },
	};
	await succeed(put("/edges/https/bench/routes/all", route));
	await ready(pinned, () => answers(port));
	return { name: "weir", pinned, port };
};

/** nginx moves 1 KiB from clients and 4 KiB from backends at a time, and HAProxy 16 KiB, unless they are told. */
const LARGE_BUFFERS = {
	nginx: "client_header_buffer_size 64k; proxy_buffer_size 64k; proxy_buffers 8 64k;",
	haproxy: "tune.bufsize 65536",
};

/** @param {Site} site @param {string} more settings @returns {Promise<Instance>} */
const startNginx = async ({ core, directory: parent, backend, workers, wrap }, more = "") => {
	const [port, directory] = [await freePort(), join(parent, more === "" ? "nginx" : "nginx-large")];
	mkdirSync(directory, { recursive: true });
	const file = join(directory, "nginx.conf");
	writeFileSync(
		file,
		`
daemon off;
worker_processes ${workers};
${process.getuid?.() === 0 ? "user root;" : ""}
pid ${directory}/nginx.pid;
error_log ${directory}/error.log crit;
events { worker_connections 19000; }
http {
	access_log off;
	${more}
	${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((each) => `${each}_temp_path ${directory}/${each};`).join(" ")}
	server {
		listen 127.0.0.1:${port} backlog=4096 reuseport;
		location / {
			proxy_pass http://127.0.0.1:${backend};
			proxy_http_version 1.1;
			proxy_set_header Upgrade $http_upgrade;
			proxy_set_header Connection "upgrade";
			proxy_read_timeout 3600s;
			proxy_send_timeout 3600s;
		}
	}
}`,
	);
	const words = ["nginx", "-p", directory, "-e", join(directory, "start.log"), "-c", file];
	const pinned = new Pinned(core, [...wrap, ...words]);
	await ready(pinned, () => answers(port));
	return { name: more === "" ? "nginx" : "nginx, buffers of 64 KiB", pinned, port };
};

/** @param {Site} site @param {string} more settings @returns {Promise<Instance>} */
const startHaproxy = async ({ core, directory: parent, backend, workers, wrap }, more = "") => {
	const [port, directory] = [
		await freePort(),
		join(parent, more === "" ? "haproxy" : "haproxy-large"),
	];
	mkdirSync(directory, { recursive: true });
	const file = join(directory, "haproxy.cfg");
	writeFileSync(
		file,
		`
global
	nbthread ${workers}
	maxconn 9900
	${more}
defaults
	mode http
	timeout connect 5s
	timeout client 3600s
	timeout server 3600s
	timeout tunnel 3600s
frontend edge
	bind 127.0.0.1:${port}
	default_backend all
backend all
	server one 127.0.0.1:${backend}
`,
	);
	const pinned = new Pinned(core, [...wrap, "haproxy", "-db", "-f", file]);
	await ready(pinned, () => answers(port));
	return { name: more === "" ? "HAProxy" : "HAProxy, buffers of 64 KiB", pinned, port };
};

/** Those whose programs are here, weir first. @param {Site} site @param {boolean} large the others once more with buffers for large messages @returns {Promise<Instance[]>} */
export const startContenders = async (site, large) => {
	const started = [await startWeir(site)];
	const buffers = large ? LARGE_BUFFERS : undefined;
	if (hasProgram("nginx")) {
		started.push(await startNginx(site));
		if (buffers !== undefined) started.push(await startNginx(site, buffers.nginx));
	}
	if (hasProgram("haproxy")) {
		started.push(await startHaproxy(site));
		if (buffers !== undefined) started.push(await startHaproxy(site, buffers.haproxy));
	}
	return started;
};

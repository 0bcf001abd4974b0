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

/** @param {Site} site @param {number} secure a port with TLS before the backend; 0: plain @returns {Promise<Instance>} */
export const startWeir = async (
	{ core, directory: parent, backend, workers, wrap },
	secure = 0,
) => {
	const directory = join(parent, secure > 0 ? "weir-tls" : "weir");
	const port = await freePort();
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
		backend:
			secure > 0
				? { urls: [`https://127.0.0.1:${secure}`], tls: { verify: false } }
				: { urls: [`http://127.0.0.1:${backend}`] },
	};
	await succeed(put("/edges/https/bench/routes/all", route));
	await ready(pinned, () => answers(port));
	return { name: secure > 0 ? "weir, TLS backend" : "weir", pinned, port };
};

/**
 * nginx as what speaks TLS in front of the backend.
 * @param {Site} site @param {{ cert: string, key: string }} certificate @returns {Promise<{ pinned: Pinned, port: number }>}
 */
export const startTlsBackend = async ({ core, directory: parent, backend }, { cert, key }) => {
	const [port, directory] = [await freePort(), join(parent, "tls-backend")];
	mkdirSync(directory, { recursive: true });
	const file = join(directory, "nginx.conf");
	writeFileSync(
		file,
		`
load_module /usr/lib/nginx/modules/ngx_stream_module.so;
daemon off;
${process.getuid?.() === 0 ? "user root;" : ""}
pid ${directory}/nginx.pid;
error_log ${directory}/error.log crit;
events { worker_connections 4096; }
stream {
	proxy_buffer_size 64k;
	server {
		listen 127.0.0.1:${port} ssl;
		ssl_certificate ${cert};
		ssl_certificate_key ${key};
		proxy_pass 127.0.0.1:${backend};
	}
}`,
	);
	const words = ["nginx", "-p", directory, "-e", join(directory, "start.log"), "-c", file];
	return { pinned: new Pinned(core, words), port };
};

/** nginx moves 1 KiB from clients and 4 KiB from backends at a time, and HAProxy 16 KiB, unless they are told. */
const LARGE_BUFFERS = {
	nginx: "client_header_buffer_size 64k; proxy_buffer_size 64k; proxy_buffers 8 64k;",
	haproxy: "tune.bufsize 65536",
};

/** @param {Site} site @param {string} more settings @param {number} secure as of weir @returns {Promise<Instance>} */
const startNginx = async (site, more = "", secure = 0) => {
	const { core, directory: parent, backend, workers, wrap } = site;
	const suffix = secure > 0 ? ", TLS backend" : more === "" ? "" : ", buffers of 64 KiB";
	const [port, directory] = [await freePort(), join(parent, `nginx${suffix.replace(/\W+/g, "-")}`)];
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
			proxy_pass ${secure > 0 ? `https://127.0.0.1:${secure}` : `http://127.0.0.1:${backend}`};
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
	return { name: `nginx${suffix}`, pinned, port };
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

/** With TLS towards the backend. @param {Site} site @param {number} secure its port @returns {Promise<Instance[]>} */
export const startTlsContenders = async (site, secure) => [
	await startWeir(site, secure),
	await startNginx(site, LARGE_BUFFERS.nginx, secure),
];

/**
 * The contestants of `http.mjs`: nginx and weir configured to do the same four things, one worker each,
 * and a small nginx as the backend of both.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, OTHER_CORE, Pinned, PROXY_CORE, ready } from "./processes.mjs";

const BODY = "x".repeat(91);
const MAIN = join(import.meta.dirname, "..", "dist", "main.js");
const KEY = "weir-bench-key";

/** Every scenario is a path; `status` is what both must answer. */
export const SCENARIOS = [
	{ name: "reject: rate limit", path: "/limited", status: 429 },
	{ name: "reject: deny", path: "/denied", status: 403 },
	{ name: "proxy: no policy", path: "/plain", status: 200 },
	{ name: "proxy: three rules", path: "/rules", status: 200 },
];

const answers = async (url, status) => (await fetch(url)).status === status;

const nginxConfig = (directory, http) => `
daemon off;
worker_processes 1;
pid ${directory}/nginx.pid;
error_log ${directory}/error.log crit;
events { worker_connections 4096; }
http {
	access_log off;
	keepalive_requests 1000000000;
	client_body_temp_path ${directory}/body;
	proxy_temp_path ${directory}/proxy;
	fastcgi_temp_path ${directory}/fastcgi;
	uwsgi_temp_path ${directory}/uwsgi;
	scgi_temp_path ${directory}/scgi;
	${http}
}`;

const startNginx = async (core, directory, http, url) => {
	mkdirSync(directory, { recursive: true });
	const file = join(directory, "nginx.conf");
	writeFileSync(file, nginxConfig(directory, http));
	const pinned = new Pinned(core, [
		"nginx",
		"-p",
		directory,
		"-e",
		join(directory, "start.log"),
		"-c",
		file,
	]);
	await ready(pinned, () => answers(url, 200));
	return { pinned, url: new URL(url).origin };
};

/** Answers 200 and 91 bytes to everything. */
export const startBackend = async (directory) => {
	const port = await freePort();
	const http = `server { listen 127.0.0.1:${port}; location / { return 200 "${BODY}"; } }`;
	return startNginx(OTHER_CORE, join(directory, "backend"), http, `http://127.0.0.1:${port}/`);
};

export const startNginxProxy = async (directory, backend) => {
	const port = await freePort();
	const forward = `
		proxy_pass http://backend;
		proxy_http_version 1.1;
		proxy_set_header Connection "";
		proxy_set_header Host $http_host;
		proxy_set_header X-Forwarded-For $remote_addr;
		proxy_set_header X-Forwarded-Proto $scheme;
		proxy_set_header X-Forwarded-Host $http_host;
		proxy_set_header Via "1.1 nginx";`;
	const http = `
	upstream backend { server ${new URL(backend).host}; keepalive 64; keepalive_requests 1000000000; }
	limit_req_zone $binary_remote_addr zone=one:1m rate=1r/m;
	limit_req_status 429;
	limit_req_log_level info;
	server {
		listen 127.0.0.1:${port};
		location = /limited { limit_req zone=one; error_page 429 = @over; ${forward} }
		location @over { default_type application/json; return 429 '{"error":"too many requests"}'; }
		location = /denied { return 403 ""; }
		location = /plain { ${forward} }
		location = /rules {
			if ($request_method = DELETE) { return 403; }
			if ($http_user_agent ~ badbot) { return 403; }
			if ($http_x_block = 1) { return 403; }
			${forward}
		}
	}`;
	return startNginx(PROXY_CORE, join(directory, "nginx"), http, `http://127.0.0.1:${port}/plain`);
};

const rule = (expressions, type, config = {}) => ({ expressions, actions: [{ type, config }] });

const POLICIES = {
	"/limited": [
		rule([], "rate-limit", { capacity: 1, rate: "60s", bucket_key: ["conn.client_ip"] }),
	],
	"/denied": [rule([], "deny")],
	"/plain": undefined,
	"/rules": [
		rule(["req.method == 'DELETE'"], "deny"),
		rule(["req.user_agent.contains('badbot')"], "deny"),
		rule(["'1' in req.headers['x-block']"], "deny"),
	],
};

export const startWeir = async (directory, backend) => {
	const [port, management] = [await freePort(), await freePort()];
	const arguments_ = ["--listen", `127.0.0.1:${port}`, "--management", `127.0.0.1:${management}`];
	const pinned = new Pinned(
		PROXY_CORE,
		[
			process.execPath,
			MAIN,
			"serve",
			...arguments_,
			"--data-dir",
			join(directory, "weir"),
			"--workers",
			"1",
		],
		{ WEIR_API_KEY: KEY },
	);
	const api = `http://127.0.0.1:${management}`;
	const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
	await ready(pinned, async () => (await fetch(`${api}/readyz`, { headers })).ok);
	const put = async (path, document) => {
		const response = await fetch(`${api}${path}`, {
			method: "PUT",
			headers,
			body: JSON.stringify(document),
		});
		if (!response.ok) throw new Error(`PUT ${path}: ${response.status} ${await response.text()}`);
	};
	await put("/edges/https/bench", { hostports: ["*"] });
	for (const [path, inbound] of Object.entries(POLICIES)) {
		const route = `/edges/https/bench/routes/${path.slice(1)}`;
		if (inbound !== undefined) await put(`${route}/policy`, { inbound });
		await put(route, { match_type: "exact_path", match: path, backend: { urls: [backend] } });
	}
	return { pinned, url: `http://127.0.0.1:${port}` };
};

/**
 * nginx twice: as a contender, configured to do what weir does, and as the cheap backend of all contenders.
 * The root directory of each is a folder of its own in the bench's temporary directory.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, Pinned, ready } from "../processes.mjs";
import {
	BODY,
	BROWSER_HEADERS,
	CONNECTIONS,
	ECHO_PATH,
	LARGE_BYTES,
	LIMITED_BODY,
} from "./scenarios.mjs";

/** @param {string} directory @param {number} workers @param {string} http */
const config = (directory, workers, http) => `
daemon off;
worker_processes ${workers};
# Without root the line is ignored; with it the workers can read the temporary directory.
${process.getuid?.() === 0 ? "user root;" : ""}
pid ${directory}/nginx.pid;
error_log ${directory}/error.log crit;
events { worker_connections 4096; }
http {
	access_log off;
	keepalive_requests 1000000000;
	keepalive_timeout 3600s;
	client_body_temp_path ${directory}/body;
	proxy_temp_path ${directory}/proxy;
	fastcgi_temp_path ${directory}/fastcgi;
	uwsgi_temp_path ${directory}/uwsgi;
	scgi_temp_path ${directory}/scgi;
	client_body_buffer_size 64k;
	${http}
}`;

/**
 * @param {string} core @param {string} directory @param {number} workers
 * @param {string} http what goes into the block of this name
 * @param {string} readyUrl
 */
export const startNginx = async (core, directory, workers, http, readyUrl) => {
	mkdirSync(directory, { recursive: true });
	const file = join(directory, "nginx.conf");
	writeFileSync(file, config(directory, workers, http));
	const log = join(directory, "start.log");
	const pinned = new Pinned(core, ["nginx", "-p", directory, "-e", log, "-c", file]);
	await ready(pinned, async () => (await fetch(readyUrl)).ok);
	return pinned;
};

/** What the backend says of a request that has reached it: a line a header. */
const ECHOED = [
	"host",
	"x-forwarded-for",
	"x-forwarded-proto",
	"x-forwarded-host",
	"via",
	...Object.keys(BROWSER_HEADERS),
];
const echo = ECHOED.map((name) => `${name}: $http_${name.replaceAll("-", "_")}\n`).join("");

/**
 * Answers 100 bytes to almost everything. A POST is answered when its body has been read (which the mirror
 * does), because an early answer would make some contenders close the connection.
 * @param {string} core @param {string} directory
 * @returns {Promise<{pinned: Pinned, origin: string}>}
 */
export const startBackend = async (core, directory) => {
	const port = await freePort();
	const root = join(directory, "backend");
	mkdirSync(root, { recursive: true });
	writeFileSync(join(root, "large"), "x".repeat(LARGE_BYTES));
	writeFileSync(join(root, "post"), "");
	const http = `
	sendfile on;
	tcp_nopush on;
	open_file_cache max=16;
	root ${root};
	default_type application/octet-stream;
	server {
		listen 127.0.0.1:${port} backlog=1024;
		location / { return 200 "${BODY}"; }
		location = ${ECHO_PATH} { return 200 "${echo}"; }
		location = /large { }
		location = /post { mirror /discard; error_page 405 =200 @taken; }
		location @taken { return 200 "ok"; }
		location = /discard { internal; return 204; }
	}`;
	const origin = `http://127.0.0.1:${port}`;
	return { pinned: await startNginx(core, root, 1, http, `${origin}/`), origin };
};

/** What lines of weir's access log tell of such requests, as far as nginx knows it. */
const LOGGED = [
	..."request_id remote_addr request_method http_host uri server_protocol".split(" "),
	..."status request_time upstream_addr upstream_connect_time upstream_response_time".split(" "),
	..."request_length bytes_sent http_user_agent http_referer".split(" "),
];
const FIELDS = LOGGED.map((name) => `"${name}":"$${name}"`).join(",");

/**
 * @param {import("./contenders.mjs").Site & {accessLog?: string}} site `accessLog`: a file for a line of JSON of each request
 * @returns {Promise<import("./contenders.mjs").Instance>}
 */
export const startNginxProxy = async ({
	core,
	directory: parent,
	backend,
	workers,
	certificate,
	accessLog,
}) => {
	const directory = join(parent, accessLog === undefined ? "nginx" : "nginx-log");
	const [port, tlsPort] = [await freePort(), await freePort()];
	const forward = `
			proxy_pass http://backend;
			proxy_http_version 1.1;
			proxy_set_header Connection "";
			proxy_set_header Host $http_host;
			proxy_set_header X-Forwarded-For $remote_addr;
			proxy_set_header X-Forwarded-Proto $scheme;
			proxy_set_header X-Forwarded-Host $http_host;
			proxy_set_header Via "1.1 nginx";`;
	const tls =
		certificate === undefined
			? ""
			: `listen 127.0.0.1:${tlsPort} ssl reuseport;
		ssl_certificate ${certificate.cert};
		ssl_certificate_key ${certificate.key};
		ssl_protocols TLSv1.2 TLSv1.3;`;
	const http = `
	upstream backend {
		server ${new URL(backend).host};
		keepalive ${CONNECTIONS};
		keepalive_requests 1000000000;
		keepalive_timeout 3600s;
	}
	# An answer of 64 KiB fits, and none goes through a file.
	proxy_buffer_size 8k;
	proxy_buffers 16 16k;
	proxy_busy_buffers_size 64k;
	proxy_max_temp_file_size 0;
	limit_req_zone $binary_remote_addr zone=one:1m rate=1r/m;
	limit_req_status 429;
	limit_req_log_level info;
	log_format fields escape=json '{"time":"$time_iso8601","pid":$pid,${FIELDS}}';
	server {
		access_log ${accessLog === undefined ? "off" : `${accessLog} fields`};
		listen 127.0.0.1:${port} reuseport;
		${tls}
		location = /limited { limit_req zone=one; error_page 429 = @over; ${forward} }
		location @over {
			default_type application/json;
			add_header Retry-After 60 always;
			return 429 '${LIMITED_BODY}';
		}
		# An empty text alone would be nginx's error page.
		location = /denied { set $nothing ""; return 403 $nothing; }
		location = /plain { ${forward} }
		location = /large { ${forward} }
		location = /post { ${forward} }
		location = ${ECHO_PATH} { ${forward} }
		location = /rules {
			if ($request_method = DELETE) { return 403; }
			if ($http_user_agent ~ badbot) { return 403; }
			if ($http_x_block = 1) { return 403; }
			${forward}
		}
	}`;
	const origin = `http://127.0.0.1:${port}`;
	const pinned = await startNginx(core, directory, workers, http, `${origin}/plain`);
	return { pinned, http: origin, https: `https://127.0.0.1:${tlsPort}` };
};

#!/usr/bin/env node
/**
 * Slow clients against a server of this machine, bounded: hundreds of uploads that drip, of readers that hardly
 * read, or of uploads to backends that read nothing, and beside them 149 others who want a small answer each.
 * Prints how the others fared and what memory it took. Weir, nginx or HAProxy, the peers with default bounds, on
 * free ports of loopback. Run by hand: `node scripts/slow-clients.mjs --help`, weir's dist/ and addon built.
 */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { connect, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const HELP = `usage: node scripts/slow-clients.mjs [--server weir|nginx|haproxy] [--attack drip|read|fill]
  --server    default weir, two workers each
  --attack    drip: 520 uploads of a byte each 5 s (default); read: 600 readers of 64 MB that take 1 KB/s;
              fill: 1250 uploads of 8 MB to each of three backends that read nothing
  --clients   instead of so many, 1 to 4000
  --seconds   to wait before the others come, 1 to 60, default 3
  --config    for weir: more of its config file, as JSON
  --backend   for weir: more of each route's backend, as JSON
  --root      another checkout of weir, built; default this one`;

const OTHERS = 149;
const ATTACKS = { drip: 520, read: 600, fill: 1250 };
const DRIP_MS = 5000;
const BIG_BYTES = 64 * 1_048_576;
const FILL_BYTES = 8 * 1_048_576;
const KEY = "slow-clients-key";

/** Its own process, so that it is as quick as ever. */
async function backend() {
	const big = Buffer.alloc(BIG_BYTES, "x");
	const server = createServer((incoming, outgoing) => {
		if (incoming.url?.startsWith("/deaf")) return;
		if (incoming.url === "/big") {
			outgoing.end(big);
			return;
		}
		incoming.resume().on("end", () => outgoing.end("small"));
	});
	server.requestTimeout = 0;
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	process.send?.(server.address().port);
}

async function freePort() {
	const server = createTcpServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address();
	server.close();
	await once(server, "close");
	return port;
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function answers(port) {
	const deadline = Date.now() + 20_000;
	while ((await ask(port, "/small")).status !== 200) {
		if (Date.now() > deadline) throw new Error("the server does not answer");
		await pause(50);
	}
}

function ask(port, path, { method = "GET", body, headers = {}, timeout = 10_000 } = {}) {
	const begin = performance.now();
	return new Promise((resolve) => {
		const done = (status, text = "") =>
			resolve({ status, text, milliseconds: performance.now() - begin });
		const outgoing = request({ host: "127.0.0.1", port, path, method, headers, agent: false });
		outgoing.setTimeout(timeout, () => outgoing.destroy());
		outgoing.on("error", () => done("no answer"));
		outgoing.on("response", (incoming) => {
			let text = "";
			incoming.on("data", (data) => {
				text += data;
			});
			incoming.on("error", () => done("broken"));
			incoming.on("end", () => done(incoming.statusCode, text));
		});
		outgoing.end(body);
	});
}

async function startWeir(folder, backends, options) {
	const [port, management] = [await freePort(), await freePort()];
	const config = {
		listen: `127.0.0.1:${port}`,
		management: { address: `127.0.0.1:${management}` },
		data_dir: "data",
		workers: 2,
		log: { destination: join(folder, "log") },
		...JSON.parse(options.config ?? "{}"),
	};
	writeFileSync(join(folder, "weir.json"), JSON.stringify(config));
	const root = options.root ?? join(import.meta.dirname, "..");
	const flags = ["serve", "--config", join(folder, "weir.json")];
	const child = spawn(process.execPath, [join(root, "dist", "main.js"), ...flags], {
		env: { ...process.env, WEIR_API_KEY: KEY },
		stdio: ["ignore", "ignore", "inherit"],
	});
	const put = async (path, document) => {
		for (let attempt = 0; attempt < 200; attempt++) {
			const answer = await ask(management, path, {
				method: "PUT",
				headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
				body: JSON.stringify(document),
			});
			if (answer.status === 200 || answer.status === 201) return;
			if (answer.status !== "no answer") throw new Error(answer.text);
			await pause(50);
		}
		throw new Error("weir's management API does not answer");
	};
	const configure = async () => {
		await put("/edges/https/e", { hostports: ["*"] });
		for (const [index, backendPort] of backends.entries()) {
			await put(`/edges/https/e/routes/r${index}`, {
				match_type: "path_prefix",
				match: index === 0 ? "/" : `/deaf${index}`,
				backend: {
					urls: [`http://127.0.0.1:${backendPort}`],
					...JSON.parse(options.backend ?? "{}"),
				},
			});
		}
	};
	await configure().catch((error) => {
		child.kill("SIGTERM");
		throw error;
	});
	return { child, port };
}

async function startNginx(folder, backends) {
	const port = await freePort();
	const places = backends
		.map(
			(to, at) => `location /${at === 0 ? "" : `deaf${at}`} { proxy_pass http://127.0.0.1:${to}; }`,
		)
		.join("\n");
	const user = process.getuid?.() === 0 ? "user root;" : "";
	const text = `${user} daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 2;
worker_rlimit_nofile 16384; events { worker_connections 4096; }
http { access_log off; client_max_body_size 0; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
server { listen 127.0.0.1:${port}; ${places} } }`;
	writeFileSync(join(folder, "nginx.conf"), text);
	const child = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf")], {
		stdio: "inherit",
	});
	return { child, port };
}

async function startHaproxy(folder, backends) {
	const port = await freePort();
	const uses = backends.map((_, at) =>
		at === 0 ? "" : `use_backend b${at} if { path_beg /deaf${at} }`,
	);
	const text = `defaults
 mode http
 timeout connect 5s
 timeout client 60s
 timeout server 60s
frontend f
 bind 127.0.0.1:${port}
 ${uses.join("\n ")}
 default_backend b0
${backends.map((to, at) => `backend b${at}\n server s 127.0.0.1:${to}`).join("\n")}
`;
	writeFileSync(join(folder, "haproxy.cfg"), text);
	const child = spawn("haproxy", ["-f", join(folder, "haproxy.cfg")], { stdio: "inherit" });
	return { child, port };
}

const SERVERS = { weir: startWeir, nginx: startNginx, haproxy: startHaproxy };

/** One slow client. @returns its socket */
function slowClient(attack, port, number) {
	const socket = connect(port, "127.0.0.1");
	socket.on("error", () => {});
	if (attack === "drip") {
		socket.write("POST /slow HTTP/1.1\r\nhost: h\r\ncontent-length: 100000\r\n\r\nx");
		const timer = setInterval(() => socket.write("x"), DRIP_MS);
		socket.on("close", () => clearInterval(timer)).resume();
	} else if (attack === "read") {
		socket.write("GET /big HTTP/1.1\r\nhost: h\r\n\r\n");
		socket.pause();
		const timer = setInterval(() => socket.read(1024), 1000);
		socket.on("close", () => clearInterval(timer));
	} else {
		const head = `POST /deaf${1 + (number % 3)} HTTP/1.1\r\nhost: h\r\ncontent-length: ${FILL_BYTES}\r\n\r\n`;
		socket.resume();
		socket.write(head);
		const piece = Buffer.alloc(65_536, "x");
		let left = FILL_BYTES;
		const more = () => {
			while (left > 0 && !socket.destroyed) {
				left -= piece.length;
				if (!socket.write(piece)) return void socket.once("drain", more);
			}
		};
		more();
	}
	return socket;
}

/** Resident megabytes of the process and each below it. */
function resident(pid) {
	const found = [];
	for (const name of readdirSync("/proc")) {
		if (!/^\d+$/.test(name)) continue;
		try {
			const status = readFileSync(`/proc/${name}/status`, "utf8");
			if (Number(name) !== pid && Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) !== pid) continue;
			found.push(Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024));
		} catch {}
	}
	return found;
}

async function main() {
	const { values } = parseArgs({
		options: {
			server: { type: "string", default: "weir" },
			attack: { type: "string", default: "drip" },
			clients: { type: "string" },
			seconds: { type: "string", default: "3" },
			...{ config: { type: "string" }, backend: { type: "string" }, root: { type: "string" } },
			help: { type: "boolean" },
		},
	});
	const start = SERVERS[values.server];
	const each = ATTACKS[values.attack];
	const seconds = Number(values.seconds);
	if (
		values.help ||
		start === undefined ||
		each === undefined ||
		!(seconds >= 1 && seconds <= 60)
	) {
		console.log(HELP);
		return;
	}
	const count = Math.min(4000, Number(values.clients ?? each * (values.attack === "fill" ? 3 : 1)));
	const folder = mkdtempSync(join(tmpdir(), "slow-clients-"));
	const children = [];
	const sockets = [];
	try {
		const backends = [];
		for (let index = 0; index < 4; index++) {
			const child = fork(import.meta.filename, ["--as-backend"]);
			children.push(child);
			backends.push((await once(child, "message"))[0]);
		}
		const { child, port } = await start(folder, backends, values);
		children.push(child);
		await answers(port);
		console.log(
			`${values.server}: ${count} clients, ${values.attack}; at first ${resident(child.pid)} MB`,
		);
		for (let index = 0; index < count; index++) {
			sockets.push(slowClient(values.attack, port, index));
			if (index % 50 === 49) await pause(5);
		}
		await pause(seconds * 1000);
		const open = sockets.filter(({ destroyed }) => !destroyed).length;
		console.log(`after ${seconds} s: ${open} slow clients connected, ${resident(child.pid)} MB`);
		const waits = [];
		const tally = {};
		await Promise.all(
			Array.from({ length: OTHERS }, async (_, index) => {
				await pause(index * 10);
				const upload = index % 3 === 0 ? { method: "POST", body: "y".repeat(20_000) } : {};
				const { status, milliseconds } = await ask(port, "/small", upload);
				tally[status] = (tally[status] ?? 0) + 1;
				waits.push(milliseconds);
			}),
		);
		waits.sort((one, other) => one - other);
		const at = (share) => Math.round(waits[Math.floor(share * (waits.length - 1))]);
		console.log(`others: ${JSON.stringify(tally)}; median ${at(0.5)} ms, slowest ${at(1)} ms`);
		const left = sockets.filter(({ destroyed }) => !destroyed).length;
		console.log(`at the end: ${left} slow clients connected, ${resident(child.pid)} MB`);
	} finally {
		for (const socket of sockets) socket.destroy();
		for (const child of children) child.kill("SIGTERM");
		await pause(500);
		for (const child of children) if (child.exitCode === null) child.kill("SIGKILL");
		rmSync(folder, { recursive: true, force: true });
	}
}

if (process.argv.includes("--as-backend")) await backend();
else await main();

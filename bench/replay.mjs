/**
 * How fast `weir replay` reads a log: makes one of a given size in a temporary folder, of clients, routes and paths as a busy
 * site has them, and replays it under two policies with rate-limits, on one core where `taskset` is there.
 * `npm run bench:replay -- [--megabytes 1000] [--clients 100000] [--combined]`
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
	options: {
		megabytes: { type: "string", default: "1000" },
		clients: { type: "string", default: "100000" },
		combined: { type: "boolean", default: false },
	},
});
const BYTES = Number(values.megabytes) * 1e6;
const CLIENTS = Number(values.clients);
const PER_SECOND = 2000;
const AGENTS = [
	"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
	"curl/8.5.0",
];
const MAIN = join(import.meta.dirname, "..", "dist", "main.js");
const folder = mkdtempSync(join(tmpdir(), "weir-replay-"));

/** Numbers that are the same in every run. @param {number} n */
const mixed = (n) => Math.imul(n ^ (n >>> 15), 0x2c1b3c6d) >>> 0;

/** @param {number} n */
function jsonLine(n) {
	const hash = mixed(n);
	const client = mixed(hash % 4 === 0 ? hash % 500 : hash % CLIENTS);
	const status = hash % 50 === 0 ? 404 : 200;
	const ip = [10, client >>> 16, client >>> 8, client].map((byte) => byte & 255).join(".");
	const time = new Date(1_790_000_000_000 + (n * 1000) / PER_SECOND).toISOString();
	return `{"level":"info","time":"${time}","pid":21897,"request_id":"${hash.toString(16).padStart(32, "0")}","edge":"site","route":"r${hash % 20}","client_ip":"${ip}","country":"NL","method":"${hash % 10 === 0 ? "POST" : "GET"}","host":"shop.example","path":"/products/${hash % 5000}/reviews","protocol":"HTTP/1.1","status":${status},"outcome":"upstream","duration_ms":${(hash % 90_000) / 1000 + 0.1},"policy_ms":0.034,"upstream":"10.0.0.3:8080","upstream_response_ms":12.345,"bytes_in":482,"bytes_out":${hash % 30_000},"tls":{"version":"TLSv1.3","sni":"shop.example"},"user_agent":"${AGENTS[hash % 2]}","headers":{"x-role":"${hash % 3 === 0 ? "admin" : "user"}"},"msg":"request"}\n`;
}

/** @param {number} n */
function combinedLine(n) {
	const hash = mixed(n);
	const client = mixed(hash % 4 === 0 ? hash % 500 : hash % CLIENTS);
	const ip = [10, client >>> 16, client >>> 8, client].map((byte) => byte & 255).join(".");
	const time = new Date(1_790_000_000_000 + (n * 1000) / PER_SECOND).toISOString();
	return `${ip} - - [21/Sep/2026:${time.slice(11, 19)} +0000] "GET /products/${hash % 5000}/reviews?page=2 HTTP/1.1" 200 ${hash % 30_000} "-" "${AGENTS[hash % 2]}"\n`;
}

const limit = (/** @type {number} */ capacity) => ({
	type: "rate-limit",
	config: { name: "per client", capacity, rate: "1m", bucket_key: ["conn.client_ip"] },
});
const policy = (/** @type {number} */ capacity, /** @type {object[]} */ more) => ({
	inbound: [
		{
			name: "no bots",
			expressions: ["req.headers['user-agent'].exists(a, a.contains('bot'))"],
			actions: [{ type: "deny", config: { status_code: 403 } }],
		},
		{
			expressions: ["req.url.path.startsWith('/products/') && req.method == 'GET'"],
			actions: [limit(capacity)],
		},
		...more,
	],
	outbound: [
		{
			expressions: ["res.status_code == 404"],
			actions: [{ type: "add-headers", config: { headers: { "x-missing": "1" } } }],
		},
	],
});
const admins = {
	name: "posts are for admins",
	expressions: ["req.method == 'POST' && !req.headers['x-role'].exists(r, r == 'admin')"],
	actions: [{ type: "deny", config: { status_code: 403 } }],
};

try {
	const log = join(folder, "access.log");
	const stream = createWriteStream(log);
	const line = values.combined ? combinedLine : jsonLine;
	for (let n = 0, bytes = 0; bytes < BYTES; ) {
		let piece = "";
		for (let many = 0; many < 2000; many++) piece += line(n++);
		bytes += piece.length;
		if (!stream.write(piece)) await once(stream, "drain");
	}
	stream.end();
	await once(stream, "close");
	writeFileSync(join(folder, "old.yaml"), JSON.stringify(policy(60, [])));
	writeFileSync(join(folder, "new.yaml"), JSON.stringify(policy(3, [admins])));
	const { size } = statSync(log);
	for (const against of [true, false]) {
		const files = ["--log", log, "--policy", join(folder, "new.yaml")];
		const base = against ? ["--against", join(folder, "old.yaml")] : [];
		const command = [process.execPath, MAIN, "replay", ...files, ...base, "--json"];
		const hasTaskset = spawnSync("taskset", ["-V"]).status === 0;
		const [program = "", ...args] = hasTaskset ? ["taskset", "-c", "0", ...command] : command;
		const began = performance.now();
		const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
		let text = "";
		child.stdout.on("data", (piece) => {
			text += piece;
		});
		const [status] = await once(child, "close");
		const seconds = (performance.now() - began) / 1000;
		if (status !== 0 && status !== 1) throw new Error(`weir replay ended with ${status}`);
		const { requests, lines } = JSON.parse(text);
		const rate = size / 1e6 / seconds;
		const each = (seconds * 1e6) / lines.requests;
		console.log(
			`${against ? "two policies" : "one policy, beside the log"}: ${(size / 1e6).toFixed(0)} MB, ${lines.requests} lines in ${seconds.toFixed(1)} s: ${rate.toFixed(1)} MB/s, ${each.toFixed(1)} µs a line; ${JSON.stringify(requests)}`,
		);
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}

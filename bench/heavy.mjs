/**
 * How long others wait while expensive expressions are evaluated: answers of a trivial route, one after the
 * other on one connection, beside four connections whose requests each cost some 10 ms of CEL. With the
 * thread that settles them, with all of it in the event loop (a copy of dist/ whose limit says so), and
 * without them. One worker, no core of its own. `npm run bench:heavy`
 */
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, Pinned, ready } from "./processes.mjs";
import { appendResults, table } from "./results.mjs";

const ROOT = join(import.meta.dirname, "..");
const BOTH_CORES = "0x3";
const KEY = "weir-bench-key";
const SECONDS = 8;
const WARM_UP_SECONDS = 2;
const HEAVY_CONNECTIONS = 4;

/** Each parameter with each, and never true. */
const NO_PAIR =
	"!req.url.query_params.exists(a, req.url.query_params.exists(b, a + '.' == b || b + ',' == a || a + b == ''))";
const HEAVY = `/heavy?${Array.from({ length: 300 }, (_, n) => `p${n}`).join("&")}`;
const POLICY = {
	inbound: [
		{ expressions: ["req.url.path == '/light'"], actions: [{ type: "deny" }] },
		{ expressions: ["req.url.path == '/heavy'", NO_PAIR], actions: [{ type: "deny" }] },
	],
};

if (!existsSync(join(ROOT, "dist", "main.js"))) {
	console.error("dist/main.js is missing: npm run build");
	process.exit(2);
}

/** A copy of the project that does in its event loop what it would give to a thread. */
const withoutThread = (directory) => {
	const root = join(directory, "inline");
	for (const part of ["dist", "build/weir.node", "package.json"]) {
		cpSync(join(ROOT, part), join(root, part), { recursive: true });
	}
	symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
	const limits = join(root, "dist", "evaluation-limits.js");
	const text = readFileSync(limits, "utf8");
	const changed = text.replace(/heavyInlineNanoseconds: [\d_]+/, "heavyInlineNanoseconds: 1e12");
	if (changed === text)
		throw new Error("evaluation-limits.js says nothing of heavyInlineNanoseconds");
	writeFileSync(limits, changed);
	return root;
};

const startWeir = async (root, data) => {
	const [port, management] = [await freePort(), await freePort()];
	const listen = ["--listen", `127.0.0.1:${port}`, "--management", `127.0.0.1:${management}`];
	const main = [process.execPath, join(root, "dist", "main.js"), "serve", "--workers", "1"];
	const command = [...main, ...listen, "--data-dir", data];
	const pinned = new Pinned(BOTH_CORES, command, { WEIR_API_KEY: KEY });
	const api = `http://127.0.0.1:${management}`;
	const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
	await ready(pinned, async () => (await fetch(`${api}/readyz`, { headers })).ok);
	const put = async (path, document) => {
		const response = await fetch(`${api}/edges/https/bench${path}`, {
			method: "PUT",
			headers,
			body: JSON.stringify(document),
		});
		if (!response.ok) throw new Error(`PUT ${path}: ${response.status} ${await response.text()}`);
	};
	await put("", { hostports: ["*"] });
	const backend = { urls: [`http://127.0.0.1:${management}`] };
	await put("/routes/r", { match_type: "path_prefix", match: "/", backend });
	await put("/routes/r/policy", POLICY);
	return { pinned, port };
};

/** One connection that asks until `until`; milliseconds of each answer, and how many were none. */
const ask = async (port, path, until) => {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	const milliseconds = [];
	let failed = 0;
	while (performance.now() < until) {
		const began = performance.now();
		const status = await new Promise((resolve, reject) => {
			const outgoing = request({ host: "127.0.0.1", port, path, agent }, (incoming) => {
				incoming.resume();
				incoming.on("end", () => resolve(incoming.statusCode));
			});
			outgoing.on("error", reject);
			outgoing.end();
		});
		if (status === 403) milliseconds.push(performance.now() - began);
		else failed += 1;
	}
	agent.destroy();
	return { milliseconds, failed };
};

const measure = async (port, heavyConnections, seconds) => {
	const until = performance.now() + seconds * 1000;
	const heavy = Array.from({ length: heavyConnections }, () => ask(port, HEAVY, until));
	const light = await ask(port, "/light", until);
	return { light, heavy: await Promise.all(heavy) };
};

const row = (name, { light, heavy }) => {
	const sorted = light.milliseconds.toSorted((a, b) => a - b);
	const at = (share) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(2);
	const answered = heavy.reduce((sum, { milliseconds }) => sum + milliseconds.length, 0);
	const failed = heavy.reduce((sum, each) => sum + each.failed, light.failed);
	const perSecond = (answered / SECONDS).toFixed(0);
	return [name, `${sorted.length}`, at(0.5), at(0.99), at(1), perSecond, `${failed}`];
};

const directory = mkdtempSync(join(tmpdir(), "weir-bench-"));
const started = [];
try {
	const scenarios = [
		["no expensive requests", ROOT, 0],
		["settled by the thread", ROOT, HEAVY_CONNECTIONS],
		["all in the event loop", withoutThread(directory), HEAVY_CONNECTIONS],
	];
	const rows = [];
	for (const [index, [name, root, connections]] of scenarios.entries()) {
		const { pinned, port } = await startWeir(root, join(directory, `data-${index}`));
		started.push(pinned);
		await measure(port, connections, WARM_UP_SECONDS);
		rows.push(row(name, await measure(port, connections, SECONDS)));
		await pinned.stop();
	}
	const header = [
		"trivial route",
		"answers",
		"p50 ms",
		"p99 ms",
		"max ms",
		"expensive/s",
		"failed",
	];
	const text = table(header, rows);
	process.stdout.write(`${text}\n`);
	const conditions = [
		`${HEAVY_CONNECTIONS} connections with 300 query parameters each way, ${SECONDS} s each`,
		"client, worker and thread share the cores",
	];
	appendResults("Others beside expensive expressions", "npm run bench:heavy", conditions, text);
} finally {
	for (const pinned of started) await pinned.stop();
	rmSync(directory, { recursive: true, force: true });
}

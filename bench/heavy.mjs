/**
 * How long others wait while expensive expressions are evaluated: answers of a trivial route, one after the
 * other on one connection, beside four connections whose requests each cost some 10 ms of CEL. With the
 * threads that settle them, with all of it in the event loop (a copy of dist/ whose limits say so), and
 * without them. Then the same for a route that needs a thread itself, a millisecond of it, beside an attacker whose
 * requests take all that a thread gives, from an address of his own and from the same. One worker, no core of its
 * own; the scenarios take turns, a second each. `npm run bench:heavy`
 */
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, Pinned, ready } from "./processes.mjs";
import { recordResults, table } from "./results.mjs";
import {
	compare,
	HOW_MEASURED,
	inTurns,
	lowerQuartile,
	quantile,
	ratioText,
	SLICES,
} from "./slices.mjs";

const ROOT = join(import.meta.dirname, "..");
const BOTH_CORES = "0x3";
const KEY = "weir-bench-key";
const SLICE_SECONDS = 1;
const WARM_UP_SECONDS = 2;
const HEAVY_CONNECTIONS = 4;

/** Each parameter with each, and never true. */
const NO_PAIR =
	"!req.url.query_params.exists(a, req.url.query_params.exists(b, a + '.' == b || b + ',' == a || a + b == ''))";
const parameters = (/** @type {number} */ count) =>
	Array.from({ length: count }, (_, n) => `p${n}`).join("&");
const HEAVY = `/heavy?${parameters(300)}`;
const CHEAP = `/heavy?${parameters(80)}`;
/** takes as long as a thread lets it, then 500 */
const ATTACK = `/heavy?${parameters(6000)}`;
const CLIENT = "192.0.2.1";
const ATTACKER = "198.51.100.1";
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

/** A copy of the project that does in its event loop what it would give to a thread. @param {string} directory */
const withoutThread = (directory) => {
	const root = join(directory, "inline");
	for (const part of ["dist", "build/weir.node", "package.json"]) {
		cpSync(join(ROOT, part), join(root, part), { recursive: true });
	}
	symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
	const programs = join(root, "dist", "programs");
	const limits = /((?:heavy|request)InlineNanoseconds): [\d_.e]+/g;
	let changed = 0;
	for (const name of readdirSync(programs)) {
		const text = name.endsWith(".js") ? readFileSync(join(programs, name), "utf8") : "";
		const inline = text.replace(limits, (_, limit) => {
			changed++;
			return `${limit}: 1e12`;
		});
		if (inline !== text) writeFileSync(join(programs, name), inline);
	}
	if (changed !== 2)
		throw new Error(`${programs}: ${changed} limits of what is done inline, not 2`);
	return root;
};

/** @param {string} root @param {string} data */
const startWeir = async (root, data) => {
	const [port, management] = [await freePort(), await freePort()];
	const config = join(data, "..", "config.yaml");
	writeFileSync(config, "trusted_proxies: [127.0.0.1]\n");
	const listen = [
		"--config",
		config,
		"--listen",
		`127.0.0.1:${port}`,
		"--management",
		`127.0.0.1:${management}`,
	];
	const main = [process.execPath, join(root, "dist", "main.js"), "serve", "--workers", "1"];
	const command = [...main, ...listen, "--data-dir", data];
	const pinned = new Pinned(BOTH_CORES, command, { WEIR_API_KEY: KEY });
	const api = `http://127.0.0.1:${management}`;
	const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
	await ready(pinned, async () => (await fetch(`${api}/readyz`, { headers })).ok);
	const put = async (/** @type {string} */ path, /** @type {object} */ document) => {
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

/**
 * One connection that asks until `until`; milliseconds of each answer, and how many were none.
 * @param {number} port @param {string} path @param {string} client @param {number} until
 */
const ask = async (port, path, client, until) => {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	/** @type {number[]} */
	const milliseconds = [];
	let failed = 0;
	while (performance.now() < until) {
		const began = performance.now();
		const status = await new Promise((resolve, reject) => {
			const headers = { "x-forwarded-for": client };
			const outgoing = request({ host: "127.0.0.1", port, path, headers, agent }, (incoming) => {
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

/**
 * @typedef {{ path: string, beside: string, from: string, connections: number }} Scenario
 * @typedef {Awaited<ReturnType<typeof ask>>} Answers
 */

/** @param {number} port @param {Scenario} scenario @param {number} seconds */
const measure = async (port, { path, beside, from, connections }, seconds) => {
	const until = performance.now() + seconds * 1000;
	const heavy = Array.from({ length: connections }, () => ask(port, beside, from, until));
	const light = await ask(port, path, CLIENT, until);
	return { light, heavy: await Promise.all(heavy) };
};

/**
 * @typedef {{ milliseconds: number[], failed: number, beside: number }} Slice `beside`: answers of the other connections
 * @param {string} name @param {readonly Slice[]} slices @param {readonly Slice[]} alone those of the row with nothing beside it
 */
const row = (name, slices, alone) => {
	/** @param {readonly Slice[]} of @param {number} share */
	const each = (of, share) => of.map(({ milliseconds }) => quantile(milliseconds, share));
	const sum = (/** @type {(slice: Slice) => number} */ what) =>
		slices.reduce((total, slice) => total + what(slice), 0);
	const shown = (/** @type {number} */ share) => lowerQuartile(each(slices, share)).toFixed(2);
	return [
		name,
		`${sum(({ milliseconds }) => milliseconds.length)}`,
		shown(0.5),
		shown(0.99),
		slices === alone ? "–" : ratioText(compare(each(slices, 0.99), each(alone, 0.99))),
		Math.max(...each(slices, 1)).toFixed(2),
		(sum(({ beside }) => beside) / (slices.length * SLICE_SECONDS)).toFixed(0),
		`${sum(({ failed }) => failed)}`,
	];
};

const directory = mkdtempSync(join(tmpdir(), "weir-bench-"));
/** @type {Pinned[]} */
const started = [];
try {
	const trivial = { path: "/light", beside: HEAVY, from: CLIENT, connections: HEAVY_CONNECTIONS };
	const cheap = { path: CHEAP, beside: ATTACK, from: ATTACKER, connections: HEAVY_CONNECTIONS };
	/** @type {[string, string, Scenario][]} */
	const scenarios = [
		["trivial route, no expensive requests", ROOT, { ...trivial, connections: 0 }],
		["trivial route, settled by threads", ROOT, trivial],
		["trivial route, all in the event loop", withoutThread(directory), trivial],
		["cheap expensive route, nothing else", ROOT, { ...cheap, connections: 0 }],
		["cheap expensive route, beside an attacker", ROOT, cheap],
		["cheap expensive route, beside one of the same address", ROOT, { ...cheap, from: CLIENT }],
	];
	/** @type {{ scenario: Scenario, port: number, slices: Slice[] }[]} */
	const sites = [];
	for (const [index, [, root, scenario]] of scenarios.entries()) {
		const { pinned, port } = await startWeir(root, join(directory, `data-${index}`));
		started.push(pinned);
		await measure(port, scenario, WARM_UP_SECONDS);
		sites.push({ scenario, port, slices: [] });
	}
	await inTurns(sites, SLICES, async ({ scenario, port, slices }) => {
		const { light, heavy } = await measure(port, scenario, SLICE_SECONDS);
		const beside = heavy.reduce((sum, { milliseconds }) => sum + milliseconds.length, 0);
		return slices.push({ ...light, beside });
	});
	const rows = scenarios.map(([name, , { path }], at) => {
		const alone = sites.find(
			({ scenario }) => scenario.path === path && scenario.connections === 0,
		);
		return row(name, sites[at]?.slices ?? [], alone?.slices ?? []);
	});
	const header = [
		"measured",
		"answers",
		"p50 ms",
		"p99 ms",
		"p99 / nothing beside it (paired)",
		"max ms",
		"beside it/s",
		"failed",
	];
	const text = table(header, rows);
	process.stdout.write(`${text}\n`);
	const conditions = [
		`${HEAVY_CONNECTIONS} connections with 300 query parameters each way, ${SLICES} slices of ${SLICE_SECONDS} s in turns`,
		HOW_MEASURED,
		"client, worker and thread share the cores",
	];
	if (process.argv.includes("--record"))
		recordResults("Others beside expensive expressions", "npm run bench:heavy", conditions, text);
} finally {
	for (const pinned of started) await pinned.stop();
	rmSync(directory, { recursive: true, force: true });
}

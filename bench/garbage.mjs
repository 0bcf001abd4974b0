/**
 * How many bytes of young objects a request leaves in a worker, and which functions they come from, by V8's own samples:
 * `npm run bench:garbage`, with another build beside it `-- --main DIST/main.js`. The fewer, the rarer are collections,
 * which the slowest answers wait for.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startBackend } from "./http/nginx.mjs";
import { launchWeir, MAIN, putRoute, threeRules } from "./http/weir.mjs";
import {
	childrenOf,
	demandPrograms,
	freePort,
	OTHER_CORE,
	PROXY_CORE,
	runPinned,
	stopAll,
	tidyWhenInterrupted,
} from "./processes.mjs";
import { recordResults, table } from "./results.mjs";

const { values } = parseArgs({
	options: {
		main: { type: "string" },
		seconds: { type: "string", default: "4" },
		"no-record": { type: "boolean", default: false },
	},
});
const SECONDS = Number(values.seconds);
const CONNECTIONS = 64;
const FUNCTIONS_SHOWN = 8;
const WRITTEN_MS = 20_000;
/** @type {Readonly<Record<string, {path: string, policy?: object}>>} */
const SCENARIOS = {
	"no policy": { path: "/none" },
	"three rules": { path: "/rules", policy: threeRules("1") },
	"no policy, answer of 64 KiB": { path: "/large" },
};

demandPrograms(["taskset", "nginx", "wrk"]);
const directory = mkdtempSync(join(tmpdir(), "weir-bench-"));
const file = join(directory, "samples.json");
process.env.WEIR_BENCH_GARBAGE = file;
tidyWhenInterrupted(() => rmSync(directory, { recursive: true, force: true }));

/** @param {number} port @param {string} path @returns {Promise<number>} how many were answered */
const load = async (port, path) => {
	const url = `http://127.0.0.1:${port}${path}`;
	const words = ["wrk", "-t1", `-c${CONNECTIONS}`, `-d${SECONDS}s`, url];
	return Number(/(\d+) requests in/.exec(await runPinned(OTHER_CORE, words))?.[1]);
};

/** @param {number} worker @returns {Promise<string>} */
const stopSampling = async (worker) => {
	process.kill(worker, "SIGUSR2");
	for (const endMs = Date.now() + WRITTEN_MS; Date.now() < endMs; ) {
		await new Promise((resolve) => setTimeout(resolve, 100));
		if (!readdirSync(directory).includes("samples.json")) continue;
		const text = readFileSync(file, "utf8");
		if (!text.endsWith("}")) continue;
		rmSync(file);
		return text;
	}
	throw new Error("the worker has written no samples");
};

/** @typedef {{selfSize: number, callFrame: {functionName: string}, children: Node[]}} Node */

/** Adds up by function. @param {Node} node @param {Map<string, number>} sums */
const add = (node, sums) => {
	const name = node.callFrame.functionName || "(without a name)";
	sums.set(name, (sums.get(name) ?? 0) + node.selfSize);
	for (const child of node.children) add(child, sums);
	return sums;
};

/** @param {string} backend @param {string} main @returns {Promise<Map<string, {bytes: number, by: string}>>} by scenario */
const measure = async (backend, main) => {
	const port = await freePort();
	const { pinned, put } = await launchWeir({
		...{ core: PROXY_CORE, main, directory: mkdtempSync(join(directory, "weir-")) },
		settings: { listen: [{ address: `127.0.0.1:${port}` }], workers: 1 },
		flags: ["--import", join(import.meta.dirname, "garbage", "sampler.mjs")],
	});
	const [worker = 0] = childrenOf(pinned.child.pid);
	const found = new Map();
	for (const [name, { path, policy }] of Object.entries(SCENARIOS)) {
		await putRoute(put, path, backend, policy);
		await load(port, path);
		process.kill(worker, "SIGUSR2");
		const requests = await load(port, path);
		const sums = add(JSON.parse(await stopSampling(worker)).head, new Map());
		const bytes = [...sums.values()].reduce((sum, each) => sum + each, 0) / requests;
		const most = [...sums].sort(([, one], [, other]) => other - one).slice(0, FUNCTIONS_SHOWN);
		const by = most.map(([each, sum]) => `${each} ${Math.round(sum / requests)}`).join(", ");
		found.set(name, { bytes, by });
	}
	await pinned.stop();
	return found;
};

try {
	const { origin } = await startBackend(OTHER_CORE, directory);
	const own = await measure(origin, MAIN);
	const other = values.main === undefined ? undefined : await measure(origin, values.main);
	const text = table(
		["proxied", "bytes a request", ...(other === undefined ? [] : ["another build"])],
		[...own].map(([name, { bytes }]) => {
			const theirs = other?.get(name)?.bytes;
			return [name, bytes.toFixed(0), ...(theirs === undefined ? [] : [theirs.toFixed(0)])];
		}),
	);
	const by = [...own].map(([name, each]) => `- ${name}, by function: ${each.by}`).join("\n");
	const shown = `${text}\n\n${by}`;
	console.log(shown);
	const conditions = [
		`one worker, ${CONNECTIONS} connections by wrk, ${SECONDS} s after as many of warming up; a sample every 2 KiB`,
	];
	if (!values["no-record"])
		recordResults("What a request leaves", "npm run bench:garbage", conditions, shown);
} finally {
	await stopAll();
	rmSync(directory, { recursive: true, force: true });
}
process.exit(0);

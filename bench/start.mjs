/**
 * What a start costs until weir says that it is ready: processor time of the supervisor and of its one worker, and the time
 * it takes. With `--peer DIR`, a clone of weir that is built, both take turns. `npm run bench:start [-- --peer DIR]`
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { childrenOf } from "./processes.mjs";
import { recordResults, table } from "./results.mjs";
import { compare, HOW_MEASURED, inOrder, lowerQuartile, ratioText } from "./slices.mjs";

const { values } = parseArgs({
	options: {
		peer: { type: "string" },
		starts: { type: "string", default: "15" },
		"no-record": { type: "boolean", default: false },
	},
});
const STARTS = Number(values.starts);
const OWN = join(import.meta.dirname, "..");
const CONTENDERS = values.peer === undefined ? [OWN] : [OWN, values.peer];
const WARM_UPS = 2;

/** The process's own, threads included; exact to a hundredth. @param {number} id */
const cpuMilliseconds = (id) => {
	const fields = readFileSync(`/proc/${id}/stat`, "latin1")
		.replace(/^.*\) /s, "")
		.split(" ");
	return (Number(fields[11]) + Number(fields[12])) * 10;
};

/** @param {string} root @returns {Promise<number[]>} milliseconds: of both processors' time, supervisor, worker, on the clock */
const start = async (root) => {
	const data = mkdtempSync(join(tmpdir(), "weir-bench-"));
	const addresses = ["--listen", "127.0.0.1:0", "--management", "127.0.0.1:0"];
	const began = performance.now();
	const child = spawn(
		process.execPath,
		[join(root, "dist", "main.js"), "serve", "--data-dir", data, "--workers", "1", ...addresses],
		{ env: { ...process.env, WEIR_API_KEY: "weir-bench-key" }, stdio: ["ignore", "pipe", "pipe"] },
	);
	const exited = new Promise((resolve) => child.once("exit", resolve));
	let output = "";
	child.stderr.on("data", (chunk) => {
		output += chunk;
	});
	await new Promise((resolve, reject) => {
		child.stdout.on("data", (chunk) => {
			output += chunk;
			if (output.includes("weir is ready")) resolve(undefined);
		});
		exited.then(() => reject(new Error(`weir did not start:\n${output}`)));
	});
	const took = performance.now() - began;
	const id = child.pid ?? 0;
	const [worker = 0] = childrenOf(id);
	const own = cpuMilliseconds(id);
	const workers = cpuMilliseconds(worker);
	child.kill("SIGTERM");
	await exited;
	rmSync(data, { recursive: true, force: true });
	return [own + workers, own, workers, took];
};

/** @type {Map<string, number[][]>} */
const samples = new Map(CONTENDERS.map((root) => [root, []]));
for (let turn = -WARM_UPS; turn < STARTS; turn++) {
	for (const root of inOrder(CONTENDERS, turn + WARM_UPS)) {
		const taken = await start(root);
		if (turn >= 0) samples.get(root)?.push(taken);
	}
}
const WHAT = [
	"processor, both, ms",
	"processor, supervisor, ms",
	"processor, worker, ms",
	"clock, ms",
];
/** @param {string} root @param {number} column */
const of = (root, column) => (samples.get(root) ?? []).map((each) => each[column] ?? Number.NaN);
const peer = values.peer;
const text = table(
	[
		"a start with one worker",
		"weir",
		...(peer === undefined ? [] : ["peer", "weir / peer (paired)"]),
	],
	WHAT.map((name, column) => {
		const own = of(OWN, column);
		const row = [name, lowerQuartile(own).toFixed(0)];
		if (peer === undefined) return row;
		const theirs = of(peer, column);
		return [...row, lowerQuartile(theirs).toFixed(0), ratioText(compare(own, theirs))];
	}),
);
console.log(text);
const conditions = [
	`${STARTS} starts in turns, an empty store; until it says that it is ready`,
	HOW_MEASURED,
];
if (!values["no-record"]) recordResults("A start", "npm run bench:start", conditions, text);

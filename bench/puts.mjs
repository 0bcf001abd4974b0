/**
 * What changing policies costs: a PUT of a policy of three rules of a known shape, one after the other and many at once,
 * and policies in transactions of 100; processor time of supervisor and workers, changes a second, how long a PUT took.
 * No request comes to the routes; what PUTs cost requests beside them is a scenario of `http.mjs`. V8 optimises what PUTs
 * run for some thousand of them, so these go before.
 * `npm run bench:puts [-- --workers 1] [--dist DIR] [--warm-up 4000] [--no-record]`
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { recordResults, table } from "./results.mjs";
import { moduleOf } from "./routes-store.mjs";
import { lowerQuartile, median, SLICES } from "./slices.mjs";

const { values } = parseArgs({
	options: {
		workers: { type: "string", default: "1" },
		dist: { type: "string", default: join(import.meta.dirname, "../dist") },
		"warm-up": { type: "string", default: "4000" },
		"no-record": { type: "boolean", default: false },
	},
});
const ROUTES = 400;
const PER_SLICE = 400;
const GROUP = 100;
const AT_ONCE = 128;
const KEY = "bench-key-of-puts";

const folder = mkdtempSync(join(tmpdir(), "weir-puts-"));
const child = spawn(
	process.execPath,
	[
		join(values.dist, "main.js"),
		...["serve", "--data-dir", folder, "--workers", values.workers],
		...["--listen", "127.0.0.1:0", "--management", "127.0.0.1:0"],
	],
	{ env: { ...process.env, WEIR_API_KEY: KEY }, stdio: ["ignore", "pipe", "inherit"] },
);
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
try {
	const management = await ready();
	const api = apiOf(management);
	await api("PUT", "/edges/https/e", { hostports: ["e.test"] });
	for (let n = 0; n < ROUTES; n++) {
		const backend = { urls: ["http://127.0.0.1:9"] };
		await api("PUT", pathOf(n), { match_type: "exact_path", match: `/r/${n}`, backend });
		await api("PUT", `${pathOf(n)}/policy`, policyOf(n));
	}
	let turn = ROUTES;
	/** @type {number[]} milliseconds of each PUT */
	let took = [];
	const put = async () => {
		const n = turn++;
		const began = performance.now();
		await api("PUT", `${pathOf(n % ROUTES)}/policy`, policyOf(n));
		took.push(performance.now() - began);
	};
	/** @type {Record<string, () => Promise<number>>} of each way, what makes some changes and tells how many */
	const ways = {
		"one after the other": async () => {
			for (let n = 0; n < PER_SLICE; n++) await put();
			return PER_SLICE;
		},
		[`${AT_ONCE} at a time`]: async () => {
			const lane = async () => {
				for (let n = 0; n < PER_SLICE / AT_ONCE; n++) await put();
			};
			await Promise.all(Array.from({ length: AT_ONCE }, lane));
			return Math.ceil(PER_SLICE / AT_ONCE) * AT_ONCE;
		},
		[`transactions of ${GROUP}`]: async () => {
			for (let group = 0; group < PER_SLICE / GROUP; group++) {
				const operations = Array.from({ length: GROUP }, () => {
					const n = turn++;
					return { method: "PUT", path: `${pathOf(n % ROUTES)}/policy`, document: policyOf(n) };
				});
				await api("POST", "/transactions", { operations });
			}
			return PER_SLICE;
		},
	};
	const rows = [];
	for (const [name, way] of Object.entries(ways)) {
		for (let warm = 0; warm < Number(values["warm-up"]); ) warm += await way();
		/** @type {{ supervisor: number, workers: number, ms: number }[]} of each slice, for one change */
		const slices = [];
		took = [];
		for (let slice = 0; slice < SLICES; slice++) {
			const [before, began] = [processorTimes(), performance.now()];
			const changes = await way();
			const after = processorTimes();
			slices.push({
				supervisor: (after.supervisor - before.supervisor) / changes,
				workers: (after.workers - before.workers) / changes,
				ms: (performance.now() - began) / changes,
			});
		}
		/** @param {(slice: (typeof slices)[number]) => number} what */
		const figure = (what) => lowerQuartile(slices.map(what));
		rows.push([
			name,
			figure(({ supervisor, workers }) => supervisor + workers).toFixed(0),
			figure(({ supervisor }) => supervisor).toFixed(0),
			figure(({ workers }) => workers).toFixed(0),
			(1000 / figure(({ ms }) => ms)).toFixed(0),
			took.length === 0 ? "–" : median(took).toFixed(2),
		]);
	}
	const text = table(
		["policies put", "CPU µs each", "supervisor", "workers", "each second", "p50 ms"],
		rows,
	);
	console.log(text);
	if (!values["no-record"]) {
		const how = `${values.workers} worker, ${ROUTES} routes, three rules a policy; lower quartile of ${SLICES} slices of ${PER_SLICE} changes, ${values["warm-up"]} changes of each kind before`;
		recordResults("Policies put", "npm run bench:puts", [how], text);
	}
} finally {
	child.kill();
	agent.destroy();
	await new Promise((resolve) => child.once("exit", resolve));
	rmSync(folder, { recursive: true, force: true });
}

/** @param {number} n */
function pathOf(n) {
	return `/edges/https/e/routes/r${n}`;
}

/** @returns {Promise<string>} the address of the management API */
function ready() {
	return new Promise((resolve, reject) => {
		let text = "";
		child.stdout?.on("data", (data) => {
			text += data;
			const line = text.split("\n").find((each) => each.includes('"weir is ready"'));
			if (line !== undefined) resolve(JSON.parse(line).management);
		});
		child.once("exit", (code) => reject(new Error(`weir ended with ${code}`)));
	});
}

/** @param {string} address */
function apiOf(address) {
	const [host, port] = address.split(":");
	/** @param {string} method @param {string} path @param {object} body @returns {Promise<void>} */
	return (method, path, body) =>
		new Promise((resolve, reject) => {
			const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
			const sent = request({ host, port, method, path, headers, agent }, (response) => {
				let text = "";
				response.on("data", (data) => {
					text += data;
				});
				response.on("end", () => {
					if ((response.statusCode ?? 500) < 300) resolve();
					else reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`));
				});
			});
			sent.once("error", reject);
			sent.end(JSON.stringify(body));
		});
}

/** Of three rules, as `moduleOf` makes them where a number is odd. @param {number} n */
function policyOf(n) {
	return moduleOf(2 * n + 1);
}

/** Microseconds so far. */
function processorTimes() {
	const supervisor = child.pid ?? 0;
	const workers = childrenOf(supervisor).map(processorTime);
	return {
		supervisor: processorTime(supervisor),
		workers: workers.reduce((sum, each) => sum + each, 0),
	};
}

/** Of all threads, as the scheduler has it, which is exact to less than a tick. @param {number} pid */
function processorTime(pid) {
	let nanoseconds = 0;
	for (const task of readdirSync(`/proc/${pid}/task`))
		nanoseconds += Number(
			readFileSync(`/proc/${pid}/task/${task}/schedstat`, "latin1").split(" ")[0],
		);
	return nanoseconds / 1000;
}

/** @param {number} parent */
function childrenOf(parent) {
	const found = [];
	for (const task of readdirSync(`/proc/${parent}/task`)) {
		const text = readFileSync(`/proc/${parent}/task/${task}/children`, "latin1").trim();
		if (text !== "") found.push(...text.split(" ").map(Number));
	}
	return found;
}

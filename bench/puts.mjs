/**
 * What changing policies costs: a PUT of a policy of three rules of a known shape, one after the other and many at once,
 * and policies in transactions of 100; processor time of supervisor and workers, changes a second, how long a PUT took.
 * No request comes to the routes; what PUTs cost requests beside them is a scenario of `http.mjs`. V8 optimises what PUTs
 * run for some thousand of them, so these go before.
 * `npm run bench:puts [-- --workers 1] [--dist DIR] [--warm-up 4000] [--no-record]`
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
	demandPrograms,
	freePort,
	leaveProxyCore,
	Pinned,
	PROXY_CORE,
	ready,
} from "./processes.mjs";
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

demandPrograms(["taskset"]);
// This process is the client: not on weir's core.
leaveProxyCore();
const folder = mkdtempSync(join(tmpdir(), "weir-puts-"));
const management = await freePort();
const weir = new Pinned(
	PROXY_CORE,
	[
		...[process.execPath, join(values.dist, "main.js")],
		...["serve", "--data-dir", folder, "--workers", values.workers],
		...["--listen", "127.0.0.1:0", "--management", `127.0.0.1:${management}`],
	],
	{ WEIR_API_KEY: KEY },
);
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
try {
	await ready(weir, async () => weir.output.includes('"weir is ready"'));
	await api("PUT", "/edges/https/e", JSON.stringify({ hostports: ["e.test"] }));
	for (let n = 0; n < ROUTES; n++) {
		const backend = { urls: ["http://127.0.0.1:9"] };
		const route = { match_type: "exact_path", match: `/r/${n}`, backend };
		await api("PUT", pathOf(n), JSON.stringify(route));
		await api("PUT", `${pathOf(n)}/policy`, JSON.stringify(policyOf(n)));
	}
	let turn = ROUTES;
	/** @type {number[]} milliseconds of each PUT */
	let took = [];
	/** @typedef {readonly [path: string, body: string]} Put */
	/** @returns {Put} */
	const nextPut = () => {
		const n = turn++;
		return [`${pathOf(n % ROUTES)}/policy`, JSON.stringify(policyOf(n))];
	};
	/** @param {readonly Put[]} puts one after the other */
	const send = async (puts) => {
		for (const [path, body] of puts) {
			const began = performance.now();
			await api("PUT", path, body);
			took.push(performance.now() - began);
		}
	};
	/**
	 * Of each way, what makes some changes and tells how many; their texts are made before, which is no matter of weir's.
	 * @type {Record<string, () => () => Promise<number>>}
	 */
	const ways = {
		"one after the other": () => {
			const puts = Array.from({ length: PER_SLICE }, nextPut);
			return async () => {
				await send(puts);
				return puts.length;
			};
		},
		[`${AT_ONCE} at a time`]: () => {
			const each = Math.ceil(PER_SLICE / AT_ONCE);
			const lanes = Array.from({ length: AT_ONCE }, () => Array.from({ length: each }, nextPut));
			return async () => {
				await Promise.all(lanes.map(send));
				return each * AT_ONCE;
			};
		},
		[`transactions of ${GROUP}`]: () => {
			const groups = Array.from({ length: PER_SLICE / GROUP }, () => {
				const operations = Array.from({ length: GROUP }, () => {
					const n = turn++;
					return { method: "PUT", path: `${pathOf(n % ROUTES)}/policy`, document: policyOf(n) };
				});
				return JSON.stringify({ operations });
			});
			return async () => {
				for (const group of groups) await api("POST", "/transactions", group);
				return PER_SLICE;
			};
		},
	};
	const rows = [];
	for (const [name, way] of Object.entries(ways)) {
		for (let warm = 0; warm < Number(values["warm-up"]); ) warm += await way()();
		/** @type {{ supervisor: number, workers: number, ms: number }[]} of each slice, for one change */
		const slices = [];
		took = [];
		for (let slice = 0; slice < SLICES; slice++) {
			const change = way();
			const [before, began] = [processorTimes(), performance.now()];
			const changes = await change();
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
		const how = `${values.workers} worker, on one core with the supervisor, the client on the other; ${ROUTES} routes, three rules a policy; lower quartile of ${SLICES} slices of ${PER_SLICE} changes (${Math.ceil(PER_SLICE / AT_ONCE) * AT_ONCE} of those at a time), ${values["warm-up"]} changes of each kind before`;
		recordResults("Policies put", "npm run bench:puts", [how], text);
	}
} finally {
	agent.destroy();
	await weir.stop();
	rmSync(folder, { recursive: true, force: true });
}

/** @param {number} n */
function pathOf(n) {
	return `/edges/https/e/routes/r${n}`;
}

/** @param {string} method @param {string} path @param {string} body @returns {Promise<void>} */
function api(method, path, body) {
	return new Promise((resolve, reject) => {
		const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
		const to = { host: "127.0.0.1", port: management, method, path, headers, agent };
		const sent = request(to, (response) => {
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
		sent.end(body);
	});
}

/** Of three rules, as `moduleOf` makes them where a number is odd. @param {number} n */
function policyOf(n) {
	return moduleOf(2 * n + 1);
}

/** Microseconds so far. */
function processorTimes() {
	const supervisor = weir.child.pid ?? 0;
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

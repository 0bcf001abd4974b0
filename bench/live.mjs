/**
 * What the live page takes of the supervisor and of a worker where there are many routes: `npm run bench:live`. Searches
 * and pages of all routes (50 ms at most), the work of each second (1 % of a processor at most) with few and with all
 * routes busy, and the worker's part of it. In one process, without sockets. `--routes N`; prints, and records in
 * RESULTS.md unless `--no-record`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { recordResults, table } from "./results.mjs";
import { fillStore } from "./routes-store.mjs";

const { values } = parseArgs({
	options: {
		routes: { type: "string", default: "100000" },
		"no-record": { type: "boolean", default: false },
	},
});
const ROUTES = Number(values.routes);
const EDGES = 1000;

const { openStore } = await import("#dist/store/open.js");
const { LIMITS } = await import("#dist/limits/limits.js");
const { Feed } = await import("#dist/management/live/feed.js");
const { LiveApi } = await import("#dist/management/live/live-api.js");
const { WorkerTraffic } = await import("#dist/telemetry/traffic/worker-traffic.js");

/** @param {number[]} times */
const shown = (times) => {
	const sorted = times.toSorted((one, other) => one - other);
	const at = (/** @type {number} */ share) =>
		(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
	return [at(0.5), at(0.95), at(1)];
};

/** Milliseconds of processor time that this process has taken. */
const cpuMs = () => {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
};

/** @param {number} times @param {() => unknown} work @returns {Promise<number[]>} milliseconds each */
const timed = async (times, work) => {
	const taken = [];
	for (let time = 0; time < times; time++) {
		const began = cpuMs();
		await work();
		taken.push(cpuMs() - began);
		await new Promise((resolve) => setImmediate(resolve));
	}
	return taken;
};

const folder = mkdtempSync(join(tmpdir(), "weir-bench-live-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
console.log(`making a store of ${ROUTES} routes`);
const DIST = join(import.meta.dirname, "..", "dist");
await fillStore(DIST, folder, {
	routes: ROUTES,
	edges: EDGES,
	withModules: true,
	backend: "http://127.0.0.1:9",
});
const store = openStore(folder);

/** @type {{ edgeId: string, routeId: string, row: number }[]} */
const names = [];
for (let after = undefined; ; ) {
	/** @type {readonly { edgeId: string, routeId: string }[]} */
	const batch = store.routeBatch(5000, after);
	names.push(...batch.map(({ edgeId, routeId }) => ({ edgeId, routeId, row: -1 })));
	if (batch.length < 5000) break;
	after = `${batch.at(-1)?.edgeId}/${batch.at(-1)?.routeId}`;
}

const traffic = new WorkerTraffic();
/** @param {number} busy */
const ask = (busy) => {
	const step = Math.max(Math.floor(names.length / busy), 1);
	for (let place = 0; place < names.length; place += step)
		traffic.routes.count(names[place], place % 7 === 0 ? 503 : 200, false, 1e6);
};

/** @type {import("#dist/management/live/source.js").Reported[]} */
let reported = [];
/** @type {import("#dist/management/live/source.js").LiveSource} */
const source = {
	workersWanted: 1,
	revision: 0,
	collect: async () => reported,
	workers: () => [{ index: 0, pid: 1, state: "serving", policyVersion: 0, startedMs: 1 }],
	conditions: () => [],
};
const feed = new Feed(source, store, "bench");
const live = new LiveApi({ source, store, counts: () => undefined, version: "bench" });
const stream = {
	isOver: false,
	send: () => true,
	end: () => {},
	giveUp: () => {},
	fullMs: () => 0,
	reasonToEnd: () => undefined,
};
feed.join(/** @type {any} */ (stream));

/** @type {import("#dist/management/live/route-search.js").RouteQuery} */
const query = { q: "", sort: "name", order: "asc", page: 1, perPage: 100 };
const first = await timed(1, () => live.routes(query));
const report = { inFlight: 0, refusals: 0, refused: [], candidates: [], cpu: 0, rssBytes: 0 };
const second = async (/** @type {number} */ busy) => {
	const ofWorker = [];
	const ofSupervisor = [];
	for (let time = 0; time < 20; time++) {
		ask(busy);
		const began = cpuMs();
		const change = traffic.take(LIMITS.countsTold);
		// As the channel between processes does.
		const text = JSON.stringify(change);
		const told = cpuMs();
		const arrived = JSON.parse(text);
		reported = [{ index: 0, pid: 1, elapsedMs: 1000, traffic: [arrived], report }];
		await feed.tick();
		ofSupervisor.push(cpuMs() - told);
		ofWorker.push(told - began);
	}
	return { ofWorker, ofSupervisor };
};
const all = await second(names.length);
// its own feed takes these, too
await new Promise((resolve) => setTimeout(resolve, 1500));
const thousand = await second(1000);
const ten = await second(10);

/** @type {(readonly [string, object])[]} */
const QUERIES = [
	["by name, first page", {}],
	["by name, last page", { page: Math.ceil(ROUTES / 100) }],
	["by requests/s, first page", { sort: "requests_per_second", order: "desc" }],
	["by errors, page 500", { sort: "errors", order: "desc", page: 500 }],
	["search of one word that all have", { q: "http", sort: "requests", order: "desc" }],
	["search of two words that few have", { q: "99 127.0", sort: "requests", order: "desc" }],
];
/** @type {string[][]} */
const rows = [];
for (const [name, changed] of QUERIES)
	rows.push([
		name,
		...shown(await timed(30, () => live.routes({ ...query, .../** @type {object} */ (changed) }))),
	]);

const lists = table(["`GET /live/routes`, ms of processor", "median", "95 %", "longest"], rows);
const seconds = table(
	["each second, ms of processor", "median", "95 %", "longest"],
	[
		["supervisor, 10 routes busy", ...shown(ten.ofSupervisor)],
		["supervisor, 1,000 busy", ...shown(thousand.ofSupervisor)],
		[`supervisor, all ${ROUTES} busy`, ...shown(all.ofSupervisor)],
		["a worker that has met all, 10 busy", ...shown(ten.ofWorker)],
		["a worker, 1,000 busy", ...shown(thousand.ofWorker)],
		[`a worker, all ${ROUTES} busy`, ...shown(all.ofWorker)],
	],
);
const text = `${lists}\n\n${seconds}\n\nThe index of ${ROUTES} routes is made in ${(first[0] ?? 0).toFixed(0)} ms, in slices, when it is asked for first.`;
console.log(text);
if (!values["no-record"])
	recordResults("The live page over many routes", "npm run bench:live", [], text);
feed.close();
live.close();
await store.close();

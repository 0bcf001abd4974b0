/**
 * What counting costs a request: `npm run bench:metrics [-- --record] [--peer DIR]`. Measured apart, because it is far
 * below what two runs of a server differ by: the counting itself, the clock's readings that the addon makes on the way,
 * and the reading of the system's clock that each request needed before. DIR is a folder with prom-client in its
 * `node_modules`; it then counts the same, and prints as many series.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { renderMetrics } from "#dist/telemetry/exposition.js";
import { readTicks } from "#dist/telemetry/request-clock.js";
import { PhaseCounts } from "#dist/telemetry/traffic/rule-counts.js";
import { WorkerTraffic } from "#dist/telemetry/traffic/worker-traffic.js";
import { recordResults, table } from "./results.mjs";
import { lowerQuartile, SLICES } from "./slices.mjs";

const { values } = parseArgs({
	options: {
		record: { type: "boolean", default: false },
		peer: { type: "string" },
		slices: { type: "string", default: `${SLICES}` },
	},
});
const ROUTES = 64;
const REQUESTS = 1024;
const SERIES = 10_000;
const SLICE_MS = 200;

const traffic = new WorkerTraffic();
const routes = Array.from({ length: ROUTES }, (_, route) => ({
	edgeId: "edge",
	routeId: `route-${route}`,
	row: -1,
	policy: {},
}));
const rules = { length: 1, indexOf: () => 0, nameOf: () => "first" };
const phase = new PhaseCounts("edge", "r", "inbound", rules, traffic.rules);
const began = readTicks();
/** Some 10 µs to 10 ms each. */
const requests = Array.from({ length: REQUESTS }, (_, number) => {
	const took = 20_000 * (1 + ((number * 7919) % 1000));
	return {
		route: routes[(number * 31) % ROUTES],
		receivedTicks: began - took - 9000,
		passedTicks: began - took,
		statusCode: number % 20 === 0 ? 502 : 200,
	};
});
const refusals = requests.map((request) => ({ ...request, passedTicks: 0 }));

let sink = 0;
/** Rows, each a function that does `REQUESTS` of its work. @type {Record<string, () => void>} */
const work = {
	"a loop over requests, doing nothing": () => {
		for (const request of requests) sink += request.statusCode;
	},
	"count a proxied request, its policy and a rule": () => {
		for (const request of requests) {
			phase.matched(0);
			traffic.responded(request);
			traffic.ended(request, request.statusCode, false);
		}
	},
	"count a refused request, its policy and a rule": () => {
		for (const request of refusals) {
			phase.matched(0);
			phase.refused(0);
			traffic.ended(request, 403, false);
		}
	},
	"Date.now()": () => {
		for (let number = 0; number < REQUESTS; number++) sink += Date.now();
	},
};

const snapshot = Object.fromEntries(
	Array.from({ length: SERIES }, (_, at) => [
		`weir_route_requests_total{edge="edge",route="route-${at >> 2}",class="${at % 4}xx"}`,
		at,
	]),
);
/** @type {Record<string, () => unknown>} */
const printing = { weir: () => renderMetrics([snapshot, snapshot]) };
if (values.peer !== undefined) {
	const { Counter, Histogram, Registry } = createRequire(join(values.peer, "index.js"))(
		"prom-client",
	);
	const registers = [new Registry()];
	const counter = new Counter({
		name: "requests_total",
		help: "h",
		labelNames: ["edge", "route", "class"],
		registers,
	});
	const matches = new Counter({
		name: "matches_total",
		help: "h",
		labelNames: ["edge", "route", "rule"],
		registers,
	});
	const histograms = ["request", "policy", "upstream"].map(
		(name) => new Histogram({ name: `${name}_seconds`, help: "h", registers }),
	);
	work["prom-client: the same of a proxied request, clock apart"] = () => {
		for (const { route, statusCode, receivedTicks } of requests) {
			const edge = route?.edgeId ?? "";
			counter.inc({ edge, route: route?.routeId ?? "", class: statusCode < 500 ? "2xx" : "5xx" });
			matches.inc({ edge, route: route?.routeId ?? "", rule: "0" });
			for (const histogram of histograms) histogram.observe((began - receivedTicks) * 4e-10);
		}
	};
	const many = new Registry();
	const printed = new Counter({
		name: "printed_total",
		help: "h",
		labelNames: ["edge", "route", "class"],
		registers: [many],
	});
	for (let at = 0; at < SERIES; at++)
		printed.inc({ edge: "edge", route: `route-${at >> 2}`, class: `${at % 4}xx` }, at);
	printing["prom-client"] = () => many.metrics();
}

/** @param {() => void} act @returns {number} nanoseconds of processor time of one */
const slice = (act) => {
	const before = process.cpuUsage();
	let rounds = 0;
	for (const end = performance.now() + SLICE_MS; performance.now() < end; rounds++) act();
	const { user, system } = process.cpuUsage(before);
	return ((user + system) * 1000) / (rounds * REQUESTS);
};
for (const act of Object.values(work)) slice(act);
/** @type {Map<string, number[]>} */
const slices = new Map(Object.keys(work).map((name) => [name, []]));
for (let number = 0; number < Number(values.slices); number++)
	for (const [name, act] of Object.entries(work)) slices.get(name)?.push(slice(act));
const ns = (/** @type {string} */ name) => lowerQuartile(slices.get(name) ?? []);

/** Noting the time in the addon, and asking the system for it; nanoseconds. */
const clocks = () => {
	const folder = mkdtempSync(join(tmpdir(), "weir-bench-"));
	try {
		const program = join(folder, "ticks");
		const native = join(import.meta.dirname, "../native");
		const source = join(native, "bench/ticks_bench.cc");
		execFileSync("c++", ["-O3", "-std=c++20", `-I${native}/src`, source, "-o", program]);
		return execFileSync(program, { encoding: "utf8" }).trim().split("\n").map(Number);
	} finally {
		rmSync(folder, { recursive: true });
	}
};
const [reading = Number.NaN, asking = Number.NaN] = clocks();
const loop = ns("a loop over requests, doing nothing");
const counted = (/** @type {string} */ name) => ns(name) - loop;
const sums = [
	["proxied", counted("count a proxied request, its policy and a rule"), 4],
	["refused", counted("count a refused request, its policy and a rule"), 2],
];
const rows = [
	...[...slices.keys()].map((name) => [name, ns(name).toFixed(1)]),
	["note the time in the addon", reading.toFixed(1)],
	["clock_gettime, in the addon", asking.toFixed(1)],
];
const sumRows = sums.map(([name, own = 0, reads = 0]) => {
	const all = Number(own) + Number(reads) * reading;
	return [
		`${name}`,
		Number(own).toFixed(1),
		`${reads} × ${reading.toFixed(1)}`,
		all.toFixed(1),
		`−${ns("Date.now()").toFixed(1)}`,
		(all - ns("Date.now()")).toFixed(1),
	];
});
/** @type {string[][]} */
const printRows = [];
for (const [name, print] of Object.entries(printing)) {
	const times = [];
	for (let number = 0; number < Number(values.slices) + 2; number++) {
		const before = performance.now();
		await print();
		times.push(performance.now() - before);
	}
	printRows.push([name, lowerQuartile(times).toFixed(1)]);
}
const text = [
	table(["work, processor time", "ns"], rows),
	table(["a request", "counting", "clock", "together", "Date.now() saved", "difference"], sumRows),
	table([`print ${SERIES} series`, "ms"], printRows),
].join("\n\n");
console.log(`${cpus()[0]?.model}, Node ${process.version}\n`);
console.log(text);
if (values.record) {
	const conditions = [`${values.slices} slices of ${SLICE_MS} ms, lower quartile, processor time`];
	recordResults("What counting costs a request", "npm run bench:metrics", conditions, text);
}
if (Number.isNaN(sink)) process.exitCode = 1;

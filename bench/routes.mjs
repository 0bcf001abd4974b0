/**
 * What many routes cost: `npm run bench:routes`. Servers with one route, with many, and with many that each
 * have a module of their own: how soon they answer after their start, what it takes to ask for every module once,
 * what a worker's memory is before and after that, and CPU per request, of all of weir's processes, in turns: on random
 * paths among many routes, beside servers with one route and one module. Modules are of six kinds, which cost
 * unlike much. So that only their number is compared, each draw has all kinds alike, and beside it stands the
 * mean of six servers, each with one module of another kind, one after the other.
 * `--routes N`, `--edges N`, `--slices N`, `--seconds N` of a slice; prints, and records in RESULTS.md unless
 * `--no-record`. Ratios hold between machines, absolutes do not.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
	BOTH_CORES,
	freePort,
	hasProgram,
	OTHER_CORE,
	Pinned,
	PROXY_CORE,
	runPinned,
	threadsTime,
} from "./processes.mjs";
import { recordResults, table } from "./results.mjs";
import { ANSWER, fillStore, KINDS, placeOf } from "./routes-store.mjs";
import {
	compare,
	HOW_MEASURED,
	inOrder,
	inTurns,
	lowerQuartile,
	ratioText,
	SLICES,
} from "./slices.mjs";

const { values } = parseArgs({
	options: {
		routes: { type: "string", default: "100000" },
		edges: { type: "string", default: "1000" },
		slices: { type: "string", default: `${SLICES}` },
		seconds: { type: "string", default: "1" },
		"no-record": { type: "boolean", default: false },
	},
});
const [ROUTES, EDGES] = [Number(values.routes), Number(values.edges)];
const [TAKEN, SECONDS] = [Number(values.slices), Number(values.seconds)];
const WARM_UP_SECONDS = 2;
const CONNECTIONS = 64;
const READY_SECONDS = 300;
const POLL_MS = 5;

const dist = join(import.meta.dirname, "..", "dist");
/** @param {string} sentence */
const stop = (sentence) => {
	console.error(sentence);
	process.exit(2);
};
if (!existsSync(join(dist, "main.js"))) stop("dist/main.js is missing: npm run build");
for (const [name, from] of Object.entries({ taskset: "util-linux", wrk: "wrk" })) {
	if (!hasProgram(name)) stop(`missing: ${name} (Debian: apt-get install ${from})`);
}

/**
 * @typedef {Omit<import("./routes-store.mjs").Shape, "backend">} Shape
 * @typedef {{ name: string, shape: Shape, server: Pinned, port: number }} Started
 * @typedef {{ name: string, servers: readonly Started[], draw: keyof typeof DRAWS }} Contender
 */

const ONE = "one route, one module";
const MANY = "routes with modules";

/** @satisfies {Readonly<Record<string, Shape>>} */
const SHAPES = {
	[ONE]: { routes: 1, edges: 1, withModules: true },
	"routes without modules": { routes: ROUTES, edges: EDGES, withModules: false },
	[MANY]: { routes: ROUTES, edges: EDGES, withModules: true },
};

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/**
 * @param {number} port @param {{ host: string, path: string }} place @param {import("node:http").RequestOptions} options
 * @returns {Promise<number>} the status, 0 if nobody answers
 */
const ask = (port, { host, path }, options = {}) =>
	new Promise((resolve) => {
		const headers = { host };
		request({ host: "127.0.0.1", port, path, headers, agent, ...options }, (response) => {
			response.resume().on("end", () => resolve(response.statusCode ?? 0));
		})
			.on("error", () => resolve(0))
			.end();
	});

/** Its workers' ids; the supervisor has no other children. @param {Pinned} server */
const workersOf = ({ child }) =>
	readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ");

/** Megabytes that the process has for itself alone, without pages of files that all share. @param {string | undefined} id */
const ownMegabytes = (id) => {
	const text = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
	const kilobytes = (/** @type {string} */ name) =>
		Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1]);
	return (kilobytes("Private_Clean") + kilobytes("Private_Dirty")) / 1024;
};

/** Of all its threads. @param {string | number | undefined} id */
const cpuSeconds = (id) => (threadsTime(String(id)) ?? Number.NaN) / 1e6;

/**
 * Started on the store, with the time until its first answer on the data path.
 * @param {string | undefined} store @param {Shape} shape @param {string} core @param {number} workers
 */
const start = async (store = "", shape, core, workers) => {
	const [port, management] = [await freePort(), await freePort()];
	const began = performance.now();
	const server = new Pinned(
		core,
		[
			process.execPath,
			join(dist, "main.js"),
			"serve",
			...["--config", config],
			...["--listen", `127.0.0.1:${port}`, "--management", `127.0.0.1:${management}`],
			...["--data-dir", store, "--workers", `${workers}`],
		],
		{ WEIR_API_KEY: "weir-bench-key" },
	);
	const last = placeOf((shape.first ?? 0) + shape.routes - 1, shape);
	while ((await ask(port, last, { agent: false })) === 0) {
		if (!server.running || performance.now() - began > READY_SECONDS * 1000) {
			throw new Error(`weir did not come up:\n${server.output}`);
		}
		await new Promise((resolve) => setTimeout(resolve, POLL_MS));
	}
	return { server, port, seconds: (performance.now() - began) / 1000 };
};

/** @param {number} number */
const seconds = (number) => number.toFixed(2);

/** @param {Readonly<Record<string, string>>} stores */
const measureStart = async (stores) => {
	/** @type {Map<string, [number, number, number][]>} */
	const samples = new Map(Object.keys(SHAPES).map((name) => [name, []]));
	for (let slice = 0; slice < TAKEN; slice += 1) {
		for (const [name, shape] of inOrder(Object.entries(SHAPES), slice)) {
			const { server, seconds: ready } = await start(stores[name], shape, BOTH_CORES, 2);
			const workers = workersOf(server).map(cpuSeconds);
			samples.get(name)?.push([ready, cpuSeconds(server.child.pid), Math.max(...workers)]);
			await server.stop();
		}
	}
	return table(
		["start, two workers", "first answer s", "supervisor CPU s", "a worker's CPU s"],
		[...samples].map(([name, taken]) => [
			name,
			.../** @type {const} */ ([0, 1, 2]).map((column) =>
				seconds(lowerQuartile(taken.map((each) => each[column]))),
			),
		]),
	);
};

/** Asks for every module once. @param {number} port @param {Shape} shape */
const touchAll = async (port, shape) => {
	let next = 0;
	const client = async () => {
		for (let n = next++; n < shape.routes; n = next++) {
			const status = await ask(port, placeOf(n, shape));
			if (status !== ANSWER) throw new Error(`route ${n}: ${status} instead of ${ANSWER}`);
		}
	};
	await Promise.all(Array.from({ length: CONNECTIONS }, client));
};

/** First requests to all modules, each time of a server that has just started, and once more. @param {string | undefined} store @param {Shape} shape */
const measureAsking = async (store, shape) => {
	/** @type {[number, number][]} */
	const samples = [];
	for (let slice = 0; slice < TAKEN; slice += 1) {
		const { server, port } = await start(store, shape, PROXY_CORE, 1);
		started.push(server);
		const [worker] = workersOf(server);
		const asked = async () => {
			const before = cpuSeconds(worker);
			await touchAll(port, shape);
			return cpuSeconds(worker) - before;
		};
		samples.push([await asked(), await asked()]);
		await server.stop();
	}
	const of = (/** @type {0 | 1} */ column) => samples.map((each) => each[column]);
	return table(
		[
			`${shape.routes} requests, each to another module`,
			"CPU s of a worker, all threads",
			"the least",
		],
		[
			["the first time", seconds(lowerQuartile(of(0))), seconds(Math.min(...of(0)))],
			["once more", seconds(lowerQuartile(of(1))), seconds(Math.min(...of(1)))],
		],
	);
};

/** Random paths; the same work for the client with one path. Of every kind there are equally many. */
const DRAWS = {
	/** one of each kind all the time: what finding it among many costs */
	"one of each kind": `math.random(0, ${KINDS - 1})`,
	"a hundred of them": "hundred(math.random(0, 99))",
	/** one as likely as the other, so that hardly any is in a cache of the processor */
	"all of them, evenly": "math.random(0, routes - 1)",
	/** the n-th in proportion to 1/n (Zipf), as popularity mostly is; by steps of a kind each */
	"all of them, skewed": `math.floor((math.floor(routes ^ math.random()) - 1) / ${KINDS}) * ${KINDS} + math.random(0, ${KINDS - 1})`,
};
/** @param {Shape} shape @param {keyof typeof DRAWS} draw */
const luaOf = ({ routes, edges, first = 0 }, draw) => `
local routes, first, perEdge = ${routes}, ${first}, ${Math.ceil(routes / edges)}
math.randomseed(7)
local function hundred(k) return math.floor(routes / 100 / ${KINDS}) * ${KINDS} * k + k % ${KINDS} end
request = function()
	local n = math.min(${DRAWS[draw]}, routes - 1)
	return wrk.format("GET", "/r/" .. first + n, { Host = "e" .. math.floor(n / perEdge) .. ".test" })
end
`;

/** @param {string} directory @param {Started} started @param {keyof typeof DRAWS} draw @param {number} duration */
const loadOne = async (directory, { shape, server, port }, draw, duration) => {
	const script = join(directory, "requests.lua");
	writeFileSync(script, luaOf(shape, draw));
	const before = server.cpuMicroseconds();
	const output = await runPinned(OTHER_CORE, [
		"wrk",
		...["-t1", `-c${CONNECTIONS}`, `-d${duration}`, "-s", script],
		`http://127.0.0.1:${port}/`,
	]);
	const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
	return (server.cpuMicroseconds() - before) / requests;
};

/** @param {string} directory @param {Contender} contender @param {number} duration */
const load = async (directory, { servers, draw }, duration) => {
	let sum = 0;
	for (const each of servers) sum += await loadOne(directory, each, draw, duration);
	return sum / servers.length;
};

/** @param {string} directory @param {readonly Started[]} ones of each kind one @param {Started} many */
const measureCost = async (directory, ones, many) => {
	const draws = /** @type {(keyof typeof DRAWS)[]} */ (Object.keys(DRAWS));
	/** @type {Contender[]} */
	const contenders = [
		{ name: `${ONE}, mean of the kinds`, servers: ones, draw: "all of them, evenly" },
		...draws.map((draw) => ({ name: `${many.name}, ${draw}`, servers: [many], draw })),
	];
	for (const contender of contenders) await load(directory, contender, WARM_UP_SECONDS);
	const samples = await inTurns(contenders, TAKEN, (contender) =>
		load(directory, contender, SECONDS),
	);
	const [first = []] = samples;
	return table(
		["requests to", "CPU µs/request", "to one route (paired)"],
		samples.map((taken, at) => [
			contenders[at]?.name ?? "",
			lowerQuartile(taken).toFixed(2),
			ratioText(compare(taken, first), 3),
		]),
	);
};

const directory = mkdtempSync(join(tmpdir(), "weir-bench-"));
const config = join(directory, "weir.json");
// Else the front would answer for most of the rules by itself: what rules cost is measured here.
writeFileSync(config, JSON.stringify({ standing_refusals: false }));
/** @type {Pinned[]} */
const started = [];
try {
	/** @type {Record<string, string>} */
	const stores = {};
	for (const [name, shape] of Object.entries(SHAPES)) {
		const store = join(directory, name.replaceAll(/\W+/g, "-"));
		stores[name] = store;
		await fillStore(dist, store, { ...shape, backend: "http://127.0.0.1:9" });
	}
	const texts = [await measureStart(stores)];
	console.error(texts[0]);
	texts.push(await measureAsking(stores[MANY], SHAPES[MANY]));
	console.error(texts[1]);
	/** @type {string[][]} */
	const memory = [];
	/** @type {Started[]} */
	const contenders = [];
	for (const [name, shape] of Object.entries(SHAPES)) {
		const { server, port } = await start(stores[name], shape, PROXY_CORE, 1);
		started.push(server);
		const [worker] = workersOf(server);
		memory.push([`${name}, none asked for`, ownMegabytes(worker).toFixed(1), ""]);
		if (shape.withModules) contenders.push({ name, shape, server, port });
	}
	for (const { name, shape, server, port } of contenders) {
		const [worker] = workersOf(server);
		const before = ownMegabytes(worker);
		await touchAll(port, shape);
		const after = ownMegabytes(worker);
		const each = ((after - before) * 1024) / shape.routes;
		memory.push([
			`${name}, all asked for once`,
			after.toFixed(1),
			shape.routes > 1 ? each.toFixed(1) : "",
		]);
	}
	texts.push(table(["a worker's own memory", "MB", "kB a module"], memory));
	console.error(texts[2]);
	const ones = contenders.filter(({ name }) => name === ONE);
	for (let first = 1; first < KINDS; first += 1) {
		const shape = { routes: 1, edges: 1, withModules: true, first };
		const store = join(directory, `kind-${first}`);
		await fillStore(dist, store, { ...shape, backend: "http://127.0.0.1:9" });
		const { server, port } = await start(store, shape, PROXY_CORE, 1);
		started.push(server);
		ones.push({ name: ONE, shape, server, port });
	}
	const many = contenders.find(({ name }) => name !== ONE);
	if (many === undefined) throw new Error("no server with many modules");
	texts.push(await measureCost(directory, ones, many));
	const text = texts.join("\n\n");
	console.log(text);
	const conditions = [
		`${ROUTES} routes on ${EDGES} edges; two or three rules a module, all distinct, of ${KINDS} kinds; the last rule answers`,
		`${TAKEN} starts and slices in turns; one worker on its own core but for the start; wrk, ${CONNECTIONS} connections, slices of ${SECONDS} s`,
		HOW_MEASURED,
	];
	if (!values["no-record"]) {
		recordResults("Many routes and policies", "npm run bench:routes", conditions, text);
	}
} finally {
	agent.destroy();
	for (const server of started) await server.stop();
	rmSync(directory, { recursive: true, force: true });
}

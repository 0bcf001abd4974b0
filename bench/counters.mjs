/**
 * What one decision of a rate-limit costs, and a key's memory: `npm run bench:counters`. First in C++
 * (native/bench: the counters beside a mutex map), then from JavaScript (counters-threads.mjs: the counters
 * beside a twin on a SharedArrayBuffer and `rate-limiter-flexible`). Contenders take turns, who goes first
 * changes each round; lower quartiles of the rounds are printed and recorded in RESULTS.md.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { measureThreads } from "./counters-threads.mjs";
import { recordResults, table } from "./results.mjs";
import { compare, HOW_MEASURED, lowerQuartile, ratioText, SLICES } from "./slices.mjs";

const root = join(import.meta.dirname, "..");
const build = join(root, "build", "native-bench");

/** What the design asks for; nanoseconds, and bytes. */
const TARGETS = [
	{ table: /^Hot key, the table alone/, row: /^admit/, ns: 40 },
	{ table: /^Hot key, the table alone/, row: /^reject/, ns: 20 },
	{ table: /^1,000,000 keys/, row: /^(admit|reject), C/, ns: 150 },
	{ table: /^From JavaScript, 1 thread/, row: /^(admit|reject)/, ns: 200 },
];
/**
 * What the native bench prints by line: a time, or the size of a file.
 * @typedef {{ table: string, row: string, contender: string, ns: number }} Time
 * @typedef {{ ns?: undefined, capacity: number, keys: number, bytes: number, cellBytes: number }} FileSize
 * @typedef {Map<string, Map<string, number[]>>} Rows by row, then by contender
 */

/** @param {number} capacity */
const bytesTarget = (capacity) => (capacity <= 13 ? 128 : 576);

/** @param {string} sentence @returns {never} */
const stop = (sentence) => {
	console.error(sentence);
	process.exit(2);
};
if (!existsSync(join(root, "dist", "main.js"))) stop("dist/main.js is missing: npm run build");
if (globalThis.gc === undefined) stop("run it as npm run bench:counters does: node --expose-gc");

/** A development dependency; BENCH_MODULES names another folder that has it. */
const findFlexible = () => {
	const from = join(process.env.BENCH_MODULES ?? root, "package.json");
	try {
		return pathToFileURL(createRequire(from).resolve("rate-limiter-flexible")).href;
	} catch {
		return stop("missing: rate-limiter-flexible (npm install --save-dev rate-limiter-flexible)");
	}
};
const flexible = findFlexible();

/** @param {string} command @param {string[]} parameters */
const run = (command, parameters) => {
	const { status, error } = spawnSync(command, parameters, {
		cwd: root,
		stdio: ["ignore", "ignore", "inherit"],
	});
	if (error !== undefined || status !== 0) stop(`${command} ${parameters.join(" ")} failed`);
};

/**
 * @param {string} memory @param {string} disk folders for files
 * @param {(measured: Time | FileSize) => void} report called with each line
 */
const measureNative = async (memory, disk, report) => {
	const options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O2"];
	run("cmake", ["-S", "native", "-B", build, ...options]);
	run("cmake", ["--build", build, "--target", "counters_bench", "--parallel", "2"]);
	const child = spawn(join(build, "counters_bench"), [`${SLICES}`, memory, disk], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const exit = once(child, "exit");
	for await (const line of createInterface({ input: child.stdout })) report(JSON.parse(line));
	const [status] = await exit;
	if (status !== 0) throw new Error(`counters_bench ended with ${status}`);
};

/** Rows and contenders in the order in which they came. */
const collect = () => {
	/** @type {Map<string, Rows>} */
	const tables = new Map();
	/** @param {Time} time */
	const add = ({ table: title, row, contender, ns }) => {
		/** @type {Rows} */
		const rows = tables.get(title) ?? new Map();
		/** @type {Map<string, number[]>} */
		const cells = rows.get(row) ?? new Map();
		cells.set(contender, [...(cells.get(contender) ?? []), ns]);
		tables.set(title, rows.set(row, cells));
	};
	return { tables, add };
};

/** @param {string} title @param {Rows} rows */
const timesTable = (title, rows) => {
	const contenders = [...new Set([...rows.values()].flatMap((cells) => [...cells.keys()]))];
	contenders.sort((one, other) => Number(other === "weir") - Number(one === "weir"));
	// what the machine itself takes is no contender
	const others = contenders.filter((name) => name !== "weir" && name !== "machine");
	const targetOf = (/** @type {string} */ row) =>
		TARGETS.find((each) => each.table.test(title) && each.row.test(row))?.ns;
	const withTarget = [...rows.keys()].some((row) => targetOf(row) !== undefined);
	const body = [...rows].map(([row, cells]) => {
		const times = contenders.map((name) =>
			cells.has(name) ? lowerQuartile(cells.get(name) ?? []).toFixed(1) : "–",
		);
		const ratios = others.map((name) =>
			ratioText(compare(cells.get("weir") ?? [], cells.get(name) ?? [])),
		);
		const target = targetOf(row);
		return [
			row,
			...times,
			...ratios,
			...(withTarget ? [target === undefined ? "" : `≤ ${target}`] : []),
		];
	});
	const header = [
		"ns per decision",
		...contenders,
		...others.map((name) => `weir / ${name} (paired)`),
		...(withTarget ? ["target"] : []),
	];
	return `### ${title}\n\n${table(header, body)}`;
};

/** @param {FileSize[]} files @param {number} heapBytesPerKey */
const bytesTable = (files, heapBytesPerKey) => {
	/** @type {Map<string, FileSize[]>} */
	const kinds = new Map();
	for (const file of files) {
		const kind = `weir, C = ${file.capacity}, ${file.keys} keys`;
		kinds.set(kind, [...(kinds.get(kind) ?? []), file]);
	}
	const rows = [...kinds].map(([kind, windows]) => [
		kind,
		`${windows[0]?.cellBytes}`,
		...windows.map(({ bytes, keys }) => (bytes / keys).toFixed(1)),
		`≤ ${bytesTarget(windows[0]?.capacity ?? 0)}`,
	]);
	const heap = heapBytesPerKey.toFixed(0);
	rows.push(["rate-limiter-flexible (heap), 1000000 keys", "–", heap, heap, ""]);
	// Four bytes a slot, as small as a count can be made.
	rows.push(["slots of 10 s (calculated)", "–", (6 * 4).toString(), (8640 * 4).toString(), ""]);
	const header = ["memory ÷ keys, bytes", "cell", "at 60 s", "at 24 h", "target"];
	return `### Bytes per key, the table full\n\n${table(header, rows)}`;
};

/** @param {import("./counters-threads.mjs").Garbage[]} garbage */
const garbageTable = (garbage) => {
	const rows = garbage.map(({ row, bytes, collections }) => [
		row,
		bytes.toString(),
		collections.toString(),
	]);
	const header = ["1,000,000 decisions from JavaScript", "heap grew by, bytes", "collections"];
	return `### Garbage\n\n${table(header, rows)}`;
};

const memory = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "weir-bench-"));
const disk = mkdtempSync(join(tmpdir(), "weir-bench-"));
const began = performance.now();
try {
	const { tables, add } = collect();
	/** @type {FileSize[]} */
	const files = [];
	await measureNative(memory, disk, (line) =>
		line.ns === undefined ? files.push(line) : add(line),
	);
	const { heapBytesPerKey, garbage } = await measureThreads(SLICES, memory, flexible, add);
	const text = [
		...[...tables].map(([title, rows]) => timesTable(title, rows)),
		bytesTable(files, heapBytesPerKey),
		garbageTable(garbage),
	].join("\n\n");
	console.log(text);
	const conditions = [
		`load average after: ${loadavg()[0]?.toFixed(2)}, of which the bench itself is 1 to 2`,
		"one thread: its processor time; two threads: wall time, so that waiting counts",
		`${SLICES} slices in turns; ${HOW_MEASURED}`,
		`files in ${memory.slice(0, -6)}*, "on disk" in ${disk.slice(0, -6)}*`,
	];
	recordResults("Counters", "npm run bench:counters", conditions, text);
	console.error(`${((performance.now() - began) / 1000).toFixed(0)} s`);
} finally {
	rmSync(memory, { recursive: true, force: true });
	rmSync(disk, { recursive: true, force: true });
}

/**
 * The JavaScript half of bench/counters.mjs: worker threads of each contender (counters-worker.mjs) take
 * turns, one or two at a time; those that wait use no processor.
 */
import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { Counters } from "#dist/limiter/binding.js";
import { makeTwinBuffer } from "./shared-array-twin.mjs";

const KEYS = 1_000_000;
const KEYS_MAX = 2 * KEYS;
const TWIN_CELLS = 2 ** 21;
const FEW_CELLS = 16;
const HOT_DECISIONS = 500_000;
const MANY_DECISIONS = 90_000;

/**
 * By what is measured. Each key of a million is admitted at most four times in ten rounds: once when
 * the table is filled, twice by the thread that measures alone too, once by the other.
 */
const LIMITS = {
	hotAdmit: { capacity: 2_000_000_000, cells: FEW_CELLS },
	hotReject: { capacity: 5, cells: FEW_CELLS },
	manyAdmit: { capacity: 5, cells: TWIN_CELLS },
	manyReject: { capacity: 1, cells: TWIN_CELLS },
};
/** @type {Row[]} */
const ROWS = [
	{ name: "admit, hot key", limit: "hotAdmit", many: false, admits: true },
	{ name: "reject, hot key", limit: "hotReject", many: false, admits: false },
	{ name: "admit, 1,000,000 keys", limit: "manyAdmit", many: true, admits: true },
	{ name: "reject, 1,000,000 keys", limit: "manyReject", many: true, admits: false },
];
const CROSSING = "of which the crossing, the clock and the table (an empty key)";
/** What weir's rows are made of. */
/** @type {Omit<Row, "admits">[]} */
const PARTS = [
	{ name: "of which finding its parts", decide: "keyOnly", limit: "hotAdmit", many: false },
	{ name: CROSSING, decide: "emptyKey", limit: "hotAdmit", many: false },
	{
		name: "of which choosing and finding one of 1,000,000",
		decide: "keyOnly",
		limit: "manyReject",
		many: true,
	},
];

/**
 * @typedef {import("./counters-worker.mjs").Task} Task
 * @typedef {{ name: string, limit: keyof typeof LIMITS, many: boolean, admits: boolean, decide?: string }} Row
 * @typedef {{ row: string, bytes: number, collections: number }} Garbage
 */

/** @param {Worker} worker @param {Task} task */
const ask = async (worker, task) => {
	worker.postMessage(task);
	const [{ error, result }] = await once(worker, "message");
	if (error !== undefined) throw error;
	return result;
};

/**
 * @param {Worker[]} workers @param {Row} row
 * @returns {Promise<number>} nanoseconds per decision: of one thread alone the processor time that the process
 *   took, collecting garbage included; else the wall time as one thread sees it, the mean over them
 */
const measure = async (workers, row) => {
	const decisions = row.many ? MANY_DECISIONS : HOT_DECISIONS;
	const barrier = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
	const { limit, many, decide } = row;
	const threads = workers.length;
	/** @type {Task} */
	const task = { do: "measure", limit, many, decide, decisions, barrier, threads };
	const before = process.cpuUsage();
	const results = await Promise.all(workers.map((worker) => ask(worker, task)));
	const { user, system } = process.cpuUsage(before);
	for (const { admitted } of results) {
		if (admitted !== (row.admits ? decisions : 0)) {
			throw new Error(`${row.name}, ${decisions} decisions: ${admitted} admitted`);
		}
	}
	if (workers.length === 1) return ((user + system) * 1000) / decisions;
	return results.reduce((sum, { nanoseconds }) => sum + nanoseconds, 0) / results.length;
};

/** @param {string} contender @param {number} threads @param {object} data */
const startWorkers = (contender, threads, data) =>
	Promise.all(
		Array.from({ length: threads }, async (_, thread) => {
			const worker = new Worker(join(import.meta.dirname, "counters-worker.mjs"), {
				workerData: { ...data, contender, thread, limits: LIMITS, keysMax: KEYS_MAX, keys: KEYS },
				resourceLimits: { maxOldGenerationSizeMb: 4096 },
			});
			await once(worker, "online");
			return worker;
		}),
	);

/** Counts of one thread hold in the other one; `threads` counts for the limiters that have none of that. @param {Worker[]} workers */
const fill = async (workers) => {
	const [first] = workers;
	if (first === undefined) throw new Error("no worker");
	const task = { do: "measure", decisions: HOT_DECISIONS, many: false, threads: 1 };
	for (const worker of workers) {
		const barrier = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
		await ask(worker, { ...task, limit: "hotReject", barrier });
	}
	await ask(first, { do: "fill", limit: "manyAdmit" });
	return await ask(first, { do: "fill", limit: "manyReject" });
};

/**
 * @param {number} rounds
 * @param {string} folder for the counters file
 * @param {string} flexible specifier of `rate-limiter-flexible`
 * @param {(sample: {table: string, row: string, contender: string, ns: number}) => void} report
 * @returns {Promise<{heapBytesPerKey: number, garbage: Garbage[]}>}
 */
export const measureThreads = async (rounds, folder, flexible, report) => {
	const path = join(folder, "counters-js");
	const counters = new Counters({ path, owner: true });
	const buffers = Object.fromEntries(
		Object.entries(LIMITS).map(([name, { capacity, cells }]) => [
			name,
			makeTwinBuffer(capacity, cells),
		]),
	);
	/** @type {Readonly<Record<string, Worker[]>> & { readonly weir: Worker[] }} */
	const all = {
		weir: await startWorkers("weir", 2, { path }),
		"SharedArrayBuffer twin": await startWorkers("twin", 2, { buffers, epochMs: Date.now() - 1 }),
		// Its threads would each count for themselves.
		"rate-limiter-flexible": await startWorkers("flexible", 1, { flexible }),
	};
	try {
		let heapBytesPerKey = 0;
		for (const workers of Object.values(all)) heapBytesPerKey = await fill(workers);
		const names = Object.keys(all);
		for (let round = 0; round <= rounds; round += 1) {
			for (const threads of [1, 2]) {
				const table = `From JavaScript, ${threads} ${threads === 1 ? "thread" : "threads"}`;
				for (const row of ROWS) {
					for (const name of round % 2 === 0 ? names : [...names].reverse()) {
						const workers = all[name]?.slice(0, threads) ?? [];
						if (workers.length < threads) continue;
						const ns = await measure(workers, row);
						if (round > 0) report({ table, row: row.name, contender: name, ns });
					}
				}
				if (threads > 1) continue;
				for (const part of PARTS) {
					const ns = await measure(all.weir.slice(0, 1), { ...part, admits: true });
					if (round > 0) report({ table, row: part.name, contender: "weir", ns });
				}
			}
		}
		/** @type {Garbage[]} */
		const garbage = [];
		const [first] = all.weir;
		if (first === undefined) throw new Error("no worker");
		for (const { name, limit } of ROWS.slice(0, 2)) {
			const task = { do: "garbage", limit, many: false, decisions: 1_000_000 };
			garbage.push({ row: name, ...(await ask(first, task)) });
		}
		return { heapBytesPerKey, garbage };
	} finally {
		for (const workers of Object.values(all)) {
			for (const worker of workers) await worker.terminate();
		}
		counters.close();
	}
};

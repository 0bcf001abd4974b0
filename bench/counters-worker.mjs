/**
 * One thread of bench/counters.mjs: it has one contender, and measures when told to. A key is of four
 * elements (host, client address, two headers), written anew for each decision as a policy does.
 */
import { PerformanceObserver, performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { Counters } from "#dist/limiter/binding.js";
import { NativeLimiters } from "#dist/limiter/limiters.js";
import { readKey } from "#dist/policy/actions/rate-limit/bucket-key.js";
import { SharedArrayTwin, writeKey } from "./shared-array-twin.mjs";

/**
 * What a thread is told to do; how it is decided is a name of `Limiter`.
 * @typedef {{
 *   do: string, limit: string, many?: boolean, decide?: string | undefined, decisions?: number,
 *   barrier?: Int32Array, threads?: number
 * }} Task
 * @typedef {{
 *   admit?: () => boolean, keyOnly?: () => boolean, emptyKey?: () => boolean,
 *   admitAsync?: () => Promise<boolean>
 * }} Decisions
 * @typedef {Decisions & { index: number }} Limiter
 * @typedef {(name: string) => Decisions} Make
 */

const DAY_MS = 86_400_000;
/** @type {never[]} */
const NOTHING = [];
/**
 * @type {{
 *   contender: string, limits: Readonly<Record<string, { capacity: number }>>, keysMax: number, keys: number,
 *   thread: number, path: string, flexible: string, buffers: Record<string, SharedArrayBuffer>, epochMs: number
 * }}
 */
const data = workerData;
const { limits, keysMax, keys } = data;
/** @param {string} name */
const capacityOf = (name) => limits[name]?.capacity ?? 0;

/** @type {import("#dist/policy/actions/rate-limit/bucket-key.js").KeyElement[]} */
const ELEMENTS = [
	{ kind: "client_ip" },
	{ kind: "host" },
	{ kind: "header", name: "x-api-key" },
	{ kind: "header", name: "x-tenant" },
];
/** A thousand addresses times a thousand tenants make a million keys, and stay in the cache. */
const SIDE = 1000;
const ADDRESSES = Array.from({ length: SIDE }, (_, n) => `198.51.${100 + (n >> 8)}.${n & 255}`);
const TENANTS = Array.from({ length: SIDE }, (_, n) => [`tenant-${String(n).padStart(4, "0")}`]);
const API_KEY = ["9f86d081884c7d659a2feaa0c55ad015"];
const exchange = {
	host: "api.example.com",
	clientIp: ADDRESSES[0] ?? "",
	tenant: TENANTS[0] ?? [],
	requestHeaders: {
		/** @param {string} name @returns {string[]} */
		lines: (name) => (name === "x-tenant" ? exchange.tenant : API_KEY),
	},
};
/** @param {number} index */
const choose = (index) => {
	exchange.clientIp = ADDRESSES[index % SIDE] ?? "";
	exchange.tenant = TENANTS[Math.floor(index / SIDE)] ?? [];
};
/** What a limiter that takes text is given. */
const keyText = () => `${exchange.clientIp}|${exchange.host}|${API_KEY[0]}|${exchange.tenant[0]}`;

/** Every index once, none near the one before. @param {number} index */
const step = (index) => (index + 618_033) % keys;

/** @type {Readonly<Record<string, () => Make | Promise<Make>>>} */
const CONTENDERS = {
	weir() {
		const counters = new Counters({ path: data.path });
		const limiters = new NativeLimiters({ counters, keysMax });
		/** @param {string} name */
		const open = (name) => {
			const capacity = capacityOf(name);
			const identity = { edgeId: "e", routeId: "r", configuration: name, ordinal: 0 };
			return limiters.open({ ...identity, capacity, windowMs: DAY_MS });
		};
		return (name) => {
			const limiter = open(name);
			/** @type {import("#dist/policy/admission.js").KeyPart[]} */
			const parts = ELEMENTS.map(() => undefined);
			// as much of a request as these elements read
			const request = /** @type {import("#dist/cel/attributes.js").Attributes} */ (
				/** @type {unknown} */ (exchange)
			);
			const read = () => readKey(ELEMENTS, request, 64, parts);
			return {
				admit() {
					read();
					return limiter.admit(parts) === 0;
				},
				keyOnly() {
					read();
					return parts[0] !== undefined;
				},
				emptyKey: () => limiter.admit(NOTHING) === 0,
			};
		};
	},
	twin() {
		const { buffers, epochMs } = data;
		return (name) => {
			const capacity = capacityOf(name);
			const buffer = buffers[name];
			if (buffer === undefined) throw new Error(`no buffer for ${name}`);
			const twin = new SharedArrayTwin(buffer, { capacity, windowMs: DAY_MS, epochMs });
			return { admit: () => twin.admit(writeKey(ELEMENTS, exchange, twin.units)) === 0 };
		};
	},
	async flexible() {
		const { RateLimiterMemory } = (await import(data.flexible)).default;
		return (name) => {
			const points = capacityOf(name);
			const limiter = new RateLimiterMemory({ points, duration: DAY_MS / 1000 });
			return {
				async admitAsync() {
					try {
						await limiter.consume(keyText());
						return true;
					} catch {
						return false;
					}
				},
			};
		};
	},
};
const contender = CONTENDERS[data.contender];
if (contender === undefined) throw new Error(`no contender ${data.contender}`);
const make = await contender();
/** @type {Map<string, Limiter>} */
const made = new Map();
/** @param {string} name */
const limiterOf = (name) => {
	const limiter = made.get(name) ?? { ...make(name), index: data.thread * (keys >> 1) };
	made.set(name, limiter);
	return limiter;
};

/** All threads of a measurement begin together. @param {Int32Array} barrier [arrived] @param {number} threads */
const arrive = (barrier, threads) => {
	if (Atomics.add(barrier, 0, 1) + 1 === threads) Atomics.notify(barrier, 0);
	for (let arrived = Atomics.load(barrier, 0); arrived < threads; ) {
		Atomics.wait(barrier, 0, arrived);
		arrived = Atomics.load(barrier, 0);
	}
};

// A function each for what is decided: one for all would be compiled for all, and for none well.
const LOOP = `
	for (let n = 0, admitted = 0; ; n++) {
		if (n === decisions) return admitted;
		next();
		if (decide()) admitted++;
	}`;
/** @typedef {(decisions: number) => number} Loop */
/** @type {Map<Limiter, Map<string, Loop>>} */
const loops = new Map();
/** @param {Limiter} limiter @param {string} decide @param {boolean} many @returns {Loop} */
const loopOf = (limiter, decide, many) => {
	const name = `${decide} ${many}`;
	const own = loops.get(limiter) ?? new Map();
	loops.set(limiter, own);
	const known = own.get(name);
	if (known !== undefined) return known;
	const next = () => {
		limiter.index = step(limiter.index);
		choose(limiter.index);
	};
	const bind = new Function("next", "decide", `return (decisions) => {${LOOP}}`);
	const loop = bind(many ? next : () => {}, limiter[/** @type {keyof Decisions} */ (decide)]);
	own.set(name, loop);
	return loop;
};
/** @param {Limiter} limiter @param {number} decisions @param {boolean} many */
const countAsync = async (limiter, decisions, many) => {
	let admitted = 0;
	for (let n = 0; n < decisions; n++) {
		if (many) {
			limiter.index = step(limiter.index);
			choose(limiter.index);
		}
		if (await limiter.admitAsync?.()) admitted++;
	}
	return admitted;
};
/** @param {Limiter} limiter @param {Pick<Task, "decide" | "many" | "decisions">} task */
const count = (limiter, { decide = "admit", many = false, decisions = 0 }) => {
	if (!many) choose(0);
	if (limiter.admitAsync !== undefined) return countAsync(limiter, decisions, many);
	return loopOf(limiter, decide, many)(decisions);
};

/** npm run bench:counters gives it. */
const collectGarbage = () => globalThis.gc?.();

/** @type {Readonly<Record<string, (task: Task) => Promise<unknown>>>} */
const TASKS = {
	/** @returns bytes of heap that each new key took */
	async fill({ limit }) {
		const limiter = limiterOf(limit);
		collectGarbage();
		const before = process.memoryUsage().heapUsed;
		await count(limiter, { many: true, decisions: keys });
		collectGarbage();
		return (process.memoryUsage().heapUsed - before) / keys;
	},
	/** @returns nanoseconds per decision as this thread sees it, and how many were admitted */
	async measure(task) {
		const limiter = limiterOf(task.limit);
		if (task.barrier !== undefined) arrive(task.barrier, task.threads ?? 1);
		const begin = performance.now();
		const admitted = await count(limiter, task);
		return { nanoseconds: ((performance.now() - begin) * 1e6) / (task.decisions ?? 0), admitted };
	},
	/** @returns what the heap grew by and how often it was collected */
	async garbage(task) {
		let collections = 0;
		const observer = new PerformanceObserver((list) => {
			collections += list.getEntries().length;
		});
		observer.observe({ entryTypes: ["gc"] });
		const limiter = limiterOf(task.limit);
		await count(limiter, task);
		collectGarbage();
		// The observer hears of that collection late.
		await delay(50);
		collections = 0;
		const before = process.memoryUsage().heapUsed;
		await count(limiter, task);
		const bytes = process.memoryUsage().heapUsed - before;
		await delay(50);
		observer.disconnect();
		return { bytes, collections };
	},
};
parentPort?.on("message", async (/** @type {Task} */ task) => {
	try {
		parentPort?.postMessage({ result: await TASKS[task.do]?.(task) });
	} catch (error) {
		parentPort?.postMessage({ error });
	}
});

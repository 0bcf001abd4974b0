/**
 * One thread of bench/counters.mjs: it has one contender, and measures when told to. A key is of four
 * elements (host, client address, two headers), written anew for each decision as a policy does.
 */
import { PerformanceObserver, performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { Counters } from "../dist/limiter/binding.js";
import { NativeLimiters } from "../dist/limiter/limiters.js";
import { readKey } from "../dist/policy/actions/rate-limit/bucket-key.js";
import { SharedArrayTwin, writeKey } from "./shared-array-twin.mjs";

const DAY_MS = 86_400_000;
const NOTHING = [];
const { contender, limits, keysMax, keys } = workerData;

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
	clientIp: ADDRESSES[0],
	tenant: TENANTS[0],
	requestHeaders: { lines: (name) => (name === "x-tenant" ? exchange.tenant : API_KEY) },
};
const choose = (index) => {
	exchange.clientIp = ADDRESSES[index % SIDE];
	exchange.tenant = TENANTS[Math.floor(index / SIDE)];
};
/** What a limiter that takes text is given. */
const keyText = () => `${exchange.clientIp}|${exchange.host}|${API_KEY[0]}|${exchange.tenant[0]}`;

/** Every index once, none near the one before. */
const step = (index) => (index + 618_033) % keys;

const CONTENDERS = {
	weir() {
		const counters = new Counters({ path: workerData.path });
		const limiters = new NativeLimiters({ counters, keysMax });
		const open = (name) => {
			const { capacity } = limits[name];
			const identity = { edgeId: "e", routeId: "r", configuration: name, ordinal: 0 };
			return limiters.open({ ...identity, capacity, windowMs: DAY_MS });
		};
		return (name) => {
			const limiter = open(name);
			const parts = ELEMENTS.map(() => undefined);
			const read = () => readKey(ELEMENTS, exchange, parts);
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
		const { buffers, epochMs } = workerData;
		return (name) => {
			const { capacity } = limits[name];
			const twin = new SharedArrayTwin(buffers[name], { capacity, windowMs: DAY_MS, epochMs });
			return { admit: () => twin.admit(writeKey(ELEMENTS, exchange, twin.units)) === 0 };
		};
	},
	async flexible() {
		const { RateLimiterMemory } = (await import(workerData.flexible)).default;
		return (name) => {
			const points = limits[name].capacity;
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
const make = await CONTENDERS[contender]();
const made = new Map();
const limiterOf = (name) => {
	if (!made.has(name)) made.set(name, { ...make(name), index: workerData.thread * (keys >> 1) });
	return made.get(name);
};

/** All threads of a measurement begin together. @param {Int32Array} barrier [arrived] */
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
const loops = new Map();
const loopOf = (limiter, decide, many) => {
	const name = `${decide} ${many}`;
	const own = loops.get(limiter) ?? new Map();
	loops.set(limiter, own);
	if (!own.has(name)) {
		const next = () => {
			limiter.index = step(limiter.index);
			choose(limiter.index);
		};
		const bind = new Function("next", "decide", `return (decisions) => {${LOOP}}`);
		own.set(name, bind(many ? next : () => {}, limiter[decide]));
	}
	return own.get(name);
};
const countAsync = async (limiter, decisions, many) => {
	let admitted = 0;
	for (let n = 0; n < decisions; n++) {
		if (many) {
			limiter.index = step(limiter.index);
			choose(limiter.index);
		}
		if (await limiter.admitAsync()) admitted++;
	}
	return admitted;
};
const count = (limiter, { decide = "admit", many, decisions }) => {
	if (!many) choose(0);
	if (limiter.admitAsync !== undefined) return countAsync(limiter, decisions, many);
	return loopOf(limiter, decide, many)(decisions);
};

const TASKS = {
	/** @returns bytes of heap that each new key took */
	async fill({ limit }) {
		const limiter = limiterOf(limit);
		globalThis.gc();
		const before = process.memoryUsage().heapUsed;
		await count(limiter, { many: true, decisions: keys });
		globalThis.gc();
		return (process.memoryUsage().heapUsed - before) / keys;
	},
	/** @returns nanoseconds per decision as this thread sees it, and how many were admitted */
	async measure(task) {
		const limiter = limiterOf(task.limit);
		arrive(task.barrier, task.threads);
		const begin = performance.now();
		const admitted = await count(limiter, task);
		return { nanoseconds: ((performance.now() - begin) * 1e6) / task.decisions, admitted };
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
		globalThis.gc();
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
parentPort.on("message", async (task) => {
	try {
		parentPort.postMessage({ result: await TASKS[task.do](task) });
	} catch (error) {
		parentPort.postMessage({ error });
	}
});

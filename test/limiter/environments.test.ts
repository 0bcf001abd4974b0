/**
 * Several environments on one file: threads, each with the addon loaded and the file opened for itself,
 * and processes. Together they admit exactly what one of them may, whoever ends in the middle of it.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import { afterAll, expect, it } from "vitest";
import { Counters } from "../../src/limiter/binding.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import { addonFile, temporaryFolder } from "./support.ts";

const HOT = { name: "hot", capacity: 20_000, windowMs: 86_400_000, keysMax: 8 };
const MANY = { name: "many", capacity: 7, windowMs: 86_400_000, keysMax: 10_000 };
const MANY_KEYS = 500;
const BOUNDS = {
	...{ capacityMax: LIMITS.capacityMax, windowMaxMs: LIMITS.rateMaxMs },
	...{ keysMax: LIMITS.keysPerRateLimitMax, keyPartsMax: LIMITS.bucketKeyElements },
};

/** Opens the file and both limiters as a worker does; `hammer` tries each more often than it may. */
const program = `
	const addon = require(${JSON.stringify(addonFile)});
	const openLimiter = (counters, { name, capacity, windowMs, keysMax }) =>
		addon.openLimiter(counters, name, capacity, windowMs, keysMax);
	const admit = (limiter, number) => addon.admit(limiter, "key " + number);
	function open(path) {
		const counters = addon.openCounters(path, false, ${LIMITS.countersBytes}, ${JSON.stringify(BOUNDS)});
		const hot = openLimiter(counters, ${JSON.stringify(HOT)});
		const many = openLimiter(counters, ${JSON.stringify(MANY)});
		return { counters, hot, many };
	}
	function hammer({ hot, many }, attempts) {
		const admitted = { hot: 0, many: new Array(${MANY_KEYS}).fill(0) };
		for (let i = 0; i < attempts; i++) {
			if (admit(hot, 0) === 0) admitted.hot += 1;
			const number = i % ${MANY_KEYS};
			if (admit(many, number) === 0) admitted.many[number] += 1;
		}
		return admitted;
	}`;

interface Admitted {
	readonly hot: number;
	readonly many: readonly number[];
}

const folder = temporaryFolder();
const counters: Counters[] = [];
afterAll(() => {
	for (const one of counters) one.close();
});

/** A counters file that this process has open, as the supervisor has. */
function openFile(name: string) {
	const path = join(folder, name);
	const own = new Counters({ path, owner: true });
	counters.push(own);
	return { path, counters: own };
}

function expectExact(all: readonly Admitted[]): void {
	expect(all.reduce((sum, { hot }) => sum + hot, 0)).toBe(HOT.capacity);
	const perKey = Array.from({ length: MANY_KEYS }, (_, key) =>
		all.reduce((sum, { many }) => sum + (many[key] ?? 0), 0),
	);
	expect(perKey).toEqual(perKey.map(() => MANY.capacity));
}

/** How often this process has the file mapped; undefined where the system does not tell. */
function mappings(path: string): number | undefined {
	if (!existsSync("/proc/self/maps")) return undefined;
	return readFileSync("/proc/self/maps", "utf8").split(path).length - 1;
}

it("threads count together exactly, while others come, end and are ended", async () => {
	const { path, counters: own } = openFile("threads");
	const gate = new Int32Array(new SharedArrayBuffer(8));
	const start = (attempts: number, after: string) =>
		new Worker(
			`${program}
			const { parentPort, workerData: { path, gate, attempts } } = require("node:worker_threads");
			const opened = open(path);
			Atomics.add(gate, 1, 1);
			Atomics.wait(gate, 0, 0);
			parentPort.postMessage(hammer(opened, attempts));
			${after}`,
			{ eval: true, workerData: { path, gate, attempts } },
		);
	const counting = [
		start(12_000, ""),
		start(12_000, "addon.closeCounters(opened.counters);"),
		start(1_000, ""),
		start(12_000, "process.exit();"),
	];
	// One that never comes to an end of its own, on a key of its own.
	const endless = start(0, `for (let i = 0; ; i++) admit(opened.many, 1000 + (i % 1000));`);
	const answers = [...counting, endless].map((worker) => once(worker, "message"));
	const exits = [...counting, endless].map((worker) => once(worker, "exit"));
	while (Atomics.load(gate, 1) < counting.length + 1) await new Promise(setImmediate);
	Atomics.store(gate, 0, 1);
	Atomics.notify(gate, 0);
	await answers[4];
	await endless.terminate();
	const admitted = (await Promise.all(answers)).map(([answer]): Admitted => answer);
	await Promise.all(exits);
	expectExact(admitted);

	const limiter = own.open(HOT.name, HOT.capacity, HOT.windowMs, HOT.keysMax);
	expect(limiter?.admit([]), "another key").toBe(0);
	expect(mappings(path) ?? 1, "what an ended thread had open is closed").toBe(1);
	expect(own.statistics()).toMatchObject({ limiters: 2, evicted: 0, full: 0 });
});

it("processes count together exactly", async () => {
	const { path, counters: own } = openFile("processes");
	const children = Array.from({ length: 3 }, () => {
		const source = `${program}
			const opened = open(${JSON.stringify(path)});
			console.error("ready");
			process.stdin.once("data", () => {
				console.log(JSON.stringify(hammer(opened, 12000)));
				process.exit();
			});`;
		const child = spawn(process.execPath, ["-e", source], { stdio: "pipe" });
		return { child, ready: once(child.stderr, "data"), output: text(child.stdout) };
	});
	for (const { ready } of children) expect(String(await ready)).toBe("ready\n");
	for (const { child } of children) child.stdin.write("go");
	const outputs = await Promise.all(children.map(({ output }) => output));
	expectExact(outputs.map((output): Admitted => JSON.parse(output)));
	expect(own.statistics()).toMatchObject({ limiters: 2, live: MANY_KEYS + 1 });
});

it("handles of one environment open nothing in another", async () => {
	const { counters: own } = openFile("handles");
	expect(own.open("name", 1, 60_000, 8)?.admit([])).toBe(0);
	const source = `
		const addon = require(${JSON.stringify(addonFile)});
		let refused = 0;
		for (let handle = 0; handle < 100; handle++) {
			try { addon.admit(handle); } catch { refused += 1; }
			try { addon.touch(handle, 0, 1); } catch { refused += 1; }
		}
		require("node:worker_threads").parentPort.postMessage(refused);`;
	const worker = new Worker(source, { eval: true });
	const exit = once(worker, "exit");
	expect((await once(worker, "message"))[0]).toBe(200);
	await exit;
});

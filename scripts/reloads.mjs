#!/usr/bin/env node
/**
 * Reloads under new connections: starts weir from dist/ and a backend behind it, makes connections at a constant
 * rate, one request each, and has weir replace its workers again and again meanwhile. Says how each connection ended:
 * none may be reset or refused. Run by hand (`node scripts/reloads.mjs --help`) and by test/e2e/reloads.test.ts.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { linesOf, routeTo, Storm, showExamples, until } from "./storm/storm.mjs";

const HELP = `usage: node scripts/reloads.mjs [options]
  --reloads N   1 to 1000, default 100
  --rate N      new connections a second, 1 to 5000, default 1000
  --workers N   1 to 16, default 2
  --crashes     kill a worker (SIGKILL) instead of a reload, which may reset what that worker had accepted
  --json        one line of JSON instead of the table
Exits with 1 if a connection was reset or refused, or had no right answer.`;

const KEY = "reloads-key-0123456789";

/**
 * @typedef {{reloads: number, rate: number, workers: number, crashes: boolean, json: boolean}} Options
 */

/** @returns {Options} */
const readOptions = () => {
	const { values } = parseArgs({
		options: {
			reloads: { type: "string", default: "100" },
			rate: { type: "string", default: "1000" },
			workers: { type: "string", default: "2" },
			crashes: { type: "boolean", default: false },
			json: { type: "boolean", default: false },
			help: { type: "boolean", default: false },
		},
	});
	if (values.help) {
		console.log(HELP);
		process.exit(0);
	}
	/** @param {"reloads" | "rate" | "workers"} name @param {number} most */
	const number = (name, most) => {
		const value = Number(values[name]);
		if (!Number.isInteger(value) || value < 1 || value > most) {
			console.error(`--${name} takes a number from 1 to ${most}\n\n${HELP}`);
			process.exit(2);
		}
		return value;
	};
	return {
		reloads: number("reloads", 1000),
		rate: number("rate", 5000),
		workers: number("workers", 16),
		crashes: values.crashes,
		json: values.json,
	};
};

const options = readOptions();
const folder = mkdtempSync(join(tmpdir(), "weir-reloads-"));
const logFile = join(folder, "log");
const configFile = join(folder, "weir.json");
const backend = spawn(process.execPath, [join(import.meta.dirname, "attacks", "backend.mjs")], {
	stdio: ["ignore", "pipe", "inherit"],
});
/** @type {{port: number}} */
const { port: backendPort } = JSON.parse(
	await new Promise((resolve) => backend.stdout.once("data", (line) => resolve(String(line)))),
);

/** @param {string} listen @param {string} management @param {number} idleMs another value is another generation */
const configure = (listen, management, idleMs) =>
	writeFileSync(
		configFile,
		JSON.stringify({
			listen,
			management: { address: management },
			data_dir: "data",
			workers: options.workers,
			log: { destination: logFile },
			timeouts: { idle_ms: idleMs },
		}),
	);
configure("127.0.0.1:0", "127.0.0.1:0", 60_000);
const main = join(import.meta.dirname, "..", "dist", "main.js");
const weir = spawn(process.execPath, [main, "serve", "--config", configFile], {
	env: { ...process.env, WEIR_API_KEY: KEY },
	stdio: "inherit",
});
process.once("exit", () => {
	weir.kill("SIGKILL");
	backend.kill();
	rmSync(folder, { recursive: true, force: true });
});

const lines = () => linesOf(logFile);
/** @param {string} message */
const count = (message) => lines().filter(({ msg }) => msg === message).length;

const ready = await until(() => lines().find(({ msg }) => msg === "weir is ready"), "weir");
const [listen, management] = [ready.listen[0], ready.management];
await routeTo(management, KEY, backendPort);

const workerPids = () =>
	readFileSync(`/proc/${weir.pid}/task/${weir.pid}/children`, "utf8")
		.trim()
		.split(" ")
		.filter(Boolean)
		.map(Number);

const begun = performance.now();
const storm = new Storm(Number(listen.split(":").at(-1)), options.rate);
for (let number = 1; number <= options.reloads; number++) {
	const done = options.crashes ? "worker started again" : "config reloaded";
	if (options.crashes) {
		const [pid] = workerPids();
		if (pid === undefined) throw new Error("there is no worker to kill");
		process.kill(pid, "SIGKILL");
	} else {
		configure(listen, management, 60_000 + number);
		weir.kill("SIGHUP");
	}
	await until(() => count(done) >= number || undefined, `number ${number} of "${done}"`);
}
await storm.stop();
const seconds = (performance.now() - begun) / 1000;
weir.kill("SIGTERM");
await new Promise((resolve) => {
	weir.once("exit", resolve);
});
backend.kill();

const { ends, slowestMs } = storm;
const { total } = storm;
const result = {
	...{ reloads: options.reloads, connections: total, per_second: Math.round(total / seconds) },
	...{ ...ends, slowest_ms: Math.round(slowestMs) },
};
if (options.json) console.log(JSON.stringify(result));
else for (const [name, value] of Object.entries(result)) console.log(`${name.padEnd(12)} ${value}`);
showExamples(storm);
process.exitCode = ends.answered === total ? 0 : 1;

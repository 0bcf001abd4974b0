#!/usr/bin/env node
/**
 * Upgrades under new connections: starts weir from dist/ and a backend behind it, makes connections at a constant rate,
 * one request each, and has weir replaced by another one again and again meanwhile (`weir upgrade`). Says how each
 * connection ended: none may be reset or refused. Requests to a path with a rate-limit tell whether it counts on. Run by
 * hand (`node scripts/upgrades.mjs --help`) and by test/e2e/upgrades.test.ts.
 */
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { linesOf, put, routeTo, Storm, showExamples, until } from "./storm/storm.mjs";

const HELP = `usage: node scripts/upgrades.mjs [options]
  --upgrades N     1 to 1000, default 20
  --rate N         new connections a second, 1 to 5000, default 1000
  --connections N  go on until there were so many, default 100000
  --workers N      1 to 16, default 2
  --kills          kill (SIGKILL) each new one, each a little later after its start than the one before, up to 3 s;
                   an upgrade may then fail, a connection may not
  --json           one line of JSON instead of the table
Exits with 1 if a connection was reset or refused, had no right answer, or if the rate-limit let through another number
than its capacity.`;

const KEY = "upgrades-key-0123456789";
/** requests to the limited path during each upgrade, and how many of them there is room for */
const LIMITED = 20;
const ROOM = 15;
const LIMITED_PAUSE_MS = 100;

const { values } = parseArgs({
	options: {
		upgrades: { type: "string", default: "20" },
		rate: { type: "string", default: "1000" },
		connections: { type: "string", default: "100000" },
		workers: { type: "string", default: "2" },
		kills: { type: "boolean", default: false },
		json: { type: "boolean", default: false },
		help: { type: "boolean", default: false },
	},
});
if (values.help) {
	console.log(HELP);
	process.exit(0);
}
/** @param {"upgrades" | "rate" | "workers" | "connections"} name @param {number} most */
const number = (name, most) => {
	const value = Number(values[name]);
	if (Number.isInteger(value) && value >= 1 && value <= most) return value;
	console.error(`--${name} takes a number from 1 to ${most}\n\n${HELP}`);
	process.exit(2);
};
const upgrades = number("upgrades", 1000);
const rate = number("rate", 5000);
const connections = number("connections", 10_000_000);

const folder = mkdtempSync(join(tmpdir(), "weir-upgrades-"));
const logFile = join(folder, "log");
const configFile = join(folder, "weir.json");
const settings = {
	...{ listen: "127.0.0.1:0", management: { address: "127.0.0.1:0" }, data_dir: "data" },
	...{ workers: number("workers", 16), log: { destination: logFile } },
};
writeFileSync(configFile, JSON.stringify(settings));
const backend = spawn(process.execPath, [join(import.meta.dirname, "attacks", "backend.mjs")], {
	stdio: ["ignore", "pipe", "inherit"],
});
/** @type {{port: number}} */
const { port: backendPort } = JSON.parse(
	await new Promise((resolve) => backend.stdout.once("data", (line) => resolve(String(line)))),
);
const main = join(import.meta.dirname, "..", "dist", "main.js");
const environment = { ...process.env, WEIR_API_KEY: KEY };
const first = spawn(process.execPath, [main, "serve", "--config", configFile], {
	env: environment,
	stdio: "inherit",
});

const starts = () => linesOf(logFile).filter(({ msg }) => msg === "weir is ready");
const lastPid = () => starts().at(-1)?.pid;
process.once("exit", () => {
	const pid = lastPid() ?? first.pid;
	try {
		if (pid !== undefined) process.kill(pid, "SIGKILL");
	} catch {
		// it has ended
	}
	backend.kill();
	rmSync(folder, { recursive: true, force: true });
});

const ready = await until(() => starts()[0], "weir");
const { management } = ready;
const port = Number(ready.listen[0].split(":").at(-1));
await routeTo(management, KEY, backendPort);
const capacity = ROOM * upgrades;
await put(management, KEY, "/edges/https/e/routes/r/policy", {
	inbound: [
		{
			expressions: ["req.url.path == '/limited'"],
			actions: [{ type: "rate-limit", config: { capacity, rate: "3600s" } }],
		},
	],
});

/** On a connection of its own: of one that is kept open the next request may meet its end. @param {string} path @returns {Promise<number>} */
const statusOf = (path) =>
	new Promise((resolve, reject) => {
		get({ host: "127.0.0.1", port, path, agent: false }, (answer) => {
			answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
		}).on("error", reject);
	});

let admitted = 0;
const limited = async () => {
	for (let request = 0; request < LIMITED; request++) {
		if ((await statusOf("/limited")) === 200) admitted++;
		await new Promise((resolve) => setTimeout(resolve, LIMITED_PAUSE_MS));
	}
};

const KILL_WITHIN_MS = 3000;
/** Kills the one that starts at this upgrade, unless it serves by then. @param {number} count @param {() => boolean} isOver */
const killSome = async (count, isOver) => {
	const before = lastPid();
	await new Promise((resolve) => setTimeout(resolve, (KILL_WITHIN_MS * count) / upgrades));
	const children = readFileSync(`/proc/${before}/task/${before}/children`, "utf8");
	const isNew = (/** @type {string} */ pid) =>
		readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--takeover");
	const successor = children.split(" ").filter(Boolean).find(isNew);
	if (successor === undefined || isOver() || lastPid() !== before) return;
	process.kill(Number(successor), "SIGKILL");
	killed++;
};

let killed = 0;
let failed = 0;
const begun = performance.now();
const storm = new Storm(port, rate);
let slowestUpgradeMs = 0;
for (let count = 1; count <= upgrades; count++) {
	const started = performance.now();
	const words = [main, "upgrade", "--config", configFile];
	const wanted = starts().length + 1;
	let isOver = false;
	const asked = promisify(execFile)(process.execPath, words, { env: environment })
		.then(() => until(() => starts().length >= wanted || undefined, `upgrade ${count}`))
		.catch((error) => {
			if (!values.kills) throw error;
			failed++;
		})
		.finally(() => {
			isOver = true;
		});
	await Promise.all([asked, limited(), ...(values.kills ? [killSome(count, () => isOver)] : [])]);
	slowestUpgradeMs = Math.max(slowestUpgradeMs, performance.now() - started);
	// As many connections between two of them as it takes to have all in the end.
	const due = (connections * count) / upgrades;
	while (storm.total < due) await new Promise((resolve) => setTimeout(resolve, LIMITED_PAUSE_MS));
}
await storm.stop();
const seconds = (performance.now() - begun) / 1000;
const last = lastPid();
process.kill(last, "SIGTERM");
await until(
	() => linesOf(logFile).some(({ msg, pid }) => msg === "stopped" && pid === last) || undefined,
	"the last one to stop",
);
backend.kill();

const { ends, slowestMs, total } = storm;
const result = {
	...{ upgrades, connections: total, per_second: Math.round(total / seconds), ...ends },
	...{ slowest_ms: Math.round(slowestMs), slowest_upgrade_ms: Math.round(slowestUpgradeMs) },
	...(values.kills ? { killed, upgrades_failed: failed } : {}),
	...{ limited: LIMITED * upgrades, limit: capacity, admitted },
};
if (values.json) console.log(JSON.stringify(result));
else for (const [name, value] of Object.entries(result)) console.log(`${name.padEnd(19)} ${value}`);
showExamples(storm);
process.exitCode = ends.answered === total && admitted === capacity ? 0 : 1;

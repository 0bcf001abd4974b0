#!/usr/bin/env node
/**
 * A fleet under chaos: NATS servers and machines from dist/ on loopback, clients that change and read the same documents at
 * all of them, and something that kills, stops, parts or sets back in each round. What the clients got is judged at the end.
 * Run by hand: `node scripts/fleet-chaos.mjs --help`.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
	Clients,
	documents,
	pause,
	randomOf,
	registerOf,
	Visitors,
} from "./fleet-chaos/clients.mjs";
import { enterMounts } from "./fleet-chaos/disks.mjs";
import { findProgram, startEngines } from "./fleet-chaos/engines.mjs";
import { makeMachines } from "./fleet-chaos/machines.mjs";
import { NEMESES } from "./fleet-chaos/nemeses.mjs";
import { judge } from "./fleet-chaos/verdict.mjs";
import { until } from "./storm/storm.mjs";

const HELP = `usage: node scripts/fleet-chaos.mjs [options]
  --rounds N      of each nemesis, default 3
  --nemeses LIST  ${Object.keys(NEMESES).join(",")}; default: all but powercut, which needs root and loop devices
  --unsynced      engines without sync_interval: always
  --engines N     1 or 3, default 3 (nats-server 2.12 or newer)
  --engine PATH   the nats-server; default: the first that will do of NATS_SERVERS and the PATH
  --machines N    2 to 9, default 3
  --clients N     1 to 64, default 8
  --longest MS    the longest time that a nemesis lasts, default 20000
  --seed N        default: the time
  --minutes N     no round begins after so many, default 600
  --keep          leaves the folder with everything's logs
Exits with 1, and shows what was asked and answered, if a change was lost, doubled, out of order or in force after its refusal,
if machines differ at the end, or if a request of the data path failed.`;

/** for a round's end: everybody in sync, and the same */
const BACK_MS = 60_000;
const SHOWN = 5;
const BODY = "still here";

const { values } = parseArgs({
	options: {
		rounds: { type: "string", default: "3" },
		nemeses: {
			type: "string",
			default: Object.keys(NEMESES)
				.filter((name) => name !== "powercut")
				.join(","),
		},
		unsynced: { type: "boolean", default: false },
		engines: { type: "string", default: "3" },
		engine: { type: "string" },
		machines: { type: "string", default: "3" },
		clients: { type: "string", default: "8" },
		longest: { type: "string", default: "20000" },
		seed: { type: "string", default: String(Date.now() % 1_000_000) },
		minutes: { type: "string", default: "600" },
		keep: { type: "boolean", default: false },
		help: { type: "boolean", default: false },
	},
});

/** @param {string} what @returns {never} */
const wrong = (what) => {
	console.error(`${what}\n\n${HELP}`);
	process.exit(2);
};

/** @param {"rounds" | "engines" | "machines" | "clients" | "longest" | "minutes" | "seed"} name @param {number} least @param {number} most */
const number = (name, least, most) => {
	const value = Number(values[name]);
	if (Number.isInteger(value) && value >= least && value <= most) return value;
	return wrong(`--${name} takes a number from ${least} to ${most}`);
};

if (values.help) {
	console.log(HELP);
	process.exit(0);
}
const chosen = values.nemeses.split(",");
for (const name of chosen) if (!(name in NEMESES)) wrong(`--nemeses: there is no ${name}`);
const [rounds, many, seed] = [
	number("rounds", 1, 1000),
	number("engines", 1, 3),
	number("seed", 0, 2 ** 31),
];
if (many === 2) wrong("--engines takes 1 or 3");

const haveDisks = chosen.includes("powercut");
if (haveDisks) await enterMounts();
const folder = mkdtempSync(join(tmpdir(), "weir-chaos-"));
const program = findProgram(values.engine, many);
const { engines, links } = await startEngines(folder, many, program, {
	...{ haveDisks, areSynced: !values.unsynced },
});
const machines = await makeMachines(folder, number("machines", 2, 9), engines);
const [first] = machines;
if (first === undefined) throw new Error("no machine");

/** @param {Promise<import("./fleet-chaos/machines.mjs").Answer>} asked */
const must = async (asked) => {
	const got = await asked;
	if (got.status >= 300) throw new Error(`${got.status} ${got.body}`);
};

// A cluster has its leader before it knows all of its servers.
await until(async () => {
	const { status, text } = await first.weir("init");
	if (status !== 0) console.log(text);
	return status === 0 || undefined;
}, "the fleet to begin");
await first.start();
await until(async () => (await first.seen()).state === "in_sync" || undefined, "the first machine");
await must(first.api("PUT", "/edges/https/data", { hostports: ["data.test"] }));
const path = "/edges/https/data/routes/all";
await must(
	first.api("PUT", path, {
		match_type: "path_prefix",
		match: "/",
		backend: { urls: ["http://127.0.0.1:9"] },
	}),
);
const actions = [{ type: "custom-response", config: { status_code: 200, body: BODY } }];
await must(first.api("PUT", `${path}/policy`, { on_http_request: [{ actions }] }));
for (const machine of machines.slice(1)) await machine.start();

/** What all agree on; undefined: they don't yet. */
const agreement = async () => {
	const seen = await Promise.all(machines.map((machine) => machine.seen().catch(() => undefined)));
	if (!seen.every((each) => each?.state === "in_sync")) return undefined;
	const all = new Set(seen.map(({ revision, digest }) => `${revision} ${digest}`));
	return all.size === 1 ? [...all][0] : undefined;
};
await until(agreement, "all machines to be in sync");

console.log(
	`seed ${seed}; nats-server ${program.version} × ${many}; ${machines.length} machines; ${folder}`,
);
const random = randomOf(seed);
const world = { engines, links, machines, random, longestMs: number("longest", 100, 60_000) };
const clients = new Clients(machines, number("clients", 1, 64), seed);
const visitors = new Visitors(machines, BODY);
/** @type {string[]} */
const faults = [];
/** @type {Map<string, number[]>} */
const backAfter = new Map(chosen.map((name) => [name, []]));

const order = Array.from({ length: rounds }, () => chosen).flat();
const lastMs = performance.now() + number("minutes", 1, 6000) * 60_000;
for (const [index, name] of order.entries()) {
	if (performance.now() > lastMs) break;
	await pause(500);
	const did = await NEMESES[name]?.(world);
	const begun = performance.now();
	// Someone writes at each of them again …
	const probe = { hostports: [`probe${index}.test`] };
	const isBack = async (/** @type {import("./fleet-chaos/machines.mjs").Machine} */ machine) =>
		(
			await machine
				.api("PUT", `/edges/https/probe-${machine.name}`, {
					hostports: [`${machine.name}-${probe.hostports[0]}`],
				})
				.catch(() => undefined)
		)?.status;
	let failed = "";
	const bounded = async (
		/** @type {() => Promise<unknown>} */ look,
		/** @type {string} */ what,
	) => {
		const deadline = performance.now() + BACK_MS;
		while (performance.now() < deadline) {
			if ((await look()) !== undefined) return;
			await pause(50);
		}
		failed ||= what;
	};
	await Promise.all(
		machines.map((machine) =>
			bounded(
				async () => (((await isBack(machine)) ?? 500) < 300 ? true : undefined),
				`no change at ${machine.name}`,
			),
		),
	);
	const backMs = performance.now() - begun;
	// … and when nobody does, all are the same.
	await clients.hold();
	await bounded(agreement, "no agreement");
	if (failed !== "") {
		const states = await Promise.all(machines.map((machine) => machine.seen().catch(String)));
		faults.push(
			`round ${index + 1}, ${did}: ${failed} within ${BACK_MS} ms: ${JSON.stringify(states.map(({ state, revision, digest, why }) => ({ state, revision, digest, why })))}`,
		);
	}
	backAfter.get(name)?.push(backMs);
	console.log(
		`${index + 1}/${order.length} ${did}; changes everywhere after ${Math.round(backMs)} ms${failed && `; ${failed}`}`,
	);
	clients.go();
}

await pause(500);
await clients.stop();
await until(agreement, "the end's agreement").catch((error) => faults.push(String(error)));
await visitors.stop();
// The last word of each machine is part of the history.
for (const machine of machines)
	for (const document of documents) {
		const begin = performance.now();
		const answer = await machine.api("GET", `/edges/https/${document}`);
		const revision = Number(answer.headers["fleet-revision"]);
		clients.history.push({
			...{
				client: -1,
				machine: machine.name,
				kind: "read",
				document,
				value: registerOf(answer),
				begin,
			},
			...{
				end: performance.now(),
				wall: Date.now() + 1e9,
				outcome: "ok",
				status: String(answer.status),
				revision,
			},
		});
	}
for (const machine of machines) {
	const said = await machine.weir("verify");
	if (said.status !== 0) faults.push(`weir fleet verify at ${machine.name}: ${said.text}`);
}
const lost = machines.flatMap((machine) => machine.lost());
const counts = new Map();
for (const machine of machines) {
	const { body } = await machine.api("GET", "/metrics");
	for (const [, name = "", value] of body.matchAll(
		/^(weir_fleet_(?:healed_records|void_records|resyncs|lost_records|lost_records_found|gaps_filled)_total\S*) (\d+)/gm,
	))
		counts.set(name, (counts.get(name) ?? 0) + Number(value));
}
await Promise.all(machines.map((machine) => machine.stop()));
await Promise.all(engines.map((engine) => engine.kill()));
for (const link of [
	...links.map(({ link: each }) => each),
	...machines.flatMap((machine) => machine.links),
])
	link.close();

const { history } = clients;
const { violations, lostWrites } = judge(history, lost);
const tally = new Map();
for (const { kind, status } of history)
	tally.set(`${kind} ${status}`, (tally.get(`${kind} ${status}`) ?? 0) + 1);
for (const [status, count] of tally) if (/ 500/.test(status)) faults.push(`${count} × ${status}`);
if (visitors.failed.length > 0)
	faults.push(
		`${visitors.failed.length} requests of the data path failed: ${visitors.failed.slice(0, SHOWN).join("; ")}`,
	);

console.log("\nanswers:");
for (const [status, count] of [...tally].sort())
	console.log(`  ${String(count).padStart(7)}  ${status}`);
console.log(
	`counted by the machines since their last start: ${
		[...counts]
			.filter(([, count]) => count > 0)
			.map(([name, count]) => `${name} ${count}`)
			.join(", ") || "nothing"
	}`,
);
console.log("changes at every machine again, ms after the nemesis' end:");
for (const [name, all] of backAfter) {
	const sorted = [...all].sort((a, b) => a - b);
	console.log(
		`  ${name.padEnd(10)} ${sorted.length} rounds, median ${Math.round(sorted[sorted.length >> 1] ?? 0)}, slowest ${Math.round(sorted.at(-1) ?? 0)}`,
	);
}
console.log(`data path: ${visitors.answered} answered, ${visitors.failed.length} failed`);
console.log(
	`acknowledged changes: ${history.filter(({ kind, outcome }) => kind === "write" && outcome === "ok").length}; lost and in a lost-file: ${lostWrites}; reported, and given back after all: ${lost.filter(({ isFound }) => isFound).length} records`,
);
for (const fault of faults) console.log(`FAULT ${fault}`);
for (const { what, events } of violations.slice(0, SHOWN)) {
	console.log(`VIOLATION ${what}`);
	for (const event of events) console.log(`    ${JSON.stringify(event)}`);
}
console.log(`${violations.length} violations, ${faults.length} faults`);
const isBad = violations.length + faults.length > 0;
if (isBad || values.keep) {
	writeFileSync(
		join(folder, "history.jsonl"),
		history.map((event) => JSON.stringify(event)).join("\n"),
	);
	console.log(`everything is in ${folder}`);
} else {
	for (const engine of engines) engine.release();
	rmSync(folder, { recursive: true, force: true });
}
process.exit(isBad ? 1 : 0);

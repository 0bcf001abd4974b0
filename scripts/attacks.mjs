#!/usr/bin/env node
/**
 * Clients that mean harm, on loopback, against weir and what one would run instead, and what honest clients get
 * meanwhile. Run by hand: `node scripts/attacks.mjs --help`. Everything that it starts it ends, by process id.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BOTH_CORES, Pinned, ready, stopAll, tidyWhenInterrupted } from "../bench/processes.mjs";
import { table } from "../bench/results.mjs";
import { askHonestly, servesAgain } from "./attacks/honest.mjs";
import { ATTACKS, DESCRIPTORS, HELP, HONEST, readOptions } from "./attacks/options.mjs";
import { PEERS, workersOf } from "./attacks/peers.mjs";
import { verdicts } from "./attacks/verdict.mjs";

/** for the attack to have its effect once everybody is connected, and for a worker to come back */
const SETTLE_MS = 2000;
const BACK_SECONDS = 10;

/**
 * A program of this folder; resolves with its first line once it has said one.
 * @param {string} name @param {(string | number)[]} words
 */
const startNode = async (name, ...words) => {
	const file = join(import.meta.dirname, "attacks", name);
	const pinned = new Pinned(BOTH_CORES, [process.execPath, file, ...words.map(String)]);
	await ready(pinned, async () => pinned.output.includes("\n"), 60);
	return { pinned, line: pinned.output.split("\n")[0] ?? "" };
};

/** @param {Pinned} pinned */
const megabytes = (pinned) => Math.round(pinned.residentBytes() / 1_048_576);

/**
 * @typedef {import("./attacks/options.mjs").Options} Options
 * @typedef {import("./attacks/options.mjs").AttackId} AttackId
 * @typedef {import("./attacks/peers.mjs").Site} Site
 */

/**
 * One attack on one proxy.
 * @param {AttackId} id @param {import("./attacks/peers.mjs").Peer["start"]} start @param {Site} site
 * @param {Options} options
 * @returns what the honest clients got, and megabytes before and after
 */
const attackOne = async (id, start, site, options) => {
	const { seconds, addresses } = options;
	const clients = options.clients ?? ATTACKS[id].clients;
	const descriptors = id === "idle" ? DESCRIPTORS : undefined;
	const { pinned, port, management } = await start({ ...site, descriptors });
	const url = `http://127.0.0.1:${port}/plain`;
	if (!(await servesAgain(url, BACK_SECONDS)))
		throw new Error("it serves nobody before the attack");
	const before = megabytes(pinned);
	const lasting = seconds + 2 * BACK_SECONDS + 60;
	const target = id === "idle" ? (management ?? port) : port;
	const attacker = await startNode("attacker.mjs", id, target, clients, lasting, addresses);
	await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
	// Large answers keep the backend busy for seconds, which is no proxy's fault.
	await servesAgain(site.backend, BACK_SECONDS);
	if (id === "idle") {
		for (const worker of workersOf(pinned)) process.kill(worker, "SIGKILL");
		await servesAgain(url, BACK_SECONDS);
	}
	const honest = await askHonestly(url, HONEST, seconds);
	const after = megabytes(pinned);
	await attacker.pinned.stop();
	await pinned.stop();
	return { ...honest, before, after };
};

/** @param {Awaited<ReturnType<typeof attackOne>> & { proxy: string }} result */
const cells = ({ proxy, served, failed, p50, p99, before, after }) => [
	proxy,
	`${served}`,
	`${failed}`,
	...[p50, p99].map((ms) => (ms === undefined ? "-" : `${ms.toFixed(1)} ms`)),
	`${before} MB`,
	`${after} MB`,
];
const HEADER = ["", "served", "failed", "p50", "p99", "memory before", "under attack"];

/** @param {AttackId} id @param {Options} options @param {string} directory */
const attackAll = async (id, options, directory) => {
	/** @type {import("./attacks/options.mjs").Attack} */
	const { clients, what, alone = false } = ATTACKS[id];
	console.log(`\n${options.clients ?? clients} ${what}`);
	/** @type {Parameters<typeof cells>[0][]} */
	const results = [];
	for (const { id: proxy, start, missing } of PEERS) {
		if (alone && proxy !== "weir") continue;
		if (!options.peers.includes(proxy.toLowerCase())) continue;
		const absent = missing(options);
		if (absent !== undefined) {
			if (proxy === "weir") throw new Error(absent);
			console.log(`${proxy} is left out: ${absent}`);
			continue;
		}
		// One for each, so that none suffers from what another left behind.
		const backend = await startNode("backend.mjs");
		/** @type {{ port: number, stuckPorts: number[] }} */
		const { port, stuckPorts } = JSON.parse(backend.line);
		const { main, config, routeBackend } = options;
		const site = {
			directory: join(directory, `${id}-${proxy}`),
			backend: `http://127.0.0.1:${port}`,
			stuck: stuckPorts.map((each) => `http://127.0.0.1:${each}`),
			...{ main, config, routeBackend },
		};
		results.push({ proxy, ...(await attackOne(id, start, site, options)) });
		await backend.pinned.stop();
		rmSync(site.directory, { recursive: true, force: true });
	}
	console.log(table(HEADER, results.map(cells)));
	return verdicts(results, HONEST, options.memoryMegabytes).map((sentence) => `${id}: ${sentence}`);
};

const main = async () => {
	const options = readOptions();
	if (options.help) {
		console.log(HELP);
		return;
	}
	const directory = mkdtempSync(join(tmpdir(), "weir-attacks-"));
	const tidy = () => rmSync(directory, { recursive: true, force: true });
	tidyWhenInterrupted(tidy);
	/** @type {string[]} */
	const complaints = [];
	try {
		for (const id of options.attacks) complaints.push(...(await attackAll(id, options, directory)));
	} finally {
		await stopAll();
		tidy();
	}
	for (const sentence of complaints) console.log(`\n${sentence}`);
	if (complaints.length === 0) console.log("\nweir serves honest clients as well as the others do");
	else process.exitCode = 1;
};

await main().catch((error) => {
	console.error(error.message);
	process.exitCode = 2;
});

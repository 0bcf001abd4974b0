#!/usr/bin/env node
/**
 * A soak: weir from dist/ under mixed traffic for half an hour, with changes, reloads, expensive rules, clients that go away
 * and clients that are slow, and keys that there were never before. Every answer is judged; memory and descriptors of every
 * process are sampled, written as CSV and drawn. Run by hand (`node scripts/soak.mjs --help`) and, for a minute, by
 * test/e2e/soak.test.ts.
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Changes } from "./soak/changes.mjs";
import { plot } from "./soak/plot.mjs";
import { asCsv, sampleAll } from "./soak/samples.mjs";
import { Site } from "./soak/site.mjs";
import { Traffic } from "./soak/traffic.mjs";
import { growths, leftOpen, trends } from "./soak/verdict.mjs";
import { until } from "./storm/storm.mjs";

const HELP = `usage: node scripts/soak.mjs [options]
  --minutes N   of traffic, 0.25 to 240, default 30; from 10 on memory and descriptors are judged
  --rate N      requests a second, 10 to 2000, default 300
  --workers N   1 to 16, default 2
  --csv FILE    writes the samples
  --svg FILE    draws them
  --json        one line of JSON instead of the table
Workers are replaced in the first half of the run, and taken over by reloads in all of it. Exits with 1 for a wrong answer,
for memory or descriptors that grow in the second half, and for descriptors that are left open in the end.`;

/** of samples, in a run of half an hour; shorter ones take as many */
const SAMPLE_MS = 10_000;
const SAMPLES = 180;
const CHANGE_MS = 700;
const COME_AND_GO_MS = 1500;
/** of each kind, in a run: a reload, and another log */
const RELOADS = 12;
/** those that replace workers: in the first half, so that the others' memory can be judged */
const LAST_WHOLE = 0.45;
/** In a shorter run heaps and pools of connections settle still. */
const JUDGED_MINUTES = 10;
const REST_MS = 3000;

/** @returns {{minutes: number, rate: number, workers: number, csv: string | undefined, svg: string | undefined, json: boolean}} */
const readOptions = () => {
	const text = /** @type {const} */ ({ type: "string" });
	const { values } = parseArgs({
		options: {
			minutes: { ...text, default: "30" },
			rate: { ...text, default: "300" },
			workers: { ...text, default: "2" },
			csv: text,
			svg: text,
			json: { type: "boolean", default: false },
			help: { type: "boolean", default: false },
		},
	});
	if (values.help) {
		console.log(HELP);
		process.exit(0);
	}
	/** @param {"minutes" | "rate" | "workers"} name @param {number} least @param {number} most */
	const number = (name, least, most) => {
		const value = Number(values[name]);
		if (value >= least && value <= most && (name === "minutes" || Number.isInteger(value)))
			return value;
		throw new Error(`--${name} takes a number from ${least} to ${most}`);
	};
	return {
		minutes: number("minutes", 0.25, 240),
		rate: number("rate", 10, 2000),
		workers: number("workers", 1, 16),
		csv: values.csv,
		svg: values.svg,
		json: values.json,
	};
};

const options = (() => {
	try {
		return readOptions();
	} catch (error) {
		console.error(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
		return process.exit(2);
	}
})();

const seconds = options.minutes * 60;
const folder = mkdtempSync(join(tmpdir(), "weir-soak-"));
const site = new Site({ folder, workers: options.workers });
const backend = fork(join(import.meta.dirname, "soak", "backend.mjs"), {
	stdio: ["ignore", "pipe", "inherit", "ipc"],
});
process.once("exit", () => {
	site.kill();
	backend.kill();
	rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));

/** @type {{port: number}} */
const { port: backendPort } = JSON.parse(
	await new Promise((resolve) => backend.stdout?.once("data", (line) => resolve(String(line)))),
);
await site.start(backendPort);
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
const traffic = new Traffic(site, options.rate);
const changes = new Changes(traffic, backendPort);
const before = sampleAll(site.pid, 0);

/** @type {import("./soak/samples.mjs").Sample[]} */
const samples = [];
/** @type {number[]} */
const replaced = [];
const begun = performance.now();
const elapsed = () => (performance.now() - begun) / 1000;
/** What can't be changed, or is not answered, is a wrong answer as well. @param {string} kind @param {() => Promise<unknown>} work */
const must = async (kind, work) => {
	try {
		await work();
		traffic.tally.add(kind, undefined);
	} catch (error) {
		traffic.tally.add(kind, error instanceof Error ? error.message : String(error));
	}
};

/** Again and again until the end, never twice at a time. @param {number} everyMs @param {(number: number) => Promise<unknown>} work */
const repeat = async (everyMs, work) => {
	for (let number = 1; ; number++) {
		const due = begun + number * everyMs;
		if (due >= begun + seconds * 1000) return;
		await pause(Math.max(0, due - performance.now()));
		await work(number);
	}
};

traffic.begin();
const sampleMs = Math.min(SAMPLE_MS, (seconds * 1000) / SAMPLES);
await Promise.all([
	repeat(sampleMs, async () => {
		const at = Math.round(elapsed() * 10) / 10;
		samples.push(...sampleAll(site.pid, at));
	}),
	repeat(CHANGE_MS, () => must("change", () => changes.change())),
	repeat(COME_AND_GO_MS, () => must("route", () => changes.comeAndGo())),
	repeat((seconds * 1000) / RELOADS, async (number) => {
		// One by one: another log is known by its file, a reload by its line in it.
		await must("rotation", () => site.rotate());
		const isWhole = number % 2 === 1 && elapsed() < seconds * LAST_WHOLE;
		if (isWhole) traffic.reloads();
		await must("reload", () => site.reload(isWhole));
		if (isWhole) {
			traffic.reloads();
			replaced.push(elapsed());
		}
	}),
]);
await traffic.end();
// What weir closes, once nobody is left to ask it anything.
await until(
	() => (leftOpen(before, sampleAll(site.pid, 0)).length === 0 ? true : undefined),
	"descriptors to be closed",
).catch(() => {});
await pause(REST_MS);
const open = leftOpen(before, sampleAll(site.pid, 0));
const status = await site.stop();
backend.kill();

const { tally } = traffic;
const grown = options.minutes < JUDGED_MINUTES ? [] : growths(samples, seconds);
const complaints = [
	...(tally.wrong > 0 ? [`${tally.wrong} wrong answers`] : []),
	...grown,
	...open,
	...(status === 0 ? [] : [`weir ended with ${status}`]),
];
const judged = trends(samples, seconds);
const result = {
	...{ seconds, requests: tally.total, wrong: tally.wrong, again: tally.again },
	...{ skipped: traffic.skipped, reloads: site.reloads, replaced: replaced.length },
	...{ kinds: tally.asked, trends: judged, complaints },
};
if (options.csv !== undefined) writeFileSync(options.csv, asCsv(samples));
if (options.svg !== undefined) {
	const title = `${options.minutes} minutes, ${tally.total} requests, ${tally.wrong} wrong answers`;
	writeFileSync(options.svg, plot(samples, { title, seconds, replaced }));
}
if (options.json) console.log(JSON.stringify(result));
else {
	const { kinds, trends: _, complaints: __, ...figures } = result;
	for (const [name, value] of Object.entries({ ...figures, ...kinds }))
		console.log(`${name.padEnd(12)} ${value}`);
	for (const { name, slope, grown: more, first, last } of judged)
		console.log(
			`${name}: ${slope.toFixed(2)} MB an hour (${more.toFixed(2)} MB), ${first} to ${last} descriptors`,
		);
}
for (const told of [...tally.told, ...complaints]) console.error(told);
process.exit(complaints.length === 0 ? 0 : 1);

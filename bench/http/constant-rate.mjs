/** Latencies at a constant rate: builds constant-rate.cc into the temporary directory and runs it. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { hasProgram, runPinned } from "../processes.mjs";
import { target } from "./contenders.mjs";
import { CONNECTIONS } from "./scenarios.mjs";

/** @typedef {import("./contenders.mjs").Contender} Contender */
/** @typedef {import("./scenarios.mjs").Scenario} Scenario */

const SOURCE = join(import.meta.dirname, "constant-rate.cc");
const COMPILERS = [process.env.CXX, "c++", "g++", "clang++"].filter((name) => name !== undefined);
/** Above it requests pile up for want of a free connection: the contender does not hold the rate. */
const DELAYED_SHARE = 0.05;
/** The client itself, at the 99th percentile: above it somebody else had its core. On a core of its own it is at 120. */
const LATE_MICROSECONDS = 1000;

/** @param {string} directory @returns {string | undefined} why the client can't be built, a sentence; the client lies in `directory` then not */
export const buildClient = (directory) => {
	const compiler = COMPILERS.find(hasProgram);
	if (compiler === undefined) return "A C++ compiler is missing (Debian: apt-get install g++).";
	const options = ["-std=c++20", "-O2", "-o", join(directory, "constant-rate"), SOURCE, "-ldl"];
	const { status, stderr } = spawnSync(compiler, options, { encoding: "utf8" });
	return status === 0 ? undefined : `${compiler} can't build the client: ${stderr.slice(0, 500)}`;
};

/** @param {string} directory @returns {boolean} */
export const hasClient = (directory) => existsSync(join(directory, "constant-rate"));

/** @param {URL} url @param {Scenario} scenario */
const requestText = (url, { method, headers, body }) => {
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
	if (body !== "") lines.push(`content-length: ${body.length}\r\n`);
	const target = url.pathname + url.search;
	return `${method} ${target} HTTP/1.1\r\nhost: ${url.host}\r\n${lines.join("")}\r\n${body}`;
};

/**
 * @typedef {{ p50: number, p99: number, p999: number }} Percentiles
 * @typedef {{ held: boolean, onTime: boolean, late: Percentiles } & Percentiles} Latencies
 */

/** @param {Percentiles | undefined} percentiles in nanoseconds; undefined where nothing was answered */
const inMicroseconds = (percentiles) =>
	/** @type {Percentiles} */ (
		Object.fromEntries(
			Object.entries(percentiles ?? {}).map(([name, nanoseconds]) => [name, nanoseconds / 1000]),
		)
	);

/**
 * @param {{core: string, directory: string, contender: Contender, scenario: Scenario, rate: number, seconds: number}} wanted `core` of the client
 * @returns {Promise<Latencies>} microseconds from
 *   the moment a request was due; `late`: how much later than due the client sent, when it had a free
 *   connection; `onTime`: not so late that the latencies are the client's own. Throws if answers were not the
 *   scenario's.
 */
export const askAtRate = async ({ core, directory, contender, scenario, rate, seconds }) => {
	const url = target(contender, scenario);
	const words = [url.port, rate, CONNECTIONS, seconds, scenario.status].map(String);
	const command = [join(directory, "constant-rate"), ...words, scenario.tls ? "tls" : "plain"];
	const result = JSON.parse(await runPinned(core, command, requestText(url, scenario)));
	const { scheduled, answered, delayed, failed, unexpected } = result;
	if (failed > 0) throw new Error(`${failed} of ${scheduled} requests were not answered`);
	if (unexpected > 1 + scheduled / 1000) {
		throw new Error(`${unexpected} of ${scheduled} answers were not ${scenario.status}`);
	}
	const late = inMicroseconds(result.lateness);
	return {
		onTime: late.p99 <= LATE_MICROSECONDS,
		held: delayed <= scheduled * DELAYED_SHARE && answered >= scheduled * 0.99,
		...inMicroseconds(result.latency),
		late,
	};
};

/**
 * As many requests as a contender answers: kept-alive connections that each send the next request when the
 * answer has come. By wrk, which costs the client's core least, or by the project's own client.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasProgram, runPinned } from "../processes.mjs";
import { target } from "./contenders.mjs";
import { CONNECTIONS } from "./scenarios.mjs";

/** @typedef {import("./contenders.mjs").Contender} Contender */
/** @typedef {import("./scenarios.mjs").Scenario} Scenario */

const LOAD = join(import.meta.dirname, "..", "..", "scripts", "load.mjs");
/** of the answers; a rate-limit admits one a minute */
const UNEXPECTED_SHARE = 0.001;

export const WITH_WRK = hasProgram("wrk");

/** @param {Scenario} scenario @returns {boolean} whether the client at hand speaks what the scenario needs */
export const canSaturate = (scenario) => WITH_WRK || !scenario.tls;

/** @param {Scenario} scenario @param {string} flag */
const headerOptions = (scenario, flag) =>
	Object.entries(scenario.headers).flatMap(([name, value]) => [flag, `${name}: ${value}`]);

/** @typedef {{ core: string, directory: string, url: URL, scenario: Scenario, seconds: number }} Wanted */

/** @param {Wanted} wanted */
const runWrk = async ({ core, directory, url, scenario, seconds }) => {
	const command = ["wrk", "-t1", `-c${CONNECTIONS}`, `-d${seconds}s`];
	if (scenario.method !== "GET") {
		const script = join(directory, `${scenario.id}.lua`);
		writeFileSync(
			script,
			`wrk.method = "${scenario.method}"\nwrk.body = string.rep("x", ${scenario.body.length})\n`,
		);
		command.push("-s", script);
	}
	const output = await runPinned(core, [...command, ...headerOptions(scenario, "-H"), url.href]);
	const number = (/** @type {RegExp} */ pattern) => Number(pattern.exec(output)?.[1] ?? 0);
	const requests = number(/(\d+) requests in/);
	const others = number(/Non-2xx or 3xx responses: (\d+)/);
	const broken =
		/Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output) ?? [];
	return {
		requests,
		perSecond: number(/Requests\/sec:\s+([\d.]+)/),
		unexpected: scenario.status === 200 ? others : requests - others,
		errors: broken.slice(1).reduce((sum, each) => sum + Number(each), 0),
	};
};

/** @param {Omit<Wanted, "directory">} wanted */
const runLoad = async ({ core, url, scenario, seconds }) => {
	const options = [`--connections`, `${CONNECTIONS}`, "--duration", `${seconds}`, "--json"];
	options.push("--method", scenario.method, ...headerOptions(scenario, "--header"));
	if (scenario.body !== "") options.push("--body", scenario.body);
	const result = JSON.parse(await runPinned(core, [process.execPath, LOAD, ...options, url.href]));
	return {
		requests: result.requests,
		perSecond: result.requestsPerSecond,
		unexpected: result.requests - (result.statuses[scenario.status] ?? 0),
		errors: result.errors,
	};
};

/**
 * @param {{core: string, directory: string, contender: Contender, scenario: Scenario, seconds: number}} wanted `core` of the client
 * @returns {Promise<{microseconds: number, perSecond: number, busy: number, errors: number}>} CPU of a
 *   request, requests a second, share of one core; throws if answers were not the scenario's
 */
export const saturate = async ({ contender, scenario, ...wanted }) => {
	const url = target(contender, scenario);
	const begin = performance.now();
	const before = contender.pinned.cpuMicroseconds();
	const result = await (WITH_WRK ? runWrk : runLoad)({ ...wanted, scenario, url });
	const used = contender.pinned.cpuMicroseconds() - before;
	const { requests, perSecond, unexpected, errors } = result;
	if (requests === 0) throw new Error("it answered nothing");
	if (unexpected > 1 + requests * UNEXPECTED_SHARE) {
		throw new Error(`${unexpected} of ${requests} answers were not ${scenario.status}`);
	}
	const elapsed = (performance.now() - begin) * 1000;
	return { microseconds: used / requests, perSecond, busy: used / elapsed, errors };
};

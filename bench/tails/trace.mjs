/**
 * What happened while the slowest requests waited (`bench/tails.mjs`): who had the proxy's core and the client's, by the
 * kernel's own trace, and which collections there were. Needs perf.
 */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * `from`, `to`: nanoseconds of the monotonic clock.
 * @typedef {{from: number, to: number, what: string}} Span
 */

const PERF = ["-q", "-k", "mono", "-C", "0,1", "-e", "sched:sched_switch"];

export const canTrace = () =>
	spawnSync("perf", ["stat", "-e", "sched:sched_switch", "true"]).status === 0;

/** @param {string} file @returns {() => Promise<void>} ends it */
export const beginTrace = (file) => {
	const perf = spawn("perf", ["record", ...PERF, "-o", file], { stdio: "ignore" });
	return () =>
		new Promise((resolve) => {
			perf.once("exit", () => resolve());
			perf.kill("SIGINT");
		});
};

/** Stretches in which somebody had a core. @param {string} file @returns {(Span & {core: number, pid: number})[]} */
export const readTrace = (file) => {
	const { stdout } = spawnSync("perf", ["script", "-i", file, "-F", "cpu,time,trace", "--ns"], {
		encoding: "utf8",
		maxBuffer: 2 ** 30,
	});
	/** @type {(Span & {core: number, pid: number})[]} */
	const spans = [];
	/** @type {Map<number, {at: number, what: string, pid: number}>} */
	const running = new Map();
	const line = /\[(\d+)\]\s+(\d+)\.(\d+):.*next_comm=(.*) next_pid=(\d+)/;
	for (const each of stdout.split("\n")) {
		const [, core, seconds, rest, what = "", pid] = line.exec(each) ?? [];
		if (core === undefined) continue;
		const at = Number(seconds) * 1e9 + Number(rest);
		const before = running.get(Number(core));
		if (before !== undefined)
			spans.push({
				core: Number(core),
				from: before.at,
				to: at,
				what: before.what,
				pid: before.pid,
			});
		running.set(Number(core), { at, what, pid: Number(pid) });
	}
	return spans;
};

/** @param {string} prefix of the files that gc-observer.mjs has written @param {number} pid @returns {Span[]} */
export const readCollections = (prefix, pid) => {
	const [folder, name] = [join(prefix, ".."), `${prefix.split("/").at(-1)}-${pid}`];
	if (!readdirSync(folder).includes(name)) return [];
	const lines = readFileSync(join(folder, name), "utf8").trim().split("\n");
	return lines.map((line) => {
		const [from = "", took = "", kind = ""] = line.split(" ");
		return { from: Number(from), to: Number(from) + Number(took), what: `collection, ${kind}` };
	});
};

/** Nanoseconds of a request that a span covers. @param {Span} one @param {Span} other */
const common = (one, other) => Math.min(one.to, other.to) - Math.max(one.from, other.from);

/**
 * Of each slow request what took most of its time, by the parts of it that each cause covers. Pure.
 * @param {readonly Span[]} requests @param {readonly Span[]} causes sorted by nothing in particular
 * @param {number} [least] share of a request that a cause must cover to be named
 * @returns {{what: string, requests: number, waited: number}[]} most requests first; `waited`: median nanoseconds
 */
export const blame = (requests, causes, least = 0.25) => {
	const sorted = causes.toSorted((one, other) => one.from - other.from);
	/** @type {Map<string, number[]>} */
	const found = new Map();
	for (const request of requests) {
		/** @type {Map<string, number>} */
		const covered = new Map();
		for (const cause of sorted) {
			if (cause.from > request.to) break;
			const part = common(request, cause);
			if (part > 0) covered.set(cause.what, (covered.get(cause.what) ?? 0) + part);
		}
		const [most] = [...covered].sort(([, one], [, other]) => other - one);
		const took = request.to - request.from;
		const what = most !== undefined && most[1] >= took * least ? most[0] : "nothing of these";
		found.set(what, [...(found.get(what) ?? []), took]);
	}
	return [...found]
		.map(([what, times]) => ({
			what,
			requests: times.length,
			waited: times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0,
		}))
		.sort((one, other) => other.requests - one.requests);
};

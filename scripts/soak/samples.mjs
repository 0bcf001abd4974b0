/** What processes hold, read from the kernel, for `scripts/soak.mjs`: memory and descriptors of a supervisor and its workers. */
import { readdirSync, readFileSync } from "node:fs";

/**
 * `anonymous`: kilobytes of memory of its own that no file stands behind, which is where leaks are; `rss` and `pss` have
 * the mapped files, too (program, store, counters).
 * @typedef {{
 *   seconds: number, name: string, pid: number, rss: number, pss: number, anonymous: number, descriptors: number,
 *   threads: number
 * }} Sample
 */

/** @param {string} text @param {string} field */
const kilobytes = (text, field) =>
	Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(text)?.[1] ?? Number.NaN);

/** @param {number} pid @returns {number[]} */
export const childrenOf = (pid) => {
	try {
		const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
		return text === "" ? [] : text.split(" ").map(Number);
	} catch {
		return [];
	}
};

/** @param {number} pid @param {string} name @param {number} seconds @returns {Sample | undefined} undefined: it has gone */
const sample = (pid, name, seconds) => {
	try {
		const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
		const descriptors = readdirSync(`/proc/${pid}/fd`).length;
		const threads = readdirSync(`/proc/${pid}/task`).length;
		const [rss, pss] = [kilobytes(rollup, "Rss"), kilobytes(rollup, "Pss")];
		const anonymous = kilobytes(rollup, "Pss_Anon");
		return { seconds, name, pid, rss, pss, anonymous, descriptors, threads };
	} catch {
		return undefined;
	}
};

/**
 * The supervisor and whichever workers it has, those that leave included. A worker that begins has not said yet what it is:
 * it is called by its process id.
 * @param {number} supervisor @param {number} seconds @returns {Sample[]}
 */
export const sampleAll = (supervisor, seconds) =>
	[
		sample(supervisor, "supervisor", seconds),
		...childrenOf(supervisor).map((pid) => sample(pid, `worker ${pid}`, seconds)),
	].filter((each) => each !== undefined);

/** @param {readonly Sample[]} samples @returns {string} with a header */
export const asCsv = (samples) => {
	const columns = /** @type {const} */ ([
		...["seconds", "name", "pid", "rss", "pss", "anonymous", "descriptors", "threads"],
	]);
	const lines = samples.map((each) =>
		columns.map((column) => each[/** @type {keyof Sample} */ (column)]).join(","),
	);
	return `${["seconds", "process", "pid", "rss_kb", "pss_kb", "anonymous_kb", "descriptors", "threads"].join(",")}\n${lines.join("\n")}\n`;
};

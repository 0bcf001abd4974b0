/** Tables of the benches, and their record in RESULTS.md with machine, command and commit. */
import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { cpus, loadavg, release, type } from "node:os";
import { join } from "node:path";

const RESULTS = join(import.meta.dirname, "RESULTS.md");

/** @param {Iterable<number>} numbers at least one @returns {number} */
export const median = (numbers) => {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	const [below = Number.NaN, above = Number.NaN] = sorted.slice(middle - 1, middle + 1);
	return sorted.length % 2 === 1 ? (sorted[middle] ?? Number.NaN) : (below + above) / 2;
};

/**
 * A Markdown table; all columns but the first are numbers.
 * @param {readonly string[]} header @param {readonly (readonly string[])[]} rows
 */
export const table = (header, rows) => {
	const widths = header.map((name, column) =>
		Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
	);
	/** @param {string} cell @param {number} column */
	const padded = (cell, column) =>
		column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
	/** @param {readonly string[]} cells */
	const line = (cells) => `| ${cells.map(padded).join(" | ")} |`;
	const rule = widths.map((width, column) =>
		column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
	);
	return [line(header), line(rule), ...rows.map(line)].join("\n");
};

/** @param {string[]} words */
const git = (...words) =>
	execFileSync("git", words, { cwd: import.meta.dirname })
		.toString()
		.trim();

/** The commit, and whether the sources had changes of their own. */
const commit = () => {
	try {
		const changed =
			git("status", "--porcelain", "--", "../src", "../native") === "" ? "" : " with changes";
		return git("rev-parse", "--short", "HEAD") + changed;
	} catch {
		return "unknown";
	}
};

/** Taken when the bench begins: above zero, something else ran beside it. */
const LOAD_BEFORE = loadavg()[0] ?? 0;

/**
 * @param {string} title @param {string} command @param {readonly string[]} conditions what else a reader needs to
 *   judge the numbers
 * @param {string} text
 */
export const appendResults = (title, command, conditions, text) => {
	const machine = `${cpus()[0]?.model ?? "unknown CPU"}, ${cpus().length} cores, ${type()} ${release()}`;
	const facts = [
		`date: ${new Date().toISOString().slice(0, 10)}`,
		`machine: ${machine}`,
		`node ${process.version}`,
		`commit: ${commit()}`,
		`command: \`${command}\``,
		`load average before: ${LOAD_BEFORE.toFixed(2)}`,
		...conditions,
	];
	appendFileSync(
		RESULTS,
		`\n## ${title}\n\n${facts.map((fact) => `- ${fact}`).join("\n")}\n\n${text}\n`,
	);
};

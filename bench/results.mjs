/**
 * Tables of the benches, and their record in RESULTS.md with machine, command and commit: one section a claim, which
 * the next record replaces. Older ones are in the history of that file.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, type } from "node:os";
import { join } from "node:path";

const RESULTS = join(import.meta.dirname, "RESULTS.md");

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

const READING = "\n### Reading\n";

/**
 * The record of a claim in the place of the last one, or behind all others. What a person wrote below "### Reading"
 * stays, and may need another look.
 * @param {string} results @param {string} title @param {string} section begins with its title
 */
export const withSection = (results, title, section) => {
	const heading = `\n## ${title}\n`;
	const from = results.indexOf(heading);
	if (from < 0) return `${results.trimEnd()}\n${section}`;
	const next = results.indexOf("\n## ", from + heading.length);
	const last = next < 0 ? results : results.slice(0, next);
	const reading = last.indexOf(READING, from);
	const kept = reading < 0 ? "" : `${last.slice(reading).trimEnd()}\n`;
	return `${results.slice(0, from)}${section}${kept}${next < 0 ? "" : results.slice(next)}`;
};

/**
 * @param {string} title @param {string} command @param {readonly string[]} conditions what else a reader needs to
 *   judge the numbers
 * @param {string} text
 */
export const recordResults = (title, command, conditions, text) => {
	const machine = `${cpus()[0]?.model ?? "unknown CPU"}, ${cpus().length} cores, ${type()} ${release()}`;
	const run = [
		new Date().toISOString().slice(0, 10),
		machine,
		`node ${process.version}`,
		`load average before ${LOAD_BEFORE.toFixed(2)}`,
	].join(", ");
	const facts = [`commit ${commit()}, \`${command}\``, run, ...conditions];
	const section = `\n## ${title}\n\n${facts.map((fact) => `- ${fact}`).join("\n")}\n\n${text}\n`;
	writeFileSync(RESULTS, withSection(readFileSync(RESULTS, "utf8"), title, section));
};

// Pieces of Markdown for the pages of scripts/docs.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What a page imports the code's tables with: `load("config")` is src/config.ts.
 * @typedef {(path: string) => Promise<any>} Load
 */

/** @param {string} text */
const cellText = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** @param {string[]} header @param {string[][]} rows */
export const table = (header, rows) =>
	[header, header.map(() => "---"), ...rows.map((row) => row.map(cellText))]
		.map((cells) => `| ${cells.join(" | ")} |`)
		.join("\n");

/** @param {string} text */
export const code = (text) => `\`${text}\``;

const DOCS = join(import.meta.dirname, "..", "..", "..", "docs");

/**
 * For pages that are written by hand but for a block or two: `docs/<file>` with the text between
 * `<!-- name -->` and `<!-- end name -->` replaced.
 * @param {string} text @param {string} name @param {string} block
 */
export const withBlock = (text, name, block) => {
	const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- end ${name} -->`];
	const [from, to] = [text.indexOf(begin), text.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`no lines "${begin.trim()}" and "${end.trim()}"`);
	return `${text.slice(0, from)}${begin}\n${block}\n${text.slice(to)}`;
};

/** @param {string} file */
export const written = (file) => readFileSync(join(DOCS, file), "utf8");

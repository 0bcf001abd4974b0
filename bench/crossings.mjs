/**
 * What a call of the addon costs from JavaScript, by the functions that each request passes:
 * `npm run bench:crossings [-- --beside DIR …]`. Each DIR is another checkout, built; all take turns,
 * who goes first changes each round, each time in a new process. Printed are the lower
 * quartiles of slices of a second, in nanoseconds of the process's processor time.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { table } from "./results.mjs";

const { values } = parseArgs({
	options: {
		beside: { type: "string", multiple: true, default: [] },
		slices: { type: "string", default: "9" },
		rows: { type: "string", default: "" },
	},
});
const own = join(import.meta.dirname, "..");
const roots = [...values.beside.map((directory) => resolve(directory)), own];
for (const root of roots) {
	if (existsSync(join(root, "dist", "main.js"))) continue;
	console.error(`${root} is not built: npm install && npm run build`);
	process.exit(2);
}

/** @typedef {{ root: string, slices: Map<string, number[]> }} Build */

/** @type {Build[]} */
const builds = roots.map((root) => ({ root, slices: new Map() }));

/**
 * One slice of each row in a process of its own: where its memory lies makes a difference, too.
 * @param {Build} build
 */
const round = async ({ root, slices }) => {
	const child = fork(join(import.meta.dirname, "crossings-child.mjs"), [join(root, "dist")]);
	const [{ rows }] = await once(child, "message");
	for (const row of rows.filter((/** @type {string} */ name) => name.includes(values.rows))) {
		child.send(row);
		const [{ ns }] = await once(child, "message");
		slices.set(row, [...(slices.get(row) ?? []), ns]);
	}
	child.disconnect();
};
for (let number = 0; number < Number(values.slices); number += 1) {
	for (const at of builds.keys()) {
		const build = builds[(at + number) % builds.length];
		if (build !== undefined) await round(build);
	}
}
const rows = [...(builds[0]?.slices.keys() ?? [])];

/** @param {readonly number[]} numbers */
const lowerQuartile = (numbers) =>
	numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 4)] ?? Number.NaN;
console.log(`${cpus()[0]?.model}, Node ${process.version}, ns, lower quartile of ${values.slices}`);
console.log(
	table(
		["", ...builds.map(({ root }) => basename(root))],
		rows.map((row) => [
			row,
			...builds.map(({ slices }) => lowerQuartile(slices.get(row) ?? []).toFixed(1)),
		]),
	),
);
process.exit(0);

/**
 * What a call of the addon costs from JavaScript, by the functions that each request passes:
 * `npm run bench:crossings [-- --beside DIR …]`. Each DIR is another checkout, built; all take turns,
 * who goes first changes each round, each time in a new process. Printed are the lower
 * quartiles of slices of a second, in nanoseconds of the process's processor time, and this checkout's by each other's.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { table } from "./results.mjs";
import { compare, HOW_MEASURED, inOrder, lowerQuartile, ratioText, SLICES } from "./slices.mjs";

const { values } = parseArgs({
	options: {
		beside: { type: "string", multiple: true, default: [] },
		slices: { type: "string", default: `${SLICES}` },
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
	for (const build of inOrder(builds, number)) await round(build);
}
const rows = [...(builds[0]?.slices.keys() ?? [])];
const others = builds.slice(0, -1);
const slicesOf = (/** @type {string} */ row, /** @type {Build | undefined} */ build) =>
	build?.slices.get(row) ?? [];
console.log(`${cpus()[0]?.model}, Node ${process.version}, ns, ${values.slices} slices`);
if (others.length > 0) console.log(HOW_MEASURED);
console.log(
	table(
		[
			"",
			...builds.map(({ root }) => basename(root)),
			...others.map(({ root }) => `this / ${basename(root)} (paired)`),
		],
		rows.map((row) => [
			row,
			...builds.map((build) => lowerQuartile(slicesOf(row, build)).toFixed(1)),
			...others.map((other) =>
				ratioText(compare(slicesOf(row, builds.at(-1)), slicesOf(row, other))),
			),
		]),
	),
);
process.exit(0);

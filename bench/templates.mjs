/**
 * Policies made from templates, which differ in their texts only: what one takes to compile, at its first request, and in
 * memory, and what requests spread over many of them cost. With `--peer DIR`, a clone of weir that is built, both take
 * turns. `npm run bench:templates [-- --peer DIR]`
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { recordResults, table } from "./results.mjs";
import { compare, HOW_MEASURED, inOrder, lowerQuartile, ratioText, SLICES } from "./slices.mjs";

const { values } = parseArgs({
	options: {
		peer: { type: "string" },
		policies: { type: "string", default: "20000" },
		"no-record": { type: "boolean", default: false },
	},
});
const OWN = join(import.meta.dirname, "..");
const CONTENDERS = values.peer === undefined ? [OWN] : [OWN, values.peer];

/** @typedef {Record<keyof typeof WHAT, number>} Figures what `templates-child.mjs` prints */
const WHAT = {
	compileMicroseconds: "compile one, µs of processor",
	firstMicroseconds: "its first request, µs of processor",
	heapKilobytes: "heap in use, kB a policy",
	residentKilobytes: "resident memory, kB a policy",
	oneNanoseconds: "a request, all to one policy, ns",
	hundredNanoseconds: "a request, spread over 100, ns",
	allNanoseconds: "a request, spread over all, ns",
	distinctMicroseconds: "of 1000 whose shapes are distinct: compile one, µs of processor",
	distinctFirstMicroseconds: "its first request, µs of processor",
	distinctHundredthNanoseconds: "its hundredth request, ns",
};

/** @type {Map<string, Figures[]>} */
const samples = new Map(CONTENDERS.map((root) => [root, []]));
for (let turn = 0; turn < SLICES; turn++) {
	for (const root of inOrder(CONTENDERS, turn)) {
		const child = join(import.meta.dirname, "templates-child.mjs");
		const words = ["--expose-gc", child, join(root, "dist"), values.policies];
		samples.get(root)?.push(JSON.parse(execFileSync(process.execPath, words).toString()));
	}
}
const columns = /** @type {(keyof Figures)[]} */ (Object.keys(WHAT));
/** @param {string} root @param {keyof Figures} column */
const of = (root, column) => (samples.get(root) ?? []).map((each) => each[column]);
const peer = values.peer;
const text = table(
	[
		"policies from templates",
		"weir",
		...(peer === undefined ? [] : ["peer", "weir / peer (paired)"]),
	],
	columns.map((column) => {
		const own = of(OWN, column);
		const row = [WHAT[column], lowerQuartile(own).toPrecision(3)];
		if (peer === undefined) return row;
		const theirs = of(peer, column);
		return [...row, lowerQuartile(theirs).toPrecision(3), ratioText(compare(own, theirs))];
	}),
);
console.log(text);
const conditions = [
	`${values.policies} policies of two or three rules, of six templates; a process of its own for each slice, ${SLICES} in turns`,
	HOW_MEASURED,
];
if (!values["no-record"])
	recordResults("Policies from templates", "npm run bench:templates", conditions, text);

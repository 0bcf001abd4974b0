/** The tables of `npm run bench:http`: one a group of scenarios, then the targets. */
import { table } from "../results.mjs";
import { ratioText } from "../slices.mjs";
import { TITLES } from "./contenders.mjs";
import { SCENARIOS } from "./scenarios.mjs";
import { targetRows } from "./targets.mjs";

const HEADER = [
	"",
	"CPU µs/request",
	"weir / it (paired)",
	"spread",
	"requests/s",
	"weir / it (paired)",
	"cores busy",
	"p50 µs",
	"p99 µs",
	"p99.9 µs",
];
const NOT_MEASURED = "–";

/**
 * @typedef {import("./samples.mjs").Samples} Samples
 * @typedef {import("./scenarios.mjs").Scenario} Scenario
 * @typedef {Map<string, { perSecond: number, share: number }>} Rates of the latencies, by scenario
 */

/** @param {number | undefined} value @param {number} count */
const digits = (value, count) => (value === undefined ? NOT_MEASURED : value.toFixed(count));

/** @param {Samples} samples @param {Scenario} scenario @param {string} contender */
const row = (samples, { id, title }, contender) => {
	const value = (/** @type {string} */ measure) => samples.figure(id, contender, measure);
	const ratio = (/** @type {string} */ measure) =>
		contender === "weir"
			? NOT_MEASURED
			: ratioText(samples.comparison(id, "weir", contender, measure));
	const spread = samples.spread(id, contender, "microseconds");
	return [
		`${title}: ${TITLES[contender]}`,
		digits(value("microseconds"), 2),
		ratio("microseconds"),
		spread === undefined ? NOT_MEASURED : `${Math.round(spread * 100)} %`,
		digits(value("perSecond"), 0),
		ratio("perSecond"),
		digits(value("busy"), 2),
		digits(value("p50"), 0),
		digits(value("p99"), 0),
		digits(value("p999"), 0),
	];
};

/**
 * What a reader of the latencies must know of a scenario: the rate, and the PUTs beside it.
 * @param {Samples} samples @param {Rates} rates @param {Scenario} scenario
 */
const remarks = (samples, rates, { id, title, putsPerSecond }) => {
	/** @type {string[]} */
	const lines = [];
	const rate = rates.get(id);
	if (rate !== undefined) {
		lines.push(
			`- ${title}: latencies at ${rate.perSecond} requests/s, ${Math.round(rate.share * 100)} % of the slowest's in its slowest slice.`,
		);
	}
	const put = (/** @type {string} */ measure) => digits(samples.figure(id, "weir", measure), 1);
	if (samples.figure(id, "weir", "putSaturatedP50") !== undefined) {
		const atRate =
			rate === undefined ? "" : `; at the fixed rate ${put("putP50")} and ${put("putP99")} ms`;
		lines.push(
			`- ${title}: a PUT took ${put("putSaturatedP50")} ms (p50) and ${put("putSaturatedP99")} ms (p99) ` +
				`at saturation${atRate}. ${putsPerSecond} a second to weir, whose CPU includes them; ` +
				"the others run without: nginx's and HAProxy's nearest is a reload.",
		);
	}
	return lines;
};

/**
 * @param {Samples} samples @param {Rates} rates
 * @returns {string} Markdown
 */
export const report = (samples, rates) => {
	/** @type {string[][]} */
	const sections = [];
	for (const group of new Set(SCENARIOS.map((each) => each.group))) {
		const scenarios = SCENARIOS.filter((each) => each.group === group);
		const rows = scenarios.flatMap((scenario) =>
			Object.keys(TITLES)
				.filter((contender) => samples.figure(scenario.id, contender, "perSecond") !== undefined)
				.map((contender) => row(samples, scenario, contender)),
		);
		if (rows.length === 0) continue;
		const lines = scenarios.flatMap((scenario) => remarks(samples, rates, scenario));
		sections.push([`### ${group}`, table(HEADER, rows), lines.join("\n")]);
	}
	const targets = targetRows(samples);
	if (targets.length > 0) {
		const count = (/** @type {string} */ verdict) =>
			targets.filter((each) => each.at(-1) === verdict).length;
		sections.push([
			"### Targets",
			table(["target", "bound", "reached (paired)", "verdict"], targets),
			`${count("met")} met, ${count("missed")} missed, ${count("not known")} not known.`,
		]);
	}
	return sections
		.flat()
		.filter((part) => part !== "")
		.join("\n\n");
};
